import Bytes
import Testing

@testable import Archive

@Suite("Comments in files, and dumps of other apps")
struct CommentFileTests {
  @Test("Staticman's YAML, Disqus comments as Jekyll data; see Fixtures/comments/SOURCE.md")
  func staticman() async throws {
    let corpus = Fixtures.folder + "/comments"
    let folder = try TemporaryArchive([
      "Content/posts/layout-comments.md": "---\ndate: 2016-01-01\n---\nx",
      "Content/posts/first-post.md": "---\ndate: 2020-01-01\n---\nx",
      "Content/posts/007-uses-rss-bandit-aspx.md": "---\ndate: 2004-01-01\n---\nx",
    ])
    let data = "_data/comments"
    try folder.copy(
      "\(corpus)/staticman/\(data)/layout-comments",
      to: "Content/comments/layout-comments"
    )
    try folder.copy("\(corpus)/staticman-threaded/\(data)", to: "Content/comments")
    try folder.copy("\(corpus)/jekyll-data-disqus/\(data)", to: "Content/comments")
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics == [])
    #expect(archive.posts.map(\.commentCount) == [2, 3, 2])
    // Replies by `replyToId` and by `replying_to_uid`.
    for post in [0, 2] {
      let parents = archive.posts[post].comments.map { archive.entries[$0].parent }
      #expect(parents.filter { $0 != .none }.count == 1)
    }
    #expect(archive.people.contains { $0.displayName == "O'Neil: \"the\" #1" })
    #expect(archive.people.contains { $0.displayName == "甲乙" })
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read(archive.posts[1].comments.map { EntryID($0) })
    let last = reader.body(2).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    #expect(last == "支持")
  }

  @Test("By id, by slug, in folders, of no post")
  func places() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/2024-01-01-walk.md": "---\nid: w1\n---\nx",
      "Content/comments/w1.json": #"{"id":"1","date":1}"#,
      "Content/comments/walk.jsonl": "{\"id\":\"2\",\"date\":2}\n{\"id\":\"3\",\"date\":3}\n",
      "Content/comments/walk/2024-02-03-bo.md": "---\nauthor: Bo\nparent: 1\n---\nIn *Markdown*",
      "Content/comments/wlak.json": #"[{"date":1},{"date":2}]"#,
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.posts[0].commentCount == 4)
    #expect(archive.entries[4].date == TimestampParser.parse(text: "2024-02-03", zone: .utc))
    #expect(archive.entries[4].parent == EntryID(1))
    #expect(diagnostics.map(\.path) == ["Content/comments/wlak"])
    #expect(diagnostics.map(\.suggestion) == ["Did you mean 'walk'?"])
    #expect(diagnostics[0].headline == "No post has the id 'wlak'; its 2 comments are left out")
  }

  @Test("A dump of the structs of a feed app builds unchanged")
  func feedApp() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/posts.json": #"""
      [{"id":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","userName":"Ada","profilePictureName":"ada",
        "timestamp":737000000,"content":"First","imageName":"sea","isPublic":true,"isLiked":true,
        "likes":3,"shares":1,"postComments":[
          {"id":"A0000000-0000-0000-0000-000000000001","userName":"Bo","profilePictureName":"bo",
           "timestamp":737000100.25,"content":"Nice","isLiked":false,"likes":0,"replyComments":[
             {"id":"A0000000-0000-0000-0000-000000000002","userName":"Ada","timestamp":737000200,
              "content":"Thanks","likes":1,"replyComments":[]}]}]},
       {"id":"6F9619FF-8B86-D011-B42D-00CF4FC964FE","userName":"Bo","timestamp":737000001,
        "content":"For friends","isPublic":false,"postComments":[]}]
      """#,
      "Content/media/sea.jpg": "x", "Content/media/ada.png": "x", "Content/media/bo.png": "x",
      "stillfeed.yml": "dates: apple\nself: Ada\n",
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics == [])
    #expect(archive.posts.map(\.slug) == ["6F9619FF-8B86-D011-B42D-00CF4FC964FF"])
    #expect(archive.posts[0].commentCount == 2)
    #expect(archive.entries[0].date == Timestamp(milliseconds: (737_000_000 + 978_307_200) * 1000))
    #expect(archive.entries[0].flags == [.liked, .hasMedia, .hasPicture])
    #expect(archive.entries[0].likes == 3 && archive.entries[0].shares == 1)
    #expect(archive.entries[2].parent == EntryID(1))
    #expect(archive.people.map(\.avatar) == ["ada", "bo"])
    #expect(archive.people.map(\.isSelf) == [true, false])
    #expect(try await folder.read(audience: .friends).archive.posts.count == 2)
  }

  @Test("Dumps of a chat and of a board build unchanged")
  func chatAndBoard() async throws {
    let folder = try TemporaryArchive([
      "Content/channels/chat/chat.json": #"""
      [{"id":1,"sender":"Ada","text":"Hi","timestamp":1700000000},
       {"id":2,"sender":"Bo","text":"Hello","timestamp":1700000001000,"replyTo":1}]
      """#,
      "Content/channels/board/board.json": #"""
      [{"id":"x","account":"ada","name":"Ada","message":"Note","created_at":"2023-11-14T22:13:20Z"}]
      """#,
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.entries.count == 3)
    #expect(archive.entries[2].parent == EntryID(1))
    #expect(archive.entries[1].date == Timestamp(milliseconds: 1_700_000_000_000))
    #expect(archive.entries[2].date == Timestamp(milliseconds: 1_700_000_001_000))
    // Two names of one field.
    #expect(diagnostics.map(\.path) == ["Content/channels/board/board.json"])
    #expect(archive.author(0) == "ada")
  }
}
