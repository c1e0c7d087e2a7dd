import Archive
import Bytes
import JSON
import Site

/// `stillfeed build`: an archive in, a site out.
struct BuildCommand {
  static let syntax = Command(
    name: "build",
    summary: "Make the site",
    discussion: """
      Writes the site of the archive into the output folder. Files whose bytes did not change are
      not touched; what an earlier build wrote and this one doesn't is removed.
      """,
    options: options + [
      Option(
        name: "dump-data",
        value: "ROUTE",
        help: "print what the page's template sees, as JSON"
      ),
      Option(
        name: "shard",
        value: "I/N",
        help: "write only the Ith of N shares of the files, for builds by several machines"
      ),
    ]
  )

  /// Shared with `check`.
  static let options = [
    Option(name: "output", short: "o", value: "DIR", help: "the output folder (default: Site)"),
    Option(name: "base-url", short: "u", value: "URL", help: "where the site will stand"),
    Option(
      name: "audience",
      value: "WHO",
      choices: Audience.allCases.map(\.word),
      help: "who may see the site"
    ),
    Option(name: "drafts", help: "show drafts too"),
    Option(name: "jobs", short: "j", value: "N", help: "workers (default: one a processor)"),
    Option(name: "strict", help: "fail on any warning"),
    Option(
      name: "links",
      value: "FORM",
      choices: ["pretty", "explicit"],
      help: "folder addresses, or written out to index.html (opens from a disk)"
    ),
  ]

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() async throws -> Int32 {
    Heap.keepMemory()
    var options = try BuildOptions(arguments)
    if let text = arguments.value("shard") {
      guard let shard = Shard(text) else {
        throw UsageError(message: "'--shard' must be like 2/4, not '\(text)'")
      }
      options.shard = shard
    }
    if let route = arguments.value("dump-data") {
      try console.print(await Build(options).data(ofRoute: route))
      return 0
    }
    let report: BuildReport
    do {
      let console = console
      let started = ContinuousClock.now
      report = try await Build(options).run { progress in
        if console.showsProgress { console.progress(progress.line(since: started)) }
      }
      console.endProgress()
    } catch BuildFailure.refused(let diagnostics) {
      console.endProgress()
      console.print(diagnostics)
      console.fail("The site was not built")
      return 1
    }
    console.print(report.diagnostics)
    try summarize(report, output: options.output)
    let hasWarnings = report.diagnostics.contains { $0.severity >= .warning }
    if arguments.has("strict"), hasWarnings {
      console.fail("There were warnings, and '--strict' was given")
      return 1
    }
    return 0
  }

  private func summarize(_ report: BuildReport, output: String) throws {
    if arguments.has("json") {
      try console.print(report.json)
      return
    }
    let seconds = report.stages.reduce(0) { $0 + $1.seconds }
    if arguments.has("verbose") {
      for stage in report.stages { console.say("  \(stage.name): \(Duration.text(stage.seconds))") }
      console.say("  pages: \(report.rendered) rendered, \(report.reused) taken over")
      console.say("  largest page: \(report.largestPage.path), \(report.largestPage.bytes) bytes")
    }
    let stages = report.stages.filter { $0.seconds >= 0.0005 }
      .map { "\($0.name) \(Duration.text($0.seconds))" }
    console.say(
      "\(report.entries) entries, \(report.pages) pages, \(report.files) files, "
        + "\(ByteCount.text(report.bytes)) in \(output), largest page "
        + "\(ByteCount.text(report.largestPage.bytes)): \(report.written) written, "
        + "\(report.removed) removed, \(Duration.text(seconds)) (\(stages.joined(separator: ", ")))"
    )
  }
}

/// Sizes for people.
enum ByteCount {
  /// `874 bytes`, `12.3 kB`, `202.0 MB`; a kB is 1,000 bytes.
  static func text(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    var unit = 1000
    var names = ["kB", "MB", "GB", "TB"][...]
    while bytes / unit >= 1000, names.count > 1 {
      unit *= 1000
      names.removeFirst()
    }
    let tenths = bytes / (unit / 10)
    return "\(tenths / 10).\(tenths % 10) \(names.first ?? "")"
  }
}

/// Durations for people.
enum Duration {
  /// `0.123 s`.
  static func text(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
  }
}

extension BuildProgress {
  fileprivate func line(since start: ContinuousClock.Instant) -> String {
    let percent = total > 0 ? done * 100 / total : 100
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let elapsed = Double(seconds) + Double(attoseconds) / 1e18
    let rate = elapsed > 0 ? Double(done) / elapsed : 0
    let left = rate > 0 ? Double(total - done) / rate : 0
    return
      "\(stage) \(done)/\(total) (\(percent) %), \(Int(rate))/s, \(Int(left.rounded(.up))) s left"
  }
}

extension BuildOptions {
  /// What a command line asks for.
  init(_ arguments: Arguments) throws {
    let root = arguments.value("root") ?? "."
    guard try FileSystem.directoryExists(root) else {
      throw UsageError(message: "There is no folder '\(root)'")
    }
    self.init(root: root, output: arguments.value("output") ?? root + "/Site")
    baseURL = arguments.value("base-url")
    if let url = baseURL, !url.isEmpty, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
      throw UsageError(
        message: "'--base-url' must be an address like https://example.org/, not '\(url)'"
      )
    }
    audience = Audience.allCases.first { $0.word == arguments.value("audience") }
    links = arguments.value("links").flatMap(Configuration.Links.init)
    includesDrafts = arguments.has("drafts")
    jobs = try arguments.number("jobs", in: 1...1024)
    isStrict = arguments.has("strict")
  }
}

extension BuildReport {
  /// The report as one JSON object.
  fileprivate var json: String {
    var output = ByteBuffer()
    output.append("{\"entries\":")
    output.append(decimal: entries)
    for (key, value) in [
      ("pages", pages), ("rendered", rendered), ("reused", reused), ("files", files),
      ("bytes", bytes), ("written", written), ("removed", removed),
    ] {
      output.append(text: ",\"\(key)\":\(value)")
    }
    output.append(",\"stages\":{")
    for (index, stage) in stages.enumerated() {
      output.append(text: "\(index > 0 ? "," : "")\"\(stage.name)\":\(stage.seconds)")
    }
    output.append("},\"diagnostics\":")
    output.append(json: diagnostics)
    output.append("}")
    return output.string
  }
}

extension ByteBuffer {
  /// Appends diagnostics as a JSON array.
  mutating func append(json diagnostics: [Diagnostic]) {
    append("[")
    for (index, diagnostic) in diagnostics.enumerated() {
      append(index == 0 ? "{\"severity\":\"" : ",{\"severity\":\"")
      append(text: "\(diagnostic.severity)")
      append("\",\"path\":")
      appendJSON(string: diagnostic.path)
      append(text: ",\"line\":\(diagnostic.line),\"column\":\(diagnostic.column),\"headline\":")
      appendJSON(string: diagnostic.headline)
      append(",\"explanation\":")
      appendJSON(string: diagnostic.explanation)
      append(",\"suggestion\":")
      appendJSON(string: diagnostic.suggestion)
      append("}")
    }
    append("]")
  }
}

extension [Diagnostic] {
  /// The diagnostics as a JSON array.
  var json: String {
    var output = ByteBuffer()
    output.append(json: self)
    return output.string
  }
}
