import Archive
import Bytes
import Synchronization

/// Renders and writes pages with a few workers, which take batches from one atomic counter.
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
    let next = Atomic(0)
    let done = Atomic(0)
  }

  private static let largestBatch = 16

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
    let batch = max(1, min(Self.largestBatch, pages.count / (jobs * 4)))
    return try await withThrowingTaskGroup(of: [Rendered].self) { group in
      for _ in 0..<min(jobs, pages.count) {
        group.addTask { try work(order, counter, batch, progress: progress) }
      }
      var all: [Rendered] = []
      all.reserveCapacity(pages.count)
      for try await some in group { all += some }
      return all.sorted { $0.page < $1.page }
    }
  }

  private func work(
    _ order: [Int],
    _ counter: Counter,
    _ batch: Int,
    progress: @Sendable (BuildProgress) -> Void
  ) throws -> [Rendered] {
    let plan = context.plan
    var renderer = PageRenderer(RenderContext(copying: context))
    var buffer = ByteBuffer(capacity: 256 << 10)
    var share: [Rendered] = []
    while !Task.isCancelled {
      let start = counter.next.wrappingAdd(batch, ordering: .relaxed).oldValue
      if start >= pages.count { break }
      let end = min(start + batch, pages.count)
      for index in order[start..<end] {
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
      let done = counter.done.wrappingAdd(end - start, ordering: .relaxed).newValue
      progress(BuildProgress(stage: "render", done: done, total: pages.count))
    }
    return share
  }
}
