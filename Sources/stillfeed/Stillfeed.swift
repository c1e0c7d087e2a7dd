import Archive
import Bytes
import Glibc
import Site

/// The command: finds the subcommand and turns what it throws into words and an exit status.
@main
struct Stillfeed {
  static let version = "0.1.0"

  /// All subcommands, as the help lists them.
  static let commands: [Command] = [
    InitCommand.syntax, BuildCommand.syntax, ServeCommand.syntax, CheckCommand.syntax,
    ListCommand.syntax, AddCommand.syntax, EditCommand.syntax, DeleteCommand.syntax,
    ThemeCommand.syntax, CompletionCommand.syntax,
  ]

  static func main() async {
    StandardStream.prepare()
    if let problem = Surroundings.problem {
      Console(nil).fail(problem.headline, suggestion: problem.suggestion)
      exit(1)
    }
    exit(await run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ words: [String]) async -> Int32 {
    let arguments: Arguments
    do {
      // 'help build' is 'build --help', as in git.
      let isHelp = words.first == "help"
      arguments = try Arguments(isHelp ? words.dropFirst() + ["--help"] : words, commands: commands)
    } catch {
      Console(nil).fail(error.message, suggestion: error.suggestion)
      return 2
    }
    let console = Console(arguments)
    do {
      return try await run(arguments, console)
    } catch let error as UsageError {
      console.fail(error.message, suggestion: error.suggestion)
      return 2
    } catch let error as WritingError {
      console.fail(error.headline, suggestion: error.suggestion)
      return error.isUsage ? 2 : 1
    } catch let error as FileError {
      console.endProgress()
      // The reader of our output has gone: `stillfeed list | head`.
      if error.isBrokenPipe { return 0 }
      console.fail(error.description)
    } catch BuildFailure.refused(let diagnostics) {
      console.endProgress()
      console.print(diagnostics)
    } catch {
      console.endProgress()
      console.fail("\(error)")
    }
    return 1
  }

  private static func run(_ arguments: Arguments, _ console: Console) async throws -> Int32 {
    if arguments.has("version") {
      try console.print("stillfeed \(version)")
      return 0
    }
    guard let command = arguments.command else {
      if arguments.has("help") {
        try console.print(Help.overview(commands))
        return 0
      }
      console.note(Help.overview(commands))
      return 2
    }
    if arguments.has("help") {
      try console.print(Help.text(of: command))
      return 0
    }
    switch command.name {
    case InitCommand.syntax.name: return try InitCommand(arguments, console).run()
    case BuildCommand.syntax.name: return try await BuildCommand(arguments, console).run()
    case ServeCommand.syntax.name: return try await ServeCommand(arguments, console).run()
    case CheckCommand.syntax.name: return try await CheckCommand(arguments, console).run()
    case AddCommand.syntax.name: return try await AddCommand(arguments, console).run()
    case EditCommand.syntax.name: return try await EditCommand(arguments, console).run()
    case DeleteCommand.syntax.name: return try await DeleteCommand(arguments, console).run()
    case ListCommand.syntax.name: return try await ListCommand(arguments, console).run()
    case ThemeCommand.syntax.name: return try ThemeCommand(arguments, console).run()
    case CompletionCommand.syntax.name: return try CompletionCommand(arguments, console).run()
    default: return 2
    }
  }
}
