import Bytes

/// What a worker finds out about the entries of a file while they are at hand, so that stages that
/// would change nothing need not walk over all entries.
struct SegmentFacts: Sendable {
  /// Who may see the one that fewest may see.
  var audience = Audience.everyone
  var hasDrafts = false
  /// Whether any stands inside of another in its record.
  var hasNested = false
  /// Whether each comes before the next: by date, then id.
  var isSorted = true
  /// How many at the beginning have ids that are plain names in lower case and grow; see
  /// `OrderlyIDs`.
  private(set) var orderly = 0
  private(set) var count = 0
  private(set) var last: Entry?

  /// Goes on with the entries that follow.
  mutating func add(_ entries: ArraySlice<Entry>, text: [UInt8]) {
    var (previous, hasPrevious) = (last ?? Entry(kind: .message), last != nil)
    text.withUnsafeBufferPointer { text in
      entries.withUnsafeBufferPointer { entries in
        for entry in entries {
          audience = max(audience, entry.audience)
          hasDrafts = hasDrafts || entry.flags.contains(.draft)
          hasNested = hasNested || entry.parent != .none
          if hasPrevious { isSorted = isSorted && EntryOrder.isBefore(previous, entry, text) }
          if orderly == count, !hasPrevious || EntryOrder.idsGrow(previous, entry, text),
            PlainName.isLowerCase(UnsafeBufferPointer(rebasing: text[entry.id.bounds]))
          {
            orderly += 1
          }
          count += 1
          previous = entry
          hasPrevious = true
        }
      }
    }
    if hasPrevious { last = previous }
  }

  /// Saves memory when nothing follows.
  mutating func forgetLast() { last = nil }
}

/// The same of everything that was read, in the order of files.
struct JoinedFacts: Sendable {
  struct Channel: Sendable {
    var number: Int
    var count: Int
    /// How many at its beginning have orderly ids.
    var orderly: Int
  }

  private(set) var audience = Audience.everyone
  private(set) var hasDrafts = false
  private(set) var hasNested = false
  /// Whether all are messages that stand in their final order: channel by channel, by time.
  private(set) var isInOrder = true
  /// The channels with messages, for messages in order.
  private(set) var channels: [Channel] = []

  /// Adds the facts of entries that follow in `entries`.
  mutating func add(
    _ segment: Harvest.Segment,
    _ range: Range<Int>,
    _ entries: [Entry],
    _ text: [UInt8]
  ) {
    let facts = segment.facts
    audience = max(audience, facts.audience)
    hasDrafts = hasDrafts || facts.hasDrafts
    hasNested = hasNested || facts.hasNested
    guard isInOrder, case .channel(let number) = segment.target, facts.isSorted else {
      isInOrder = false
      return
    }
    guard let last = channels.last, last.number >= number else {
      channels.append(Channel(number: number, count: range.count, orderly: facts.orderly))
      return
    }
    let (before, first) = (entries[range.lowerBound - 1], entries[range.lowerBound])
    let (follows, grows) = text.withUnsafeBufferPointer {
      (EntryOrder.isBefore(before, first, $0), EntryOrder.idsGrow(before, first, $0))
    }
    isInOrder = last.number == number && follows
    if last.orderly == last.count, grows { channels[channels.count - 1].orderly += facts.orderly }
    channels[channels.count - 1].count += range.count
  }
}

/// Comparisons of raw entries, whose ids stand in `text`.
enum EntryOrder {
  /// Whether an entry surely comes before another: by date, then id; false for equals, and where an
  /// id is still to be derived.
  @inline(__always)
  static func isBefore(
    _ left: Entry,
    _ right: Entry,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if left.date != right.date { return left.date < right.date }
    if left.id.isEmpty || right.id.isEmpty { return false }
    return precedesNaturally(
      UnsafeBufferPointer(rebasing: text[left.id.bounds]),
      UnsafeBufferPointer(rebasing: text[right.id.bounds])
    )
  }

  /// Whether the id of an entry comes before another's: by length, then bytes.
  @inline(__always)
  static func idsGrow(
    _ left: Entry,
    _ right: Entry,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    left.id.length == right.id.length
      ? precedes(
        UnsafeBufferPointer(rebasing: text[left.id.bounds]),
        UnsafeBufferPointer(rebasing: text[right.id.bounds])
      ) : left.id.length < right.id.length
  }
}
