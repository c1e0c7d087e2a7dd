import Archive
import Site

/// `stillfeed check`: everything that is wrong, without writing.
struct CheckCommand {
  static let syntax = Command(
    name: "check",
    summary: "Name everything that is wrong, and write nothing",
    discussion: """
      Reads the archive and renders every page as 'build' would, and prints all diagnostics. The
      exit status is 1 if there is an error, with '--strict' also on a warning.
      """,
    options: BuildCommand.options.filter { $0.name != "output" } + [
      Option(
        name: "host",
        value: "NAME",
        choices: Host.all.map(\.name),
        help: "warn ahead of what a host takes: files, bytes, sizes"
      )
    ]
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() async throws -> Int32 {
    let host = Host.all.first { $0.name == arguments.value("host") }
    let diagnostics: [Diagnostic]
    do {
      diagnostics = try await Build(BuildOptions(arguments)).check(host: host)
    } catch BuildFailure.refused(let found) {
      diagnostics = found
    }
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count { $0.severity == .warning }
    if arguments.has("json") {
      try console.print(diagnostics.json)
    } else {
      console.print(diagnostics, limit: .max)
      console.say(
        errors + warnings == 0
          ? "Nothing is wrong"
          : "\(errors) error\(errors == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")"
      )
    }
    return errors > 0 || arguments.has("strict") && warnings > 0 ? 1 : 0
  }
}
