import Archive
import Bytes
import Synchronization

/// Renders and writes pages with a few workers, which take batches from one atomic counter; smaller
/// ones towards the end, so that none goes on alone for long.
///
/// The result does not depend on how many there are: each page is a function of the plan, and what
/// the workers report is merged in the order of the pages.
struct RenderPool: Sendable {
  /// What rendering found out.
  struct Rendered: Sendable {
    /// The position in `Plan.pages`.
    let page: Int
    let state: OutputState
    let trace: PageTrace?
    let diagnostics: [Diagnostic]
  }

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
  let pages: [Int]

  /// Renders the pages; the result is in their order.
  func run(
    jobs: Int,
    progress: @escaping @Sendable (BuildProgress) -> Void
  ) async throws -> [Rendered] {
    let counter = Counter()
    let order = RenderOrder(context.plan).sorted(pages)
    return try await withThrowingTaskGroup(of: [Rendered].self) { group in
      for _ in 0..<min(jobs, pages.count) {
        group.addTask { try work(order, counter, jobs, progress: progress) }
      }
      var all = [Rendered?](repeating: nil, count: context.plan.pages.count)
      for try await some in group {
        for rendered in some { all[rendered.page] = rendered }
      }
      return all.compactMap { $0 }
    }
  }

  private func work(
    _ order: [Int],
    _ counter: Counter,
    _ jobs: Int,
    progress: @Sendable (BuildProgress) -> Void
  ) throws -> [Rendered] {
    Heap.widen()
    let plan = context.plan
    var renderer = PageRenderer(RenderContext(copying: context))
    var buffer = ByteBuffer(capacity: 256 << 10)
    var share: [Rendered] = []
    while !Task.isCancelled {
      let batch = counter.take(of: pages.count, jobs: jobs)
      if batch.isEmpty { break }
      for index in order[batch] {
        buffer.removeAll()
        try renderer.render(plan.pages[index], into: &buffer)
        share.append(
          Rendered(
            page: index,
            state: try output?.write(buffer.bytes, to: plan.pages[index].path)
              ?? OutputState(content: 0, size: buffer.count, nil),
            trace: renderer.used.takeTrace(),
            diagnostics: renderer.diagnostics
          )
        )
        renderer.diagnostics.removeAll()
      }
      let done = counter.done.wrappingAdd(batch.count, ordering: .relaxed).newValue
      progress(BuildProgress(stage: "render", done: done, total: pages.count))
    }
    return share
  }
}
