import Archive
import Bytes
import Synchronization

/// Renders and writes pages with a few workers, which take batches from one atomic counter; smaller
/// ones towards the end, so that none goes on alone for long.
///
/// The result does not depend on how many there are: each page is a function of the plan, and what
/// the workers report is merged in the order of the pages.
struct RenderPool: Sendable {
  /// What one worker found out of the pages that have something to say, by position.
  private typealias Share = [(Int, PageRemarks)]

  private final class Counter: Sendable {
    private static let largestBatch = 16
    private let next = Atomic(0)
    let done = Atomic(0)

    /// The next batch of so many pages for one of `jobs` workers; empty when all are taken.
    func take(of count: Int, jobs: Int) -> Range<Int> {
      let left = count - next.load(ordering: .relaxed)
      let size = max(1, min(Self.largestBatch, left / (jobs * 4)))
      let start = min(next.wrappingAdd(size, ordering: .relaxed).oldValue, count)
      return start..<min(start + size, count)
    }
  }

  let context: RenderContext
  /// Nil renders only, as `check` does.
  let output: OutputWriter?
  /// Positions in `Plan.pages`, ascending.
  let pages: [UInt32]

  /// Renders the pages and adds to `results` what they are.
  func run(
    jobs: Int,
    into results: inout PageResults,
    progress: @escaping @Sendable (BuildProgress) -> Void
  ) async throws {
    let states = results.states
    let counter = Counter()
    let order = RenderOrder(context.plan).sorted(pages)
    let shares = try await withThrowingTaskGroup(of: Share.self) { group in
      for _ in 0..<min(jobs, pages.count) {
        group.addTask { try work(order, counter, jobs, states, progress: progress) }
      }
      return try await group.reduce(into: [Share]()) { $0.append($1) }
    }
    for (page, remarks) in shares.joined() { results.remarks[page] = remarks }
  }

  private func work(
    _ order: [UInt32],
    _ counter: Counter,
    _ jobs: Int,
    _ states: OutputStates,
    progress: @Sendable (BuildProgress) -> Void
  ) throws -> Share {
    Heap.widen()
    let plan = context.plan
    var renderer = PageRenderer(RenderContext(copying: context))
    var buffer = ByteBuffer(capacity: 256 << 10)
    var share: Share = []
    while !Task.isCancelled {
      let batch = counter.take(of: pages.count, jobs: jobs)
      if batch.isEmpty { break }
      for index in order[batch].lazy.map({ Int($0) }) {
        buffer.removeAll()
        let page = plan.pages[index]
        try renderer.render(page, into: &buffer)
        states[index] =
          try output?.write(buffer.bytes, to: page.path)
          ?? OutputState(content: 0, size: buffer.count, nil)
        let remarks = PageRemarks(
          trace: renderer.used.takeTrace(),
          diagnostics: renderer.diagnostics
        )
        if !remarks.isEmpty { share.append((index, remarks)) }
        renderer.diagnostics.removeAll()
      }
      let done = counter.done.wrappingAdd(batch.count, ordering: .relaxed).newValue
      progress(BuildProgress(stage: "render", done: done, total: pages.count))
    }
    return share
  }
}
