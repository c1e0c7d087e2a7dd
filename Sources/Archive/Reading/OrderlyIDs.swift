import Bytes

/// The beginnings of containers in which ids grow with time, as those of most exports do (`m1`, `m2`,
/// …, `m10`): by length, then bytes.
///
/// Their ids are distinct without a look into a table, and an id is found by steps from a place near
/// it. Ids are plain names in lower case besides, so that names need no folding. What follows a
/// beginning, such as one message with an id of another kind, is odd: it is found in tables.
struct OrderlyIDs {
  /// Where the entries of each container begin: of posts' comments, then of channels; ends with
  /// where the last ends.
  private var starts: [Int]
  /// Where the orderly beginning of each container ends.
  private var ends: [Int]
  private var firstChannel: Int

  init(_ raw: RawArchive, posts: Int, starts: [Int]) {
    self.starts = starts.map { $0 + posts }
    firstChannel = posts
    ends = (0..<max(starts.count - 1, 0)).map { bucket in
      let range = starts[bucket] + posts..<starts[bucket + 1] + posts
      return Self.end(of: range, Self.orderlyCount(raw, range))
    }
  }

  /// Of an archive that is nothing but messages which were read in order.
  init(_ channels: [JoinedFacts.Channel], count: Int) {
    starts = Array(repeating: 0, count: count + 1)
    for channel in channels { starts[channel.number + 1] = channel.count }
    for number in 0..<count { starts[number + 1] += starts[number] }
    ends = Array(starts.dropFirst())
    for channel in channels {
      let range = starts[channel.number]..<starts[channel.number + 1]
      ends[channel.number] = Self.end(of: range, channel.orderly)
    }
    firstChannel = 0
  }

  /// A beginning that is most of its container is worth its steps; a shorter one is none.
  private static func end(of range: Range<Int>, _ orderly: Int) -> Int {
    orderly >= range.count / 4 * 3 ? range.lowerBound + orderly : range.lowerBound
  }

  private static func orderlyCount(_ raw: RawArchive, _ range: Range<Int>) -> Int {
    raw.text.withUnsafeBufferPointer { text in
      raw.entries.withUnsafeBufferPointer { entries in
        for index in range {
          let grows =
            index == range.lowerBound
            || EntryOrder.idsGrow(entries[index - 1], entries[index], text)
          let id = UnsafeBufferPointer(rebasing: text[entries[index].id.bounds])
          guard grows, PlainName.isLowerCase(id) else { return index - range.lowerBound }
        }
        return range.count
      }
    }
  }

  private func bucket(of entry: Entry) -> Int? {
    switch entry.kind {
    case .post: nil
    case .comment: Int(entry.container)
    case .message: firstChannel + Int(entry.container)
    }
  }

  /// Comments and messages that stand behind the orderly beginning of their container, ascending.
  var odd: [Range<Int>] {
    ends.indices.lazy.map { ends[$0]..<starts[$0 + 1] }.filter { !$0.isEmpty }
  }

  /// Whether any beside a comment or message is odd, itself included.
  func hasOdd(beside entry: Entry) -> Bool {
    bucket(of: entry).map { ends[$0] < starts[$0 + 1] } ?? false
  }

  /// Follows entries that were left out.
  ///
  /// - Parameter place: Where each entry is now; `.max` where it is left out. Posts come first.
  mutating func follow(_ place: [UInt32]) {
    var (index, kept) = (0, 0)
    func moved(_ boundary: Int) -> Int {
      while index < boundary {
        if place[index] != .max { kept += 1 }
        index += 1
      }
      return kept
    }
    for bucket in ends.indices {
      starts[bucket] = moved(starts[bucket])
      ends[bucket] = moved(ends[bucket])
    }
    starts[ends.count] = moved(starts[ends.count])
    // A post that went took its comments along.
    let buckets = ends.indices.filter { $0 >= firstChannel || place[$0] != .max }
    firstChannel -= ends.count - buckets.count
    starts = buckets.map { starts[$0] } + starts.suffix(1)
    ends = buckets.map { ends[$0] }
  }

  /// Whether the container of a comment or message has an orderly beginning.
  func hasBeginning(beside entry: Entry) -> Bool {
    bucket(of: entry).map { starts[$0] < ends[$0] } ?? false
  }

  /// The orderly entry of an id beside the one at `index`, by steps that double from there.
  func find(_ name: TextRange, near index: Int, _ raw: borrowing RawArchive) -> Int? {
    raw.text.withUnsafeBufferPointer { text in
      raw.entries.withUnsafeBufferPointer { entries in
        find(UnsafeBufferPointer(rebasing: text[name.bounds]), near: index, entries, text)
      }
    }
  }

  /// As `find(_:near:_:)`, for an id that stands in no text.
  func find(
    _ wanted: UnsafeBufferPointer<UInt8>,
    near index: Int,
    _ entries: UnsafeBufferPointer<Entry>,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let bucket = bucket(of: entries[index]), starts[bucket] < ends[bucket] else { return nil }
    func id(_ place: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: text[entries[place].id.bounds])
    }
    func isBefore(_ place: Int) -> Bool {
      let id = id(place)
      return id.count == wanted.count ? precedes(id, wanted) : id.count < wanted.count
    }
    var low = starts[bucket]
    var high = ends[bucket]
    let index = min(index, high - 1)
    var step = 1
    if isBefore(index) {
      low = index + 1
      while low + step < high, isBefore(low + step) {
        low += step + 1
        step *= 2
      }
      high = min(high, low + step + 1)
    } else {
      high = index + 1
      while high - step > low, !isBefore(high - step) {
        high -= step
        step *= 2
      }
      low = max(low, high - step)
    }
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low < ends[bucket] && equalBytes(id(low), wanted) ? low : nil
  }
}
