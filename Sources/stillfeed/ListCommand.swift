import Archive
import Bytes
import JSON
import Site

/// `stillfeed list`: entries with their references, as `edit` and `delete` take them.
struct ListCommand {
  static let syntax = Command(
    name: "list",
    operands: "[WHERE]",
    count: 0...1,
    summary: "List entries with their references",
    discussion: """
      WHERE is the beginning of a reference: 'posts/rain', 'channels/trail'. References are
      posts/SLUG, posts/SLUG#c-ID and channels/CHANNEL#m-ID.
      """,
    options: [
      Option(
        name: "sort",
        value: "ORDER",
        choices: ["newest", "oldest"],
        help: "by the time of the last change (default: newest)"
      ),
      Option(name: "author", value: "WHO", help: "only entries of this person (id or name)"),
      Option(name: "limit", short: "n", value: "N", help: "at most N entries (default: all)"),
      Option(
        name: "audience",
        value: "WHO",
        choices: Audience.allCases.map(\.word),
        help: "who may see the entries (default: private, that is all)"
      ),
      Option(name: "drafts", help: "list drafts too"),
    ]
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() async throws -> Int32 {
    var options = try BuildOptions(arguments)
    if options.audience == nil { options.audience = .private }
    let limit = try arguments.number("limit", in: 0...Int.max) ?? .max
    let archive: Archive
    let isWhole: Bool
    do {
      let (read, diagnostics) = try await ArchiveSource(options).read(jobs: Processors.count)
      archive = read
      isWhole = !diagnostics.contains(where: \.isUnread)
      console.print(diagnostics)
    } catch BuildFailure.refused(let diagnostics) {
      console.print(diagnostics)
      return 1
    }
    let listing = try EntryListing(
      archive,
      root: options.root,
      place: arguments.operands.first ?? "",
      author: arguments.value("author"),
      newestFirst: arguments.value("sort") != "oldest"
    )
    let entries = listing.entries.prefix(limit)
    try arguments.has("json")
      ? listing.printJSON(entries) : listing.printLines(entries)
    return isWhole ? 0 : 1
  }
}
