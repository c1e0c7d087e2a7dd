import Archive
import Bytes
import Preview
import Site

/// `stillfeed serve`: shows the site in a browser, and follows changes.
struct ServeCommand {
  static let syntax = Command(
    name: "serve",
    summary: "Show the site in a browser, and follow changes",
    discussion: """
      Builds the site, serves it to this machine and prints its address. Builds again whenever content,
      templates or the configuration change, and has open pages follow: a style sheet is swapped in, a
      chat at its end shows the new message, what keeps the site from being built shows over the page.
      Ctrl-C ends it, with status 0.
      """,
    options: [
      Option(
        name: "output",
        short: "o",
        value: "DIR",
        help: "the output folder (default: one in .stillfeed)"
      ),
      Option(name: "port", value: "N", help: "the port (default: 8000 or the next free one)"),
      Option(
        name: "host",
        value: "HOST",
        help: "the address to listen at (default: 127.0.0.1, this machine only)"
      ),
      Option(name: "open", help: "open the site in the browser"),
      Option(name: "no-reload", help: "leave open pages as they are"),
      Option(name: "poll", help: "look for changes instead of being told: for network mounts"),
    ] + BuildCommand.options.filter { $0.name != "output" }
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() async throws -> Int32 {
    var options = try BuildOptions(arguments)
    let folder = options.root + "/.stillfeed/preview"
    if arguments.value("output") == nil { options.output = folder + "/site" }
    var configuration = PreviewConfiguration(site: options.output, cache: folder + "/pages")
    configuration.host = arguments.value("host") ?? configuration.host
    configuration.port = try arguments.number("port", in: 0...65535).map(UInt16.init)
    configuration.reloadsPages = !arguments.has("no-reload")
    configuration.basePath = options.basePath ?? "/"
    let server = try PreviewServer(configuration)
    if !server.isLoopback {
      console.note("Other machines can see the site at \(server.address)")
    }
    let watcher = Watcher(plan(options))
    if watcher.polls, !arguments.has("poll") {
      console.note("There are too many folders to be told of changes: they are looked at instead")
    }
    let site = SiteBuilder(options, arguments, console)
    let (console, opens) = (console, arguments.has("open"))
    let tellsFiles = arguments.has("verbose")
    try await Preview(server: server, watcher: watcher).run { changes in
      await site.build(after: changes)
    } tell: { event in
      switch event {
      case .serving(let address):
        try? console.print(address)
        console.say("Content, templates and settings are watched; Ctrl-C ends")
        if opens, !Browser.open(address) { console.note("No browser could be started") }
      case .published(let files):
        if tellsFiles { console.say("  changed addresses: \(files.map { "\($0)" } ?? "many")") }
      case .unpublished(let reason): console.fail(reason)
      }
    }
    return 0
  }

  private func plan(_ options: BuildOptions) -> WatchPlan {
    var plan = WatchPlan(
      root: options.root,
      names: ["Content", "Templates", "stillfeed.yml"],
      output: options.output
    )
    // An archive may keep its templates elsewhere.
    let theme = Configuration.read(root: options.root).configuration.theme
    if let folder = theme.split(separator: "/").first { plan.names.insert(String(folder)) }
    plan.polls = arguments.has("poll")
    return plan
  }
}

/// Builds the site for a preview, and says what came of it.
private struct SiteBuilder: Sendable {
  /// Lines shown over a page.
  private static let problemLimit = 40

  private let options: BuildOptions
  private let console: Console
  /// Warnings are shown over the page too.
  private let isStrict: Bool

  init(_ options: BuildOptions, _ arguments: Arguments, _ console: Console) {
    self.options = options
    self.console = console
    isStrict = arguments.has("strict")
  }

  func build(after changes: Changes) async -> RebuildOutcome {
    let console = console
    let started = ContinuousClock.now
    do {
      let report = try await Build(options).run { progress in
        console.progress("\(progress.stage) \(progress.done)/\(progress.total)")
      }
      console.endProgress()
      console.print(report.diagnostics)
      let seconds = (ContinuousClock.now - started) / .seconds(1)
      console.say(
        "\(reason(changes)): \(report.pages) pages, \(report.written) files written, "
          + "\(report.removed) removed, \(Duration.text(seconds))"
      )
      return RebuildOutcome(
        isFinished: true,
        problems: lines(of: report.diagnostics, from: isStrict ? .warning : .error),
        basePath: options.basePath
      )
    } catch BuildFailure.refused(let diagnostics) {
      console.endProgress()
      console.print(diagnostics)
      console.fail("The site was not built")
      let lines = lines(of: diagnostics, from: .error)
      return RebuildOutcome(
        isFinished: false,
        problems: lines.isEmpty ? ["The site was not built"] : lines
      )
    } catch {
      console.endProgress()
      console.fail("\(error)")
      return RebuildOutcome(isFinished: false, problems: ["\(error)"])
    }
  }

  /// What a build was made for.
  private func reason(_ changes: Changes) -> String {
    let paths = changes.paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard let first = paths.first, !changes.isEverything else { return "Built" }
    return paths.count == 1 ? "\(first) changed" : "\(first) and \(paths.count - 1) more changed"
  }

  private func lines(of diagnostics: [Diagnostic], from severity: Diagnostic.Severity) -> [String] {
    var lines: [String] = []
    for diagnostic in diagnostics where diagnostic.severity >= severity {
      if lines.count >= Self.problemLimit {
        lines.append("…")
        break
      }
      let line = diagnostic.line > 0 ? ":\(diagnostic.line)" : ""
      let place = diagnostic.path.isEmpty ? "" : "\(diagnostic.path)\(line): "
      lines.append(place + diagnostic.headline)
      for more in [diagnostic.explanation, diagnostic.suggestion] where !more.isEmpty {
        lines.append("  " + more)
      }
    }
    return lines
  }
}

extension BuildOptions {
  /// The path of the address where the site will stand; nil if the configuration can't be read just now.
  fileprivate var basePath: String? {
    if let baseURL { return Self.path(ofAddress: baseURL) }
    let (configuration, diagnostics) = Configuration.read(root: root)
    if diagnostics.contains(where: { $0.severity == .error }) { return nil }
    return Self.path(ofAddress: configuration.baseURL)
  }

  /// What follows the host in an address: `/archive/`.
  private static func path(ofAddress address: String) -> String {
    let bytes = Array(address.utf8)
    let mark = Array("://".utf8)
    guard let scheme = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }),
      let slash = bytes[(scheme + mark.count)...].firstIndex(of: UInt8(ascii: "/"))
    else { return "/" }
    let ends = [UInt8(ascii: "?"), UInt8(ascii: "#")]
    return String(decoding: bytes[slash...].prefix { !ends.contains($0) }, as: UTF8.self)
  }
}
