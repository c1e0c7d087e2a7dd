import Bytes
import Testing

@testable import Archive

/// One file, one change, and the file that must come of it: every other byte stays.
struct EditCase: Sendable, CustomTestStringConvertible {
  var name: String
  var path: String
  var reference: String
  var before: String
  var after: String
  var change: @Sendable (inout EntryChanges) -> Void

  var testDescription: String { name }
}

/// 2024-05-17T09:30:12.345Z.
let fixedNow = Timestamp(milliseconds: 1_715_938_212_345)

@Suite
struct WritingFormsTests {
  static let cases: [EditCase] = [
    EditCase(
      name: "the body of a board's message, in an array of spaced objects",
      path: "Content/channels/gb/a.json",
      reference: "channels/gb#m-2",
      before: """
        [
          { "id": "1", "name": "Ada", "content": "one", "time": "2024-01-01T08:00:00+08:00" },
          { "id": "2", "x": [1, 2.50],  "name": "Bob", "content": "two", "time": "2024-01-02T08:00:00Z" }
        ]
        """,
      after: """
        [
          { "id": "1", "name": "Ada", "content": "one", "time": "2024-01-01T08:00:00+08:00" },
          { "id": "2", "x": [1, 2.50],  "name": "Bob", "content": "\\"zwei\\"\\n", "time": "2024-01-02T08:00:00Z", "updated": "2024-05-17T09:30:12.345Z" }
        ]
        """,
      change: { $0.body = "\"zwei\"\n" }
    ),
    EditCase(
      name: "JSON lines with CRLF and without a last line end, times in milliseconds",
      path: "Content/channels/c/a.jsonl",
      reference: "channels/c#m-2",
      before: "{\"id\":\"1\",\"account\":\"A\",\"message\":\"x\",\"timestamp\":1677931136000}\r\n"
        + "{\"id\":\"2\",\"account\":\"B\",\"message\":\"y\",\"timestamp\":1677931158000}",
      after: "{\"id\":\"1\",\"account\":\"A\",\"message\":\"x\",\"timestamp\":1677931136000}\r\n"
        + "{\"id\":\"2\",\"account\":\"B\",\"message\":\"new\",\"timestamp\":1677931158000,"
        + "\"updated\":1715938212345}",
      change: { $0.body = "new" }
    ),
    EditCase(
      name: "a reply to a reply in a post of an app, indented by four",
      path: "Content/posts/p.json",
      reference: "posts/p#c-r2",
      before: """
        {
            "id" : "p",
            "userName" : "Ada",
            "timestamp" : 1577624400,
            "postComments" : [
                {
                    "id" : "c1",
                    "replyComments" : [ null, { "id": "r1", "likes": 3 },
                        { "id": "r2", "likes": "4", "isLiked": false } ]
                }
            ]
        }

        """,
      after: """
        {
            "id" : "p",
            "userName" : "Ada",
            "timestamp" : 1577624400,
            "postComments" : [
                {
                    "id" : "c1",
                    "replyComments" : [ null, { "id": "r1", "likes": 3 },
                        { "id": "r2", "likes": "5", "isLiked": true } ]
                }
            ]
        }

        """,
      change: { $0.liked = true }
    ),
    EditCase(
      name: "isPublic takes the audience as far as it can",
      path: "Content/posts/p.jsonl",
      reference: "posts/a",
      before: "{\"id\":\"a\",\"isPublic\":true,\"content\":\"x\",\"time\":700000000.5}\n",
      after: "{\"id\":\"a\",\"isPublic\":false,\"content\":\"x\",\"time\":700000000.5}\n",
      change: { $0.audience = .friends }
    ),
    EditCase(
      name: "an id that was derived is written down first",
      path: "Content/channels/c/a.jsonl",
      reference: "",
      before: "{\"author\":\"ada\",\"date\":\"2024-01-01T00:00:00Z\",\"body\":\"x\"}\n",
      after: "{\"author\":\"ada\",\"date\":\"2024-01-01T00:00:00Z\",\"body\":\"y\",\"id\":\"ID\","
        + "\"updated\":\"2024-05-17T09:30:12.345Z\"}\n",
      change: { $0.body = "y" }
    ),
    EditCase(
      name: "YAML front matter with comments and quotes; local time",
      path: "Content/posts/2024-01-01-p.md",
      reference: "posts/p",
      before: """
        ---
        title: 'It''s "old"'   # the title
        date: 2024-01-01 09:30
        # tags below
        tags:
          - a   # first
          - "b"
        likes: 1
        other: {x: 1}
        ---

        Old body.

        Two paragraphs.

        """,
      after: """
        ---
        title: 'It''s new'   # the title
        date: 2024-01-01 09:30
        # tags below
        tags:
          - a   # first
          - "b"
          - c d
        likes: 2
        other: {x: 1}
        updated: 2024-05-17 09:30:12
        liked: true
        ---

        New body.

        """,
      change: {
        $0.title = "It's new"
        $0.body = "New body.\n"
        $0.liked = true
        $0.addedTags = ["c d"]
      }
    ),
    EditCase(
      name: "a title that YAML would take for something else, in a flow mapping's neighbour",
      path: "Content/posts/p.md",
      reference: "posts/p",
      before: "---\ntitle: plain\ntags: [x, y]\n---\nBody\n",
      after: "---\ntitle: \"yes: # no\"\ntags: [x, y, \"a, b\"]\n---\nBody\n",
      change: {
        $0.title = "yes: # no"
        $0.addedTags = ["a, b"]
      }
    ),
    EditCase(
      name: "TOML front matter with a bare date, a table and a list over lines",
      path: "Content/posts/p.md",
      reference: "posts/p",
      before: """
        +++
        title = "Old" # t
        date = 2024-01-01T10:00:00Z
        keep = [
          1, # one
          2,
        ]
        [taxonomies]
        tags = ["a"]
        [extra]
        title = "not this"
        +++
        Body

        """,
      after: """
        +++
        title = "N\\"ew" # t
        date = 2024-01-01T10:00:00Z
        keep = [
          1, # one
          2,
        ]
        updated = 2024-05-17T09:30:12Z
        [taxonomies]
        tags = ["a", "b"]
        [extra]
        title = "not this"
        +++
        Text

        """,
      change: {
        $0.title = "N\"ew"
        $0.body = "Text"
        $0.addedTags = ["b"]
      }
    ),
    EditCase(
      name: "JSON front matter",
      path: "Content/posts/p.md",
      reference: "posts/p",
      before: "{\n  \"title\": \"Old\",\n  \"date\": \"2024-01-01\"\n}\n\nBody\n",
      after: "{\n  \"title\": \"New\",\n  \"date\": \"2024-01-01\"\n}\n\nBody\n",
      change: { $0.title = "New" }
    ),
    EditCase(
      name: "Pelican's headers",
      path: "Content/posts/p.md",
      reference: "posts/p",
      before: "Title: Old\nDate: 2024-01-01 10:00\nTags: a, b\n\nBody\n",
      after:
        "Title: New\nDate: 2024-01-01 10:00\nTags: a, b, c\nUpdated: 2024-05-17 09:30:12\n\nText\n",
      change: {
        $0.title = "New"
        $0.body = "Text"
        $0.addedTags = ["c"]
      }
    ),
    EditCase(
      name: "a plain file whose heading is the title",
      path: "Content/posts/2024-01-01-p.md",
      reference: "posts/p",
      before: "# Old title\r\n\r\nBody\r\n",
      after: "# New\r\n\r\nBody\r\n",
      change: { $0.title = "New" }
    ),
    EditCase(
      name: "a plain file gets front matter where it needs some",
      path: "Content/posts/2024-01-01-p.md",
      reference: "posts/p",
      before: "# Old title\n\nBody\n",
      after: "---\nlikes: 1\nliked: true\n---\n# Old title\n\nBody\n",
      change: { $0.liked = true }
    ),
    EditCase(
      name: "front matter that is no YAML, read line by line",
      path: "Content/posts/p.md",
      reference: "posts/p",
      before: "---\ntitle: One: two\nauthor: ada\n---\nBody\n",
      after: "---\ntitle: One: two\nauthor: ada\nlikes: 1\nliked: true\ntags: x\n---\nBody\n",
      change: {
        $0.liked = true
        $0.addedTags = ["x"]
      }
    ),
    EditCase(
      name: "a new title can make YAML of it",
      path: "Content/posts/p.md",
      reference: "posts/p",
      before: "---\ntitle: One: two\nlikes: 3\n---\nBody\n",
      after: "---\ntitle: \"Two: three\"\nlikes: 3\ntags: [x]\n---\nBody\n",
      change: {
        $0.title = "Two: three"
        $0.addedTags = ["x"]
      }
    ),
    EditCase(
      name: "Staticman's comment, with a reply nested in it",
      path: "Content/comments/p/c.yml",
      reference: "posts/p#c-r",
      before: """
        id: c
        author: ada
        date: 2024-01-01 10:00
        body: |
          Several
          lines
        replies:
          - id: r
            author: bob
            date: 2024-01-02 10:00
            body: One line.   # said quickly
          - id: s
            body: last

        """,
      after: """
        id: c
        author: ada
        date: 2024-01-01 10:00
        body: |
          Several
          lines
        replies:
          - id: r
            author: bob
            date: 2024-01-02 10:00
            body: "Now\\ntwo."   # said quickly
            updated: 2024-05-17 09:30:12
          - id: s
            body: last

        """,
      change: { $0.body = "Now\ntwo." }
    ),
  ]

