import Archive

/// Where lists of long entries are cut, so that no page grows heavy.
///
/// A list is cut by count wherever its pages stay light, as those of nearly all archives do; only
/// the others are kept here. A part that is full stays as it is when entries are added.
struct PartCuts: Sendable {
  /// HTML that a page may hold before it is cut, in bytes as `weight` estimates them: half a megabyte
  /// with some room for markup.
  static let budget = 360_000
  /// HTML around one text: author, time, addresses.
  private static let frame = 1200

  /// By post.
  private(set) var comments: [Int: [Int]] = [:]
  /// By the first message.
  private(set) var buckets: [Int: [Int]] = [:]
  /// By topic.
  private(set) var topics: [Int: [Int]] = [:]

  init() {}

  init(of archive: Archive, buckets: [[Bucket]]) {
    for (index, post) in archive.posts.enumerated() where !post.comments.isEmpty {
      let range = post.comments
      comments[index] = Self.starts(range.count, size: PageSize.comments) { place in
        Self.weight(of: archive.entries[range.lowerBound + place], among: range.count)
      }
    }
    for (channel, list) in zip(archive.channels, buckets) {
      for bucket in list {
        let range = bucket.messages
        self.buckets[range.lowerBound] = Self.starts(range.count, size: channel.perPage) { place in
          Self.weight(of: archive.entries[range.lowerBound + place])
        }
      }
    }
    for index in archive.topics.indices {
      let messages = archive.topics.messages(of: index)
      topics[index] = Self.starts(messages.count, size: PageSize.topicMessages) { place in
        Self.weight(of: archive.entries[messages[place].index])
      }
    }
  }

  /// How many of the last entries of a list are light enough for one page; at least one.
  static func light(_ range: Range<Int>, of archive: Archive) -> Range<Int> {
    var start = range.upperBound
    var sum = 0
    while start > range.lowerBound {
      sum += weight(of: archive.entries[start - 1])
      if sum > budget, start < range.upperBound { break }
      start -= 1
    }
    return start..<range.upperBound
  }

  /// The HTML of an entry, about.
  ///
  /// Entries nested in one record share it; with how many is not known, so `count` bounds it.
  private static func weight(of entry: Entry, among count: Int = 1) -> Int {
    let length = Int(entry.record.length)
    return frame + (entry.record.ordinal > 0 ? length / (count + 1) : length)
  }

  /// The first places of the parts of a list, if it can't be cut by count alone.
  private static func starts(_ count: Int, size: Int, weight: (Int) -> Int) -> [Int]? {
    if count <= size, (0..<count).reduce(0, { $0 + weight($1) }) <= budget { return nil }
    var starts = [0]
    var sum = 0
    var isRegular = true
    for place in 0..<count {
      let own = weight(place)
      let isFull = place - starts[starts.count - 1] == size
      let isHeavy = sum + own > budget && sum > 0
      if isFull || isHeavy {
        starts.append(place)
        sum = 0
        if !isFull { isRegular = false }
      }
      sum += own
    }
    return isRegular ? nil : starts
  }
}
