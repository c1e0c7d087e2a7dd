import Bytes

/// Containers whose ids grow with time, as those of most exports do (`m1`, `m2`, …, `m10`): by
/// length, then bytes.
///
/// Their ids are distinct without a look into a table, and an id is found by steps from a place near
/// it. Ids are plain names in lower case besides, so that names need no folding.
struct OrderlyIDs {
  /// Where the entries of each container begin: of posts' comments, then of channels.
  private let starts: [Int]
  private let firstChannel: Int
  private let isOrderly: [Bool]
  /// Posts have other numbers now.
  private var hasForgottenPosts = false

  init(_ raw: RawArchive, posts: Int, starts: [Int]) {
    self.starts = starts.map { $0 + posts }
    firstChannel = posts
    isOrderly = (0..<max(starts.count - 1, 0)).map { bucket in
      Self.isOrderly(raw, starts[bucket] + posts..<starts[bucket + 1] + posts)
    }
  }

  /// Of an archive that is nothing but messages which were read in order.
  init(_ channels: [(number: Int, count: Int, isOrderly: Bool)], count: Int) {
    var starts = Array(repeating: 0, count: count + 1)
    var isOrderly = Array(repeating: true, count: count)
    for channel in channels {
      starts[channel.number + 1] = channel.count
      isOrderly[channel.number] = channel.isOrderly
    }
    for number in 0..<count { starts[number + 1] += starts[number] }
    self.starts = starts
    self.isOrderly = isOrderly
    firstChannel = 0
  }

  /// Whether no container has other ids.
  var isComplete: Bool { isOrderly.allSatisfy { $0 } }

  private static func isOrderly(_ raw: RawArchive, _ range: Range<Int>) -> Bool {
    raw.text.withUnsafeBufferPointer { text in
      var previous = TextRange.empty
      for index in range {
        let id = raw.entries[index].id
        let bytes = UnsafeBufferPointer(rebasing: text[id.bounds])
        guard PlainName.isLowerCase(bytes) else { return false }
        if index > range.lowerBound {
          let before = UnsafeBufferPointer(rebasing: text[previous.bounds])
          guard comesBefore(before, bytes) else { return false }
        }
        previous = id
      }
      return true
    }
  }

  @inline(__always)
  private static func comesBefore(
    _ left: UnsafeBufferPointer<UInt8>,
    _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    left.count == right.count ? precedes(left, right) : left.count < right.count
  }

  private func bucket(of entry: Entry) -> Int {
    entry.kind == .message ? firstChannel + Int(entry.container) : Int(entry.container)
  }

  /// Whether the ids beside a comment or message are orderly.
  func contains(_ entry: Entry) -> Bool {
    switch entry.kind {
    case .post: false
    case .comment: !hasForgottenPosts && isOrderly[bucket(of: entry)]
    case .message: isOrderly[bucket(of: entry)]
    }
  }

  /// Posts were left out, so only channels are known from now on and places are no longer found.
  mutating func forgetPosts() { hasForgottenPosts = true }

  /// The entry of an id beside the one at `index`, by steps that double from there.
  func find(_ name: TextRange, near index: Int, _ raw: RawArchive) -> Int? {
    let bucket = bucket(of: raw.entries[index])
    return raw.text.withUnsafeBufferPointer { text in
      let wanted = UnsafeBufferPointer(rebasing: text[name.bounds])
      func isBefore(_ place: Int) -> Bool {
        let id = raw.entries[place].id
        return Self.comesBefore(UnsafeBufferPointer(rebasing: text[id.bounds]), wanted)
      }
      var low = starts[bucket]
      var high = starts[bucket + 1]
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
      guard low < starts[bucket + 1] else { return nil }
      let found = UnsafeBufferPointer(rebasing: text[raw.entries[low].id.bounds])
      return equalBytes(found, wanted) ? low : nil
    }
  }
}