  @Test(arguments: cases)
  func edit(_ example: EditCase) async throws {
    var files = [example.path: example.before]
    if example.path.contains("comments") { files["Content/posts/p.md"] = "---\nid: p\n---\nx\n" }
    let archive = try TemporaryArchive(files)
    var reference = example.reference
    var expected = example.after
    if reference.isEmpty {
      let (read, _) = try await archive.read()
      reference = read.reference(of: EntryID(0))
      expected = expected.replacing("ID", with: read.id(0))
    }
    var changes = EntryChanges()
    example.change(&changes)
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    let report = try await writer.edit(reference, changes)
    let after = try FileSystem.read("\(archive.root)/\(example.path)")
    #expect(String(decoding: after, as: UTF8.self) == expected, "\(report.summary)")
    // Twice is once.
    changes.body = nil
    let again = try await writer.edit(reference, changes)
    #expect(again.fields.isEmpty)
    #expect(try FileSystem.read("\(archive.root)/\(example.path)") == after)
  }

  @Test
  func unlikingTakesTheLikeBack() async throws {
    let path = "Content/channels/c/a.jsonl"
    let line = "{\"id\":\"1\",\"date\":\"2024-01-01\",\"likes\":3,\"liked\":true}\n"
    let archive = try TemporaryArchive([path: line])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    var changes = EntryChanges()
    for (liked, likes) in [(true, 3), (false, 2), (false, 2), (true, 3)] {
      changes.liked = liked
      _ = try await writer.edit("channels/c#m-1", changes)
      let (read, _) = try await archive.read()
      #expect(read.entries[0].likes == UInt32(likes))
      #expect(read.entries[0].flags.contains(.liked) == liked)
    }
    #expect(try FileSystem.read("\(archive.root)/\(path)") == Array(line.utf8))
  }

  @Test
  func anEditorsOldBaseIsRefused() async throws {
    let archive = try TemporaryArchive([
      "Content/channels/c/a.jsonl": "{\"id\":\"1\",\"date\":\"2024-01-01\",\"body\":\"now\"}\n"
    ])
    var changes = EntryChanges()
    changes.body = "mine"
    changes.expectedBody = "before"
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    await #expect(throws: WritingError.self) {
      _ = try await writer.edit("channels/c#m-1", changes)
    }
  }

  @Test
  func whatAnAnchorHoldsIsRefused() async throws {
    let text = "---\ntitle: &t One\nsummary: *t\n---\nBody\n"
    let archive = try TemporaryArchive(["Content/posts/p.md": text])
    var changes = EntryChanges()
    changes.title = "Two"
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    await #expect(throws: WritingError.self) { _ = try await writer.edit("posts/p", changes) }
    #expect(try FileSystem.read("\(archive.root)/Content/posts/p.md") == Array(text.utf8))
  }
}
