/// Some entries, in an order of their own, out of a list that many such runs share.
///
/// An archive may have a million topics of one message each: an array of its own would take more
/// memory than all else of the topic.
public struct EntryRun: RandomAccessCollection, Equatable, Sendable {
  private let list: [EntryID]
  private let start: UInt32
  private let end: UInt32

  /// Some of the entries of a list.
  init(_ list: [EntryID], _ range: Range<Int>) {
    self.list = list
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
  }

  /// No entries.
  public init() { self.init([], 0..<0) }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of entries.
  public var endIndex: Int { Int(end &- start) }

  /// An entry by its place in the run.
  public subscript(index: Int) -> EntryID {
    precondition(index >= 0 && index < endIndex)
    return list[Int(start) + index]
  }

  /// The same entries in the same order, from whatever lists.
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

/// Sorts entries into runs: first all are counted, then all are placed.
struct EntryRuns: Sendable {
  /// By run, where its next entry goes: its end, when all are placed.
  private var next: [UInt32]
  private var list: [EntryID] = []

  /// As many runs, each empty.
  init(count: Int) { next = [UInt32](repeating: 0, count: count + 1) }

  /// The number of runs.
  var count: Int { next.count - 1 }

  /// Counts an entry of a run.
  mutating func count(_ run: Int) { next[run + 1] += 1 }

  /// Makes room for all that were counted.
  mutating func allocate() {
    for run in next.indices.dropFirst() { next[run] += next[run - 1] }
    list = [EntryID](repeating: .none, count: Int(next.last ?? 0))
  }

  /// Places an entry behind those of its run that came before.
  mutating func place(_ entry: EntryID, in run: Int) {
    list[Int(next[run])] = entry
    next[run] += 1
  }

  /// Sorts each run, when all are placed.
  mutating func sort(by precedes: (EntryID, EntryID) -> Bool) {
    for run in 0..<count { list[range(of: run)].sort(by: precedes) }
  }

  /// A run, when all are placed.
  func run(_ number: Int) -> EntryRun { EntryRun(list, range(of: number)) }

  private func range(of run: Int) -> Range<Int> {
    (run > 0 ? Int(next[run - 1]) : 0)..<Int(next[run])
  }
}
