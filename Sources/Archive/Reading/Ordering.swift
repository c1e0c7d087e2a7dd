import Bytes

// Puts the entries into their final order: posts, then comments post by post, then messages channel
// by channel; each run by date, then id, then place in the files.
extension ArchiveBuilder {
  mutating func sortEntries() {
    if raw.facts.isInOrder {
      positions = (0..<raw.entries.count).map { UInt32(truncatingIfNeeded: $0) }
      orderly = OrderlyIDs(raw.facts.channels, count: scan.channels.count)
      return
    }
    let (order, starts) = finalOrder()
    positions = Array(repeating: .max, count: raw.entries.count)
    for (position, entry) in order.enumerated() {
      positions[Int(entry)] = UInt32(truncatingIfNeeded: position)
    }
    arrange(order)
    orderly = OrderlyIDs(raw, posts: raw.posts.count, starts: starts)
    // Posts by time, and every entry's container after them.
    raw.posts.sort { positions[Int($0.entry)] < positions[Int($1.entry)] }
  }

  private mutating func finalOrder() -> (order: [UInt32], starts: [Int]) {
    var posts = raw.posts.map(\.entry)
    raw.withOrder { $0.sortIfNeeded(&posts[...]) }
    var rankOfPost = Array(repeating: UInt32.max, count: raw.posts.count)
    var numberOfEntry: [UInt32: UInt32] = [:]
    for (number, post) in raw.posts.enumerated() {
      numberOfEntry[post.entry] = UInt32(truncatingIfNeeded: number)
    }
    for (rank, entry) in posts.enumerated() {
      if let number = numberOfEntry[entry] {
        rankOfPost[Int(number)] = UInt32(truncatingIfNeeded: rank)
      }
    }
    for index in raw.aliases.indices {
      raw.aliases[index].entry = rankOfPost[Int(raw.aliases[index].entry)]
    }
    // Counting sort into one bucket a container.
    var starts = Array(repeating: 0, count: posts.count + scan.channels.count + 1)
    for index in raw.entries.indices {
      guard let bucket = bucket(of: index, rankOfPost) else { continue }
      starts[bucket + 1] += 1
    }
    for bucket in starts.indices.dropFirst() { starts[bucket] += starts[bucket - 1] }
    var next = starts
    var rest = Array(repeating: UInt32(0), count: starts.last ?? 0)
    for index in raw.entries.indices {
      guard let bucket = bucket(of: index, rankOfPost) else { continue }
      rest[next[bucket]] = UInt32(truncatingIfNeeded: index)
      next[bucket] += 1
      if raw.entries[index].kind == .comment {
        raw.entries[index].container = UInt32(truncatingIfNeeded: bucket)
      }
    }
    for (rank, entry) in posts.enumerated() {
      raw.entries[Int(entry)].container = UInt32(truncatingIfNeeded: rank)
    }
    raw.withOrder { order in
      for bucket in 0..<starts.count - 1 {
        order.sortIfNeeded(&rest[starts[bucket]..<starts[bucket + 1]])
      }
    }
    return (posts + rest, starts)
  }

  /// The bucket of a comment or message; nil for posts and comments without a post.
  @inline(__always)
  private func bucket(of index: Int, _ rankOfPost: [UInt32]) -> Int? {
    let container = raw.entries[index].container
    switch raw.entries[index].kind {
    case .post: return nil
    case .comment: return container == .max ? nil : Int(rankOfPost[Int(container)])
    case .message: return rankOfPost.count + Int(container)
    }
  }

  /// Moves the entries into an order in place, cycle by cycle, and drops the others: a second array
  /// would double the memory.
  private mutating func arrange(_ order: [UInt32]) {
    let count = raw.entries.count
    var sources = order
    sources.reserveCapacity(count)
    for index in 0..<count where positions[index] == .max {
      sources.append(UInt32(truncatingIfNeeded: index))
    }
    raw.entries.withUnsafeMutableBufferPointer { entries in
      for start in 0..<count where Int(sources[start]) != start {
        let kept = entries[start]
        var place = start
        while true {
          let source = Int(sources[place])
          sources[place] = UInt32(truncatingIfNeeded: place)
          if source == start {
            entries[place] = kept
            break
          }
          entries[place] = entries[source]
          place = source
        }
      }
    }
    raw.entries.removeLast(count - order.count)
  }
}

extension RawArchive {
  /// Calls `body` with the order of raw entries.
  func withOrder<Result>(_ body: (RawOrder) -> Result) -> Result {
    entries.withUnsafeBufferPointer { entries in
      text.withUnsafeBufferPointer { text in body(RawOrder(entries: entries, text: text)) }
    }
  }
}

/// The order of raw entries: by date, then id, then place.
///
/// It holds no references, which a sort would
/// count at every step.
struct RawOrder {
  let entries: UnsafeBufferPointer<Entry>
  let text: UnsafeBufferPointer<UInt8>

  @inline(__always)
  func isBefore(_ left: UInt32, _ right: UInt32) -> Bool {
    let (first, second) = (entries[Int(left)], entries[Int(right)])
    if first.date != second.date { return first.date < second.date }
    let one = UnsafeBufferPointer(rebasing: text[first.id.bounds])
    let other = UnsafeBufferPointer(rebasing: text[second.id.bounds])
    return equalBytes(one, other) ? left < right : precedesNaturally(one, other)
  }

  /// Sorts positions of raw entries; most files are in time order already.
  func sortIfNeeded(_ run: inout ArraySlice<UInt32>) {
    if run.count < 2 { return }
    let isSorted = run.indices.dropLast().allSatisfy { isBefore(run[$0], run[$0 + 1]) }
    if !isSorted { run.sort { isBefore($0, $1) } }
  }
}
