import Archive
import Bytes

/// `stillfeed add`: new messages, posts, comments, channels and people.
struct AddCommand {
  static let syntax = Command(
    name: "add",
    operands: "message|post|comment|channel|person [TEXT|ID]",
    count: 1...2,
    summary: "Add a message, post, comment, channel or person",
    discussion: """
      message --to CHANNEL --author WHO [TEXT]    a message at the end of a channel
      post --author WHO [--title T] [TEXT]        a post as a Markdown file
      comment --on posts/SLUG --author WHO [TEXT] a comment, with --reply-to a reply
      channel ID [--title T] [--view VIEW]        a folder with channel.yml
      person ID [--name N]                        a line in people.yml

      Without TEXT, or with '-', the text comes from standard input; on a terminal $VISUAL or
      $EDITOR is opened. The new entry is written the way its neighbours are, and its time is now.
      """,
    options: [
      Option(name: "to", value: "CHANNEL", help: "the channel of a message"),
      Option(name: "on", value: "POST", help: "the post of a comment: posts/SLUG"),
      Option(name: "author", value: "WHO", help: "a person's id, or any name"),
      Option(name: "reply-to", value: "REF", help: "the message or comment answered"),
      Option(name: "title", value: "TEXT", help: "the title"),
      Option(name: "slug", value: "SLUG", help: "of a post (default: made from the title)"),
      Option(name: "topic", value: "TOPIC", help: "of a message in a channel of topics"),
      Option(name: "tag", value: "TAG", isRepeated: true, help: "a tag; may be repeated"),
      Option(
        name: "audience",
        value: "WHO",
        choices: Audience.allCases.map(\.word),
        help: "who may see it (default: public)"
      ),
      Option(
        name: "attach",
        value: "FILE",
        isRepeated: true,
        help: "copy a file into Content/media and show it; may be repeated"
      ),
      Option(name: "draft", help: "add a post as a draft"),
      Option(
        name: "view",
        value: "VIEW",
        choices: ["chat", "board", "topics"],
        help: "how a channel is shown (default: chat)"
      ),
      Option(name: "description", value: "TEXT", help: "what a channel is for"),
      Option(name: "name", value: "NAME", help: "a person's name"),
      Option(name: "also", value: "NAME", isRepeated: true, help: "another name of a person"),
      Option(name: "avatar", value: "FILE", help: "a person's picture in Content/media"),
      Option(name: "url", value: "URL", help: "a person's address on the web"),
      WriteOptions.dryRun,
    ],
    words: ["message", "post", "comment", "channel", "person"]
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() async throws -> Int32 {
    let kind = arguments.operands[0]
    let writer = try WriteOptions.writer(arguments, console)
    let report: WriteReport
    switch kind {
    case "message":
      let channel = try needed("to", "the channel, as in '--to guestbook'")
      report = try await writer.addMessage(try entry(), to: channel)
    case "post": report = try await writer.addPost(try entry())
    case "comment":
      let post = try needed("on", "the post, as in '--on posts/rain'")
      report = try await writer.addComment(try entry(), on: post)
    case "channel": report = try await writer.addChannel(try channel())
    case "person": report = try await writer.addPerson(try person())
    default:
      let near = NameSuggestion.nearest(to: kind, among: Self.syntax.words)
      throw UsageError(
        message: "'add' can't add '\(kind)'",
        suggestion: near.map { "did you mean '\($0)'?" }
          ?? "it adds a \(Self.syntax.words.joined(separator: ", "))"
      )
    }
    try WriteOptions.show(report, arguments, console)
    return 0
  }

  private func needed(_ option: String, _ what: String) throws(UsageError) -> String {
    if let value = arguments.value(option), !value.isEmpty { return value }
    throw UsageError(message: "'add \(arguments.operands[0])' needs \(what)")
  }

  private func entry() throws -> NewEntry {
    let author = try needed("author", "the author, as in '--author ada'")
    let given = arguments.operands.count > 1 ? arguments.operands[1] : nil
    // A picture or a title can stand for itself.
    let mayBeEmpty = arguments.has("attach") && given == nil && TextInput.isTerminal
    let text = mayBeEmpty ? "" : try TextInput.read(given, beginningWith: "", console)
    var entry = NewEntry(author: author, body: text)
    entry.title = arguments.value("title") ?? ""
    entry.slug = arguments.value("slug") ?? ""
    entry.topic = arguments.value("topic") ?? ""
    entry.replyTo = arguments.value("reply-to") ?? ""
    entry.tags = arguments.values("tag")
    entry.attachments = arguments.values("attach")
    entry.isDraft = arguments.has("draft")
    entry.audience = WriteOptions.audience(arguments) ?? .everyone
    return entry
  }

  private func id() throws(UsageError) -> String {
    if arguments.operands.count > 1 { return arguments.operands[1] }
    throw UsageError(message: "'add \(arguments.operands[0])' needs an id")
  }

  private func channel() throws(UsageError) -> NewChannel {
    var channel = NewChannel(id: try id())
    channel.title = arguments.value("title") ?? ""
    channel.description = arguments.value("description") ?? ""
    channel.view = arguments.value("view").flatMap(Channel.View.init) ?? .chat
    return channel
  }

  private func person() throws(UsageError) -> NewPerson {
    var person = NewPerson(id: try id())
    person.name = arguments.value("name") ?? ""
    person.also = arguments.values("also")
    person.avatar = arguments.value("avatar") ?? ""
    person.url = arguments.value("url") ?? ""
    return person
  }
}
