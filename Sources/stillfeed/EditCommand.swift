import Archive
import Bytes

/// `stillfeed edit`: changes one entry in its file.
struct EditCommand {
  static let syntax = Command(
    name: "edit",
    operands: "REF",
    count: 1...1,
    summary: "Change an entry",
    discussion: """
      REF is a reference as 'stillfeed list' prints it: posts/SLUG, posts/SLUG#c-ID or
      channels/CHANNEL#m-ID. Only what is changed is written; a new body sets the time of the last
      change, which moves a message to the top of its board. Without options $VISUAL or $EDITOR is
      opened on the body. '--body -' reads it from standard input.
      """,
    options: [
      Option(name: "body", value: "TEXT", help: "the new text"),
      Option(name: "title", value: "TEXT", help: "the new title"),
      Option(
        name: "audience",
        value: "WHO",
        choices: Audience.allCases.map(\.word),
        help: "who may see it"
      ),
      Option(name: "like", help: "like it; twice is once"),
      Option(name: "unlike", help: "take the like back"),
      Option(name: "pin", help: "pin it"),
      Option(name: "unpin", help: "don't pin it any longer"),
      Option(name: "tag", value: "TAG", isRepeated: true, help: "add a tag; may be repeated"),
      Option(name: "untag", value: "TAG", isRepeated: true, help: "remove a tag"),
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
    var changes = try changes()
    if changes.isEmpty {
      // The text as it is now; should somebody else change it meanwhile, nothing is written.
      let old = try await writer.body(of: reference)
      let text = try TextInput.read(nil, beginningWith: old, console)
      guard !text.isEmpty else {
        throw UsageError(
          message: "There is nothing to change: the text is empty",
          suggestion: "'--body \"\"' takes the text away, 'delete' the entry"
        )
      }
      changes.body = text
      changes.expectedBody = TextInput.isTerminal ? old : nil
    }
    try WriteOptions.show(try await writer.edit(reference, changes), arguments, console)
    return 0
  }

  private func changes() throws -> EntryChanges {
    for (one, other) in [("like", "unlike"), ("pin", "unpin")]
    where arguments.has(one) && arguments.has(other) {
      throw UsageError(message: "'--\(one)' and '--\(other)' can't be given together")
    }
    var changes = EntryChanges()
    if let body = arguments.value("body") {
      changes.body = body == "-" ? try TextInput.read("-", beginningWith: "", console) : body
    }
    changes.title = arguments.value("title")
    changes.audience = WriteOptions.audience(arguments)
    if arguments.has("like") { changes.liked = true }
    if arguments.has("unlike") { changes.liked = false }
    if arguments.has("pin") { changes.pinned = true }
    if arguments.has("unpin") { changes.pinned = false }
    changes.addedTags = arguments.values("tag")
    changes.removedTags = arguments.values("untag")
    return changes
  }
}
