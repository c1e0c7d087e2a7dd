import Archive
import Bytes
import Mustache

/// Makes a site from an archive: read, plan, render and write, copy, sweep.
public struct Build: Sendable {
  /// How often content that changes while it is read is read again.
  private static let attempts = 20
  /// Entries and pages from which on memory is given back between the stages.
  private static let largeSite = 1_000_000

  private let options: BuildOptions

  /// Prepares a build.
  public init(_ options: BuildOptions) { self.options = options }

  /// Runs the build.
  ///
  /// - Parameter progress: Called now and then from any worker.
  /// - Returns: What was done, with the diagnostics of all stages in a fixed order.
  /// - Throws: What keeps the site from being written. A mistake in one record never does.
  public func run(
    progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
  ) async throws -> BuildReport {
    var attempts = 0
    while true {
      do {
        return try await attempt(progress: progress)
      } catch DetailsError.changed where attempts < Self.attempts {
        attempts += 1
      }
    }
  }

  private func attempt(
    progress: @escaping @Sendable (BuildProgress) -> Void
  ) async throws -> BuildReport {
    Heap.widen()
    var clock = StageClock()
    var (inputs, theme) = await clock.time("look") {
      let configuration = Configuration.read(root: options.root).0
      return (await InputState(options, configuration, jobs: jobs), configuration.theme)
    }
    if var report = clock.time("compare", { UnchangedBuild.report(options, inputs) }) {
      report.stages = clock.stages
      return report
    }
    var report = BuildReport()
    // Machines that share a build share the state folder, too, but each sees other files there.
    let content = FileSystem.statusFollowingLinks(options.root + "/Content")
    let misplaced = OutputPlace.problem(options.output, root: options.root, theme: theme)
    let keeps = options.shard == nil && content?.kind == .directory && misplaced == nil
    if keeps { try? StateFolder(root: options.root).create() }
    let archive = try await clock.time("read") {
      try await read(into: &report, keeps: keeps, listings: inputs.takeListings())
    }
    // What can't be read just now must not vanish from a site that shows it.
    let unread = report.diagnostics.filter(\.isUnread)
    if !unread.isEmpty { throw BuildFailure.refused(unread) }
    let (context, output) = try clock.time("plan") { () throws in
      let context = try plan(archive, into: &report)
      try refuseOutput(over: archive, report)
      let output = try OutputWriter(
        options.output,
        state: StateFolder(root: options.root, shard: options.shard),
        planned: context.planned(for: options.shard),
        shard: options.shard
      )
      return (context, output)
    }
    do {
      let isLarge = archive.entries.count + context.plan.pages.count > Self.largeSite
      if isLarge { Heap.giveBack() }
      let keys = await clock.time("keys") {
        await PageKeys(context, program: InputState.program, jobs: jobs).all(jobs: jobs)
      }
      let reuse = await clock.time("reuse") {
        await Reuse(context, keys: keys, output: output, shard: options.shard, jobs: jobs)
      }
      if isLarge { Heap.giveBack() }
      let results = try await clock.time("render") {
        var results = reuse.results
        try await render(context, output, reuse.rendered, &results, progress: progress)
        return results
      }
      var manifest = ManifestBuilder(context)
      manifest.add(context.plan.pages, keys, results)
      report.diagnostics += manifest.pageDiagnostics
      report.pages = manifest.manifest.files.count
      report.rendered = reuse.rendered.count
      report.reused = report.pages - report.rendered
      try clock.time("copy") {
        let copies = FileCopies(
          context: context,
          output: output,
          shard: options.shard,
          started: inputs.started
        )
        try copies.write(used: manifest.used, into: &manifest)
      }
      try clock.time("finish") {
        let manifest = manifest.finish(report, inputs: inputs.key)
        report.largestPage = (manifest.summary.largestPath, manifest.summary.largestBytes)
        try output.finish(manifest, into: &report)
      }
      Heap.abandon((context, manifest, keys, results))
    } catch {
      output.discard()
      throw error
    }
    report.stages = clock.stages
    return report
  }

  private func render(
    _ context: RenderContext,
    _ output: OutputWriter?,
    _ pages: [UInt32],
    _ results: inout PageResults,
    progress: @escaping @Sendable (BuildProgress) -> Void
  ) async throws {
    let pool = RenderPool(context: context, output: output, pages: pages)
    try await pool.run(jobs: jobs, into: &results, progress: progress)
  }

  private var jobs: Int { max(1, options.jobs ?? Processors.count) }

