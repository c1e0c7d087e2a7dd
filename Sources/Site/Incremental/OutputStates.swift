import Archive

/// What stands in the output of each page, set by several workers at once, each for pages of its own.
///
/// Safe to send for that alone: no page is set twice at once, and nobody reads before all are set.
final class OutputStates: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutablePointer<OutputState>

  /// Knows nothing of so many pages.
  init(count: Int) {
    self.count = count
    base = .allocate(capacity: max(count, 1))
    base.initialize(repeating: .unknown, count: count)
  }

  deinit { base.deallocate() }

  subscript(index: Int) -> OutputState {
    get {
      precondition(index >= 0 && index < count)
      return base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      base[index] = newValue
    }
  }
}

/// What rendering found out, or the last build knew, of the pages of a plan.
struct PageResults: Sendable {
  /// By position in `Plan.pages`; unknown for those of other shards.
  let states: OutputStates
  /// By position, of the pages that asked for something or in which something is wrong.
  var remarks: [Int: PageRemarks] = [:]
}

/// What is known of a page beside what stands in its file.
struct PageRemarks: Sendable {
  var trace: PageTrace?
  var diagnostics: [Diagnostic]

  /// Whether there is nothing to be said.
  var isEmpty: Bool { trace == nil && diagnostics.isEmpty }
}
