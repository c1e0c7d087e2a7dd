import Archive

extension Plan {
  /// A month of the timeline.
  struct Month: Hashable, Sendable {
    let year: Int
    let month: Int
    /// In `Archive.posts`.
    var posts = 0..<0
    /// Channels with days or months of their own in it, in the order of `Archive.channels`.
    var channels: [MonthOfChannel] = []

    /// Messages in all of them.
    var messageCount: Int { channels.reduce(0) { $0 + $1.messageCount } }
  }

  /// What a channel has in a month.
  struct MonthOfChannel: Hashable, Sendable {
    let channel: Int
    /// In `Plan.buckets[channel]`.
    var buckets: Range<Int>
    var messageCount: Int
  }

  /// The months that hold a post or a message, ascending.
  ///
  /// Of channels cut into years and of topics channels nothing is listed: no page of theirs is about
  /// a month.
  static func months(of archive: Archive, buckets: [[Bucket]]) -> [Month] {
    var months: [Int: Month] = [:]
    let zone = archive.configuration.timeZone
    for (index, post) in archive.posts.enumerated() {
      let date = archive.entries[post.entry.index].date
      if date.isUndated { continue }
      let civil = zone.filing(at: date)
      let key = civil.year * 12 + civil.month
      var month = months[key] ?? Month(year: civil.year, month: civil.month, posts: index..<index)
      if month.posts.isEmpty { month.posts = index..<index }
      month.posts = month.posts.lowerBound..<index + 1
      months[key] = month
    }
    for (channel, list) in buckets.enumerated() {
      for (index, bucket) in list.enumerated() where bucket.month > 0 {
        let key = bucket.year * 12 + bucket.month
        var month = months[key] ?? Month(year: bucket.year, month: bucket.month)
        if month.channels.last?.channel == channel {
          let last = month.channels.count - 1
          month.channels[last].buckets = month.channels[last].buckets.lowerBound..<index + 1
          month.channels[last].messageCount += bucket.messages.count
        } else {
          month.channels.append(
            MonthOfChannel(
              channel: channel,
              buckets: index..<index + 1,
              messageCount: bucket.messages.count
            )
          )
        }
        months[key] = month
      }
    }
    return months.sorted { $0.key < $1.key }.map(\.value)
  }
}