  func read(
    into report: inout BuildReport,
    keeps: Bool = false,
    listings: FolderListings = [:]
  ) async throws -> Archive {
    let source = ArchiveSource(options)
    let (archive, diagnostics) = try await source.read(
      jobs: jobs,
      keeps: keeps,
      listings: listings
    )
    report.diagnostics += diagnostics
    report.entries = archive.entries.count
    return archive
  }

  private func refuseOutput(over archive: Archive, _ report: BuildReport) throws {
    let theme = archive.configuration.theme
    if let problem = OutputPlace.problem(options.output, root: options.root, theme: theme) {
      throw BuildFailure.refused(report.diagnostics + [problem])
    }
  }

  func plan(_ archive: Archive, into report: inout BuildReport) throws -> RenderContext {
    var diagnostics: [Diagnostic] = []
    let theme = try Theme(
      root: options.root,
      configuration: archive.configuration,
      documented: options.isStrict ? Key.documented : nil,
      keys: Key.table(),
      diagnostics: &diagnostics
    )
    let plan = Plan(of: archive, diagnostics: &diagnostics)
    report.diagnostics += diagnostics
    if diagnostics.contains(where: { $0.severity == .error }) {
      throw BuildFailure.refused(report.diagnostics)
    }
    return RenderContext(root: options.root, plan: plan, theme: theme)
  }
}

extension Build {
  /// Renders everything and writes nothing.
  ///
  /// - Parameter host: Where the site will stand, to warn ahead of what it takes.
  /// - Returns: What is wrong with the archive and its theme, then with the place.
  /// - Throws: What keeps a build from rendering.
  public func check(host: Host? = nil) async throws -> [Diagnostic] {
    var report = BuildReport()
    let archive = try await read(into: &report)
    let context = try plan(archive, into: &report)
    let pages = context.plan.pages.indices
    var results = PageResults(states: OutputStates(count: pages.count))
    try await render(context, nil, pages.map { UInt32(truncatingIfNeeded: $0) }, &results) { _ in }
    // A body may stand on several pages: it is named once, where it comes first.
    var seen: Set<Diagnostic> = []
    let found = pages.flatMap { results.remarks[$0]?.diagnostics ?? [] }
      .filter { seen.insert($0).inserted }
    let problems = host?.problems(
      with: size(of: results, context),
      links: context.configuration.links
    )
    return report.diagnostics + found + (problems ?? [])
  }

  /// How large the site would be.
  private func size(of results: PageResults, _ context: RenderContext) -> SiteSize {
    var site = SiteSize()
    var media: Set<Int> = []
    for index in context.plan.pages.indices {
      site.add(context.plan.pages.path(at: index), bytes: results.states[index].size)
      media.formUnion(results.remarks[index]?.trace?.media ?? [])
    }
    for asset in context.theme.assets { site.add(asset.path, bytes: asset.bytes.count) }
    for path in context.plan.staticFiles {
      let status = FileSystem.status("\(context.root)/Content/static/\(path)")
      site.add(path, bytes: status?.size ?? 0)
    }
    for file in media.sorted().map({ context.archive.media.files[$0] }) {
      site.add(file.output, bytes: Int(clamping: file.size))
    }
    return site
  }

  /// What the template of a page sees, as JSON: the page's own object and the site's.
  ///
  /// - Parameter route: The page's address below the site's root: `/posts/rain/`.
  /// - Returns: An object with `page` and `site`.
  /// - Throws: `BuildFailure` if there is no such page.
  public func data(ofRoute route: String) async throws -> String {
    var report = BuildReport()
    let archive = try await read(into: &report)
    let context = try plan(archive, into: &report)
    let wanted = route.split(separator: "/").joined(separator: "/")
    let paths = [wanted, wanted + "/index.html", wanted.isEmpty ? "index.html" : wanted]
    guard let page = context.plan.pages.first(where: { paths.contains($0.path) }) else {
      let near = NameSuggestion.nearest(to: wanted, among: context.plan.pages.map(\.route))
      throw BuildFailure.refused([
        Diagnostic(
          .error,
          headline: "There is no page '\(route)'",
          suggestion: near.map { "did you mean '\($0)'?" } ?? ""
        )
      ])
    }
    var renderer = PageRenderer(context)
    try renderer.fill(page)
    var output = ByteBuffer()
    output.append("{\"page\":")
    renderer.data.writeJSON(keys: context.theme.keys, into: &output)
    output.append(",\"site\":")
    context.shared.writeJSON(keys: context.theme.keys, into: &output)
    output.append("}")
    return output.string
  }
}

/// Why nothing was built.
public enum BuildFailure: Error {
  /// What has to be mended first, with all that was found until then.
  case refused([Diagnostic])
}
