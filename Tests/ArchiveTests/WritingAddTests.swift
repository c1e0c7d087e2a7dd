import Bytes
import Testing

@testable import Archive

@Suite
struct WritingAddTests {
  private func text(_ archive: TemporaryArchive, _ path: String) throws -> String {
    String(decoding: try FileSystem.read("\(archive.root)/\(path)"), as: UTF8.self)
  }

  private func add(
    _ archive: TemporaryArchive,
    _ body: String,
    to channel: String,
    replyTo: String = ""
  ) async throws -> WriteReport {
    var entry = NewEntry(author: "ada", body: body)
    entry.replyTo = replyTo
    return try await ArchiveWriter(root: archive.root, now: fixedNow)
      .addMessage(entry, to: channel)
  }

  @Test
  func aMessageIsWrittenAsItsNeighboursAre() async throws {
    let path = "Content/channels/gb/board.json"
    let archive = try TemporaryArchive([
      "Content/channels/gb/channel.yml": "view: board\n",
      path: """
      [
        { "id": "1", "name": "Bob", "content": "one", "time": "2024-01-01T08:00:00Z" }
      ]

      """,
    ])
    let report = try await add(archive, "two", to: "gb")
    let id = report.reference.dropFirst("channels/gb#m-".count)
    #expect(
      try text(archive, path) == """
        [
          { "id": "1", "name": "Bob", "content": "one", "time": "2024-01-01T08:00:00Z" },
          { "id": "\(id)", "name": "ada", "content": "two", "time": "2024-05-17T09:30:12.345Z" }
        ]

        """
    )
    let (read, diagnostics) = try await archive.read()
    #expect(read.entry(for: report.reference) != nil)
    #expect(diagnostics.isEmpty)
  }

  @Test
  func linesKeepTheirLineEndAndNamesByDate() async throws {
    let old = "Content/channels/c/2023-11.jsonl"
    let archive = try TemporaryArchive([
      old: "{\"id\":\"1\",\"account\":\"B\",\"message\":\"x\",\"timestamp\":1700000000000}"
    ])
    let before = try text(archive, old)
    let first = try await add(archive, "y", to: "c")
    #expect(first.path == "Content/channels/c/2024-05.jsonl")
    let id = first.reference.dropFirst("channels/c#m-".count)
    #expect(
      try text(archive, first.path)
        == "{\"id\": \"\(id)\", \"account\": \"ada\", \"message\": \"y\", \"timestamp\": 1715938212345}\n"
    )
    #expect(try text(archive, old) == before)
    let reply = try await add(archive, "z", to: "c", replyTo: "1")
    #expect(reply.path == old)
    #expect(try text(archive, old).hasPrefix(before + "\n{"))
    let (read, _) = try await archive.read()
    let entry = try #require(read.entry(for: reply.reference))
    #expect(read.entries[entry.index].parent == read.entry(for: "channels/c#m-1"))
  }

  @Test
  func anEmptyChannelGetsAFile() async throws {
    let archive = try TemporaryArchive()
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    var channel = NewChannel(id: "new")
    channel.title = "No: it's #1"
    channel.view = .board
    _ = try await writer.addChannel(channel)
    await #expect(throws: WritingError.self) { _ = try await writer.addChannel(channel) }
    let report = try await add(archive, "first", to: "channels/new")
    #expect(report.path == "Content/channels/new/messages.jsonl")
    let same = try await add(archive, "first", to: "new")
    #expect(same.reference != report.reference)
    let (read, diagnostics) = try await archive.read()
    #expect(read.channels[0].title == "No: it's #1")
    #expect(read.channels[0].view == .board)
    #expect(read.channels[0].messages.count == 2)
    #expect(diagnostics.isEmpty)
  }

  @Test
  func aPostIsAMarkdownFile() async throws {
    let archive = try TemporaryArchive(["stillfeed.yml": "timeZone: Asia/Taipei\n"])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    var entry = NewEntry(author: "ada", body: "# Not the title\n\nText: 下雨\n")
    entry.title = "下雨天 — Rain, again!"
    entry.tags = ["步道", "a, b"]
    entry.audience = .friends
    let report = try await writer.addPost(entry)
    #expect(report.reference == "posts/下雨天-rain-again")
    #expect(
      try text(archive, report.path) == """
        ---
        title: 下雨天 — Rain, again!
        author: ada
        date: 2024-05-17T17:30:12+08:00
        tags: [步道, "a, b"]
        audience: friends
        ---

        # Not the title

        Text: 下雨

        """
    )
    let again = try await writer.addPost(entry)
    #expect(again.reference == "posts/下雨天-rain-again-2")
    entry.slug = "../up"
    await #expect(throws: WritingError.self) { _ = try await writer.addPost(entry) }
  }

  /// Post's record, where its comments are, what is there already, and where the next one goes.
  static let places: [(String, [String: String], String)] = [
    ("none", ["Content/posts/p.md": "Text\n"], "Content/comments/p.jsonl"),
    (
      "an empty array",
      ["Content/posts/p.md": "Text\n", "Content/comments/p.json": "[]\n"],
      "Content/comments/p.json"
    ),
    (
      "an array",
      [
        "Content/posts/p.md": "Text\n",
        "Content/comments/p.json": "[\n  {\"id\": \"1\", \"name\": \"b\", \"text\": \"x\"}\n]\n",
      ],
      "Content/comments/p.json"
    ),
    (
      "nested", ["Content/posts/p.json": "{\"id\":\"p\",\"postComments\":[]}\n"],
      "Content/posts/p.json"
    ),
    (
      "YAML files",
      [
        "Content/posts/p.md": "Text\n",
        "Content/comments/p/a.yml": "id: 1\nbody: x\ndate: 2024-01-01\n",
      ],
      "Content/comments/p/ID.yml"
    ),
    (
      "Markdown files",
      ["Content/posts/p.md": "Text\n", "Content/comments/p/a.md": "---\nid: 1\n---\nx\n"],
      "Content/comments/p/ID.md"
    ),
  ]

  @Test(arguments: places)
  func commentsGoWhereOthersAre(
    _ name: String,
    _ files: [String: String],
    _ path: String
  ) async throws {
    let archive = try TemporaryArchive(files)
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    let entry = NewEntry(author: "ada", body: "Two\nlines: \"x\"")
    let report = try await writer.addComment(entry, on: "posts/p")
    let id = String(report.reference.dropFirst("posts/p#c-".count))
    #expect(report.path == path.replacing("ID", with: id))
    var reply = NewEntry(author: "bob", body: "Reply")
    reply.replyTo = id
    let answer = try await writer.addComment(reply, on: "p")
    let (read, _) = try await archive.read()
    let comment = try #require(read.entry(for: report.reference))
    let second = try #require(read.entry(for: answer.reference))
    #expect(read.entries[second.index].parent == comment)
    #expect(read.author(comment.index) == "ada")
    var details = DetailsReader(root: archive.root, archive: read)
    try details.read([comment, second])
    #expect(String(decoding: details.body(0).array, as: UTF8.self) == "Two\nlines: \"x\"")
    #expect(String(decoding: details.body(1).array, as: UTF8.self) == "Reply")
  }

  @Test
  func repliesNestWhereRepliesAreNested() async throws {
    let archive = try TemporaryArchive([
      "Content/posts/p.json": """
      {
        "id": "p",
        "postComments": [
          {
            "id": "1",
            "replyComments": [
              { "id": "2", "userName": "b", "content": "x", "timestamp": 1577624400 }
            ]
          }
        ]
      }
      """
    ])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    var entry = NewEntry(author: "ada", body: "y")
    entry.replyTo = "2"
    let deeper = try await writer.addComment(entry, on: "posts/p")
    entry.replyTo = "c-1"
    let beside = try await writer.addComment(entry, on: "posts/p")
    let ids = [deeper, beside].map { $0.reference.dropFirst("posts/p#c-".count) }
    #expect(
      try text(archive, "Content/posts/p.json") == """
        {
          "id": "p",
          "postComments": [
            {
              "id": "1",
              "replyComments": [
                { "id": "2", "userName": "b", "content": "x", "timestamp": 1577624400, "replyComments": [{ "id": "\(ids[0])", "userName": "ada", "content": "y", "timestamp": 1715938212 }] },
                { "id": "\(ids[1])", "userName": "ada", "content": "y", "timestamp": 1715938212 }
              ]
            }
          ]
        }
        """
    )
  }

  static let people: [(String, String, String)] = [
    (
      "people.yml", "# all\n- id: a\n  name: A\n",
      "# all\n- id: a\n  name: A\n- id: new\n  name: \"N: w\"\n  also: [xx, yy]\n"
    ),
    ("people.yml", "", "- id: new\n  name: \"N: w\"\n  also: [xx, yy]\n"),
    ("people.yml", "a:\n  name: A\n", "a:\n  name: A\nnew:\n  name: \"N: w\"\n  also: [xx, yy]\n"),
    (
      "people.json", "[\n  {\"id\": \"a\"}\n]\n",
      "[\n  {\"id\": \"a\"},\n  {\"id\": \"new\", \"name\": \"N: w\", \"also\": [\"xx\", \"yy\"]}\n]\n"
    ),
  ]

  @Test(arguments: people)
  func peopleAreAddedInTheFilesForm(_ name: String, _ before: String, _ after: String) async throws
  {
    let archive = try TemporaryArchive(["Content/\(name)": before])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    var person = NewPerson(id: "new")
    person.name = "N: w"
    person.also = ["xx", "yy"]
    _ = try await writer.addPerson(person)
    #expect(try text(archive, "Content/\(name)") == after)
    await #expect(throws: WritingError.self) { _ = try await writer.addPerson(person) }
  }

  @Test
  func attachmentsAreCopiedUnderNamesOfTheirOwn() async throws {
    let archive = try TemporaryArchive([
      "Content/channels/c/a.jsonl": "{\"id\":\"1\",\"date\":\"2024-01-01\"}\n",
      "Content/media/cat.png": "another cat",
      "in/cat.png": "a cat",
      "in/.hidden": "x",
    ])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    var entry = NewEntry(author: "ada", body: "look")
    entry.attachments = ["\(archive.root)/in/cat.png", "\(archive.root)/in/.hidden"]
    let report = try await writer.addMessage(entry, to: "c")
    _ = try await writer.addMessage(entry, to: "c")
    let files = try FileSystem.list("\(archive.root)/Content/media").map(\.name)
    #expect(files.count == 3)
    #expect(files.allSatisfy { !$0.hasPrefix(".") })
    #expect(try text(archive, "Content/media/cat.png") == "another cat")
    let (read, diagnostics) = try await archive.read()
    #expect(!diagnostics.contains { $0.headline.contains("medium") || $0.severity == .error })
    let added = try #require(read.entry(for: report.reference))
    #expect(read.entries[added.index].flags.contains(.hasPicture))
    entry.attachments = ["\(archive.root)/in"]
    await #expect(throws: FileError.self) { _ = try await writer.addMessage(entry, to: "c") }
  }
}
