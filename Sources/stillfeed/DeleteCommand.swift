import Archive
import Bytes

/// `stillfeed delete`: takes one entry away.
struct DeleteCommand {
  static let syntax = Command(
    name: "delete",
    operands: "REF",
    count: 1...1,
    summary: "Delete an entry",
    discussion: """
      REF is a reference as 'stillfeed list' prints it. A post takes its comments along, and an
      entry the replies that stand inside it; other replies stay, at the top level. With
      '--tombstone' the entry loses what it said and keeps its place in the thread.
      """,
    options: [
      Option(name: "tombstone", help: "keep the entry's place in its thread"),
      Option(name: "yes", short: "y", help: "don't ask"),
      WriteOptions.dryRun,
    ]
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() async throws -> Int32 {
    let reference = arguments.operands[0]
    let writer = try WriteOptions.writer(arguments, console)
    if !arguments.has("yes"), !arguments.has("dry-run") {
      guard TextInput.isTerminal else {
        throw UsageError(
          message: "'delete' asks before it deletes, and there is no terminal to ask on",
          suggestion: "'--yes' deletes without asking"
        )
      }
      let what = try await writer.describe(reference)
      guard TextInput.confirm("Delete \(what)? [y/N] ", console) else {
        console.say("Nothing was deleted")
        return 1
      }
    }
    let report = try await writer.delete(reference, isTombstone: arguments.has("tombstone"))
    try WriteOptions.show(report, arguments, console)
    return 0
  }
}
