import Archive
import Bytes
import Synchronization

/// Renders and writes all pages with a few workers, which take batches from one atomic counter.
///
/// The result does not depend on how many there are: each page is a function of the plan, and what
/// the workers report is merged in the order of the pages.
struct RenderPool: Sendable {
  /// What rendering found out.
  struct Result: Sendable {
    var used: [Bool]
    var diagnostics: [Diagnostic] = []
    var largestPage = (path: "", bytes: 0)
  }

  private struct Share: Sendable {
    var used: [Bool]
    var diagnostics: [(page: Int, diagnostic: Diagnostic)] = []
    var largestPage = (page: 0, bytes: 0)
  }

  private final class Counter: Sendable {
    let next = Atomic(0)
    let done = Atomic(0)
  }

  private static let batch = 16

  let context: RenderContext
  /// Nil renders only, as `check` does.
  let output: OutputWriter?

  func run(
    jobs: Int,
    progress: @escaping @Sendable (BuildProgress) -> Void
  ) async throws -> Result {
    let counter = Counter()
    let shares = try await withThrowingTaskGroup(of: Share.self) { group in
      for _ in 0..<jobs { group.addTask { try work(counter, progress: progress) } }
      var shares: [Share] = []
      for try await share in group { shares.append(share) }
      return shares
    }
    return merged(shares)
  }

  private func work(
    _ counter: Counter,
    progress: @Sendable (BuildProgress) -> Void
  ) throws -> Share {
    let pages = context.plan.pages
    var renderer = PageRenderer(RenderContext(copying: context))
    var buffer = ByteBuffer(capacity: 256 << 10)
    var share = Share(used: [])
    while !Task.isCancelled {
      let start = counter.next.wrappingAdd(Self.batch, ordering: .relaxed).oldValue
      if start >= pages.count { break }
      let end = min(start + Self.batch, pages.count)
      for index in start..<end {
        buffer.removeAll()
        try renderer.render(pages[index], into: &buffer)
        try output?.write(buffer.bytes, to: pages[index].path)
        if buffer.count > share.largestPage.bytes { share.largestPage = (index, buffer.count) }
        for diagnostic in renderer.diagnostics { share.diagnostics.append((index, diagnostic)) }
        renderer.diagnostics.removeAll()
      }
      let done = counter.done.wrappingAdd(end - start, ordering: .relaxed).newValue
      progress(BuildProgress(stage: "render", done: done, total: pages.count))
    }
    share.used = renderer.used.files
    return share
  }

  private func merged(_ shares: [Share]) -> Result {
    var result = Result(used: Array(repeating: false, count: context.archive.media.files.count))
    var diagnostics: [(page: Int, diagnostic: Diagnostic)] = []
    var largest = (page: 0, bytes: 0)
    for share in shares {
      for (index, isUsed) in share.used.enumerated() where isUsed { result.used[index] = true }
      diagnostics += share.diagnostics
      let isLarger =
        share.largestPage.bytes > largest.bytes
        || share.largestPage.bytes == largest.bytes && share.largestPage.page < largest.page
      if isLarger { largest = share.largestPage }
    }
    if context.plan.pages.indices.contains(largest.page) {
      result.largestPage = (context.plan.pages[largest.page].path, largest.bytes)
    }
    // A body may stand on several pages: it is named once, where it comes first.
    diagnostics.sort { $0.page < $1.page }
    var seen: Set<Diagnostic> = []
    result.diagnostics = diagnostics.map(\.diagnostic).filter { seen.insert($0).inserted }
    return result
  }
}
