import Bytes
import Testing

@testable import Archive

@Suite("Audience, drafts and hidden persons")
struct AudienceTests {
  private let files = [
    "Content/posts/open.md": "---\ndate: 2024-01-01\nauthor: Ada\ntags: [seen]\n---\nopen",
    "Content/posts/closed.md":
      "---\ndate: 2024-01-02\nauthor: Secret\naudience: private\ntags: [hidden]\n---\nclosed",
    "Content/posts/near.md": "---\ndate: 2024-01-03\nauthor: Friend\naudience: friends\n---\nnear",
    "Content/posts/odd.md": "---\ndate: 2024-01-04\nauthor: Odd\naudience: freinds\n---\nodd",
    "Content/posts/draft.md": "---\ndate: 2024-01-05\nauthor: Drafter\ndraft: true\n---\ndraft",
    "Content/comments/closed.json": #"[{"id":"x","date":0,"author":"Quiet","body":"below"}]"#,
    "Content/comments/open.json": #"""
    [{"id":"1","date":0,"author":"Bo","body":"seen"},
     {"id":"2","date":1,"author":"Hush","isPublic":false,"body":"unseen","avatar":"hush.png",
      "replies":[{"id":"3","date":2,"author":"Under","body":"below"}]},
     {"id":"4","date":3,"author":"Later","parent":"3","body":"below"},
     {"id":"2","date":4,"author":"Bo","body":"same id as the unseen one"}]
    """#,
  ]

  @Test("What is above the audience, and what is below that, has no influence")
  func everyone() async throws {
    let folder = try TemporaryArchive(files)
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.posts.map(\.slug) == ["open"])
    #expect(archive.posts[0].commentCount == 2)
    #expect(archive.posts[0].comments == 1..<3)
    #expect(archive.people.map(\.displayName) == ["Ada", "Bo"])
    #expect(archive.tags.map(\.title) == ["seen"])
    // The id's first holder isn't seen, so this one keeps the name.
    #expect(archive.name(2) == "2")
    #expect(diagnostics.map(\.path) == ["Content/posts/odd.md"])
    #expect(diagnostics.map(\.line) == [4])
  }

  @Test(arguments: [(Audience.friends, 2, 5), (.private, 4, 5)])
  func others(_ expected: (audience: Audience, posts: Int, comments: Int)) async throws {
    let folder = try TemporaryArchive(files)
    let archive = try await folder.read(audience: expected.audience).archive
    #expect(archive.posts.count == expected.posts)
    #expect(archive.posts[0].commentCount == expected.comments)
    #expect(archive.entries.allSatisfy { $0.audience <= expected.audience })
  }

  @Test
  func drafts() async throws {
    let folder = try TemporaryArchive(files)
    #expect(try await folder.read(drafts: true).archive.posts.map(\.slug) == ["open", "draft"])
  }

  @Test("A tombstone keeps its place and nothing else")
  func tombstones() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/p.json": #"""
      {"date":0,"title":"p","comments":[
        {"id":"1","date":1,"author":"Gone","body":"gone","deleted":true,"likes":9,"tags":["t"],
         "replies":[{"id":"2","date":2,"author":"Bo","body":"here"}]}]}
      """#
    ])
    let (archive, _) = try await folder.read()
    #expect(archive.posts[0].slug == "p")
    #expect(archive.posts[0].commentCount == 1)
    #expect(archive.entries[1].isTombstone)
    #expect(archive.entries[1].likes == 0)
    #expect(archive.entries[2].parent == EntryID(1))
    #expect(archive.people.map(\.displayName) == ["Bo"])
    #expect(archive.tags.isEmpty)
  }

  @Test("Hidden persons: a name withheld, or every entry a tombstone")
  func hiding() async throws {
    let folder = try TemporaryArchive([
      "Content/people.yml": """
      - {id: shy, name: Shy One, also: [Shy], hide: name, avatar: shy.png}
      - {id: gone, name: Gone One, also: [Gone], hide: true}
      - {id: ada, name: Ada}
      """,
      "Content/channels/c/m.jsonl": """
      {"id":"1","date":0,"author":"Shy","body":"a"}
      {"id":"2","date":1,"author":"Gone One","body":"b","tags":["x"]}
      {"id":"3","date":2,"author":"ada","body":"c","reactions":[{"name":"+1","by":["Shy","gone","ada"]}]}

      """,
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics == [])
    #expect(archive.people.map(\.id) == ["ada", "hidden-1"])
    #expect(archive.people[1].displayName == "" && archive.people[1].avatar == "")
    #expect(archive.entries.map(\.isTombstone) == [false, true, false])
    #expect(archive.entries[1].author == .none)
    #expect(archive.tags.isEmpty)
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read([EntryID(1), EntryID(2)])
    let length = reader.body(0).count
    #expect(length == 0)
    let rare = reader.rare(1)
    #expect(rare?.reactions == [Reaction(name: "+1", count: 3, by: ["ada"])])
  }

  @Test("Nobody has the picture of those of whom no entry is shown")
  func avatarsOfNobody() async throws {
    let folder = try TemporaryArchive([
      "Content/people.yml": "- {id: gone, hide: true}",
      "Content/channels/c/m.jsonl": """
      {"id":"1","date":0,"author":"gone","avatar":"gone.png","body":"a"}
      {"id":"2","date":1,"author":"past","avatar":"past.png","deleted":true}
      {"id":"3","date":2,"author":"ada","avatar":"ada.png","body":"c"}

      """,
    ])
    let (archive, _) = try await folder.read()
    #expect(archive.people.map { "\($0.id) \($0.avatar)" } == ["ada ada.png"])
  }

  @Test("An e-mail address is nowhere")
  func mail() async throws {
    let folder = try TemporaryArchive([
      "Content/channels/c/m.jsonl": """
      {"id":"1","date":0,"author":"ada@example.org","body":"a"}
      {"id":"2","date":1,"author":"ada@example.net","body":"b"}
      {"id":"3","date":2,"author":"Ada <ada@example.org>","body":"c","reactions":[{"name":"+1","by":["x@y.org"]}]}
      {"id":"4","date":3,"author":"kim@example.org","body":"d"}
      {"id":"5","date":4,"author":"@ada@social.example","body":"e"}

      """,
      "Content/people.yml": "- {id: kim@example.org, name: Kim}\n- {id: lee@example.org}\n",
    ])
    let (archive, _) = try await folder.read()
    let shown = archive.people.flatMap { [$0.id, $0.name, $0.displayName] }
    #expect(shown.allSatisfy { !$0.contains("@example") }, "\(shown)")
    #expect(archive.author(0) == "ada" && archive.author(1) == "ada" && archive.author(2) == "Ada")
    #expect(archive.entries[0].author != archive.entries[1].author)
    #expect(archive.author(3) == "Kim")
    #expect(archive.author(4) == "@ada@social.example")
    #expect(archive.people.contains { $0.displayName == "lee" })
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read([EntryID(2)])
    let rare = reader.rare(0)
    #expect(rare?.reactions.first?.by == ["x"])
  }

  @Test("Names are kept apart also where posts before them are left out")
  func numbersShift() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/a.md": "---\ndate: 2024-01-01\naudience: private\n---\nx",
      "Content/posts/b.md": "---\ndate: 2024-01-02\n---\nx",
      "Content/posts/c.md": "---\ndate: 2024-01-03\n---\nx",
      "Content/comments/b.json": #"[{"id":"x","date":1},{"id":"x","date":2}]"#,
      "Content/comments/c.json": #"[{"id":"x1","date":1},{"id":"x2","date":2}]"#,
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.posts.map(\.commentCount) == [2, 2])
    #expect(archive.name(2) == "x" && archive.name(3) != "x")
    #expect(archive.name(4) == "x1" && archive.name(5) == "x2")
    #expect(diagnostics.count == 1)
  }
}
