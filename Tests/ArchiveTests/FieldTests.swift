import Bytes
import Testing

@testable import Archive

@Suite("Fields of entries")
struct FieldTests {
  private func message(
    _ json: String,
    channel: String = ""
  ) async throws -> (archive: Archive, diagnostics: [Diagnostic], body: String, rare: RareFields?) {
    let folder = try TemporaryArchive(["Content/channels/c/m.json": json])
    if !channel.isEmpty { try folder.write("Content/channels/c/channel.yml", channel) }
    let (archive, diagnostics) = try await folder.read()
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read([EntryID(0)])
    let body = reader.body(0).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    return (archive, diagnostics, body, reader.rare(0))
  }

  @Test(
    "Names that other apps write",
    arguments: [
      ("name", "content", "time"), ("account", "message", "timestamp"),
      ("userName", "text", "created_at"), ("sender", "body", "date"), ("from", "content", "time"),
    ]
  )
  func aliases(_ names: (author: String, body: String, date: String)) async throws {
    let (archive, diagnostics, body, _) = try await message(
      #"{"\#(names.author)":"Ada","\#(names.body)":"hello","\#(names.date)":"2024-05-17T09:30:00Z"}"#
    )
    #expect(diagnostics == [])
    #expect(body == "hello")
    #expect(archive.author(0) == "Ada")
    #expect(archive.entries[0].date == Timestamp(milliseconds: 1_715_938_200_000))
  }

  @Test
  func otherAliases() async throws {
    let records = #"""
      [{"id":"1","author":"Ada","date":0,"profilePictureName":"ada.png","imageName":"cat",
        "isPublic":false,"isLiked":true},
       {"id":"2","author":"Bo","date":1,"replyToId":"1"}, {"id":"3","date":2,"reply_to":1},
       {"id":"4","date":3,"parent_id":"2"}]
      """#
    let folder = try TemporaryArchive([
      "Content/channels/c/m.json": records, "Content/media/cat.png": "x",
    ])
    // What answers something unseen is unseen as well.
    #expect(try await folder.read().archive.entries.isEmpty)
    let (archive, diagnostics) = try await folder.read(audience: .friends)
    #expect(diagnostics == [])
    #expect(archive.entries.map(\.parent) == [.none, EntryID(0), EntryID(0), EntryID(1)])
    #expect(archive.entries[0].flags == [.liked, .hasMedia, .hasPicture])
    #expect(archive.people.first { $0.id == "Ada" }?.avatar == "ada.png")
  }

  @Test
  func twoNamesForOneFieldAreADiagnostic() async throws {
    let (_, diagnostics, body, _) = try await message(
      #"{"id":"1","date":0,"body":"first","content":"second","audience":"public","isPublic":true}"#
    )
    #expect(body == "first")
    #expect(diagnostics.map(\.line) == [1, 1])
    #expect(
      diagnostics.allSatisfy { $0.headline.contains("gives a field that this record already has") }
    )
  }

  @Test
  func aChannelsOwnNames() async throws {
    let (archive, diagnostics, body, _) = try await message(
      #"{"who":"Ada","what":"hi","when":"2024-01-01","body":"shadow"}"#,
      channel: "fields: {who: author, what: body, when: date, body: summary}\n"
    )
    #expect(diagnostics == [])
    #expect(body == "hi")
    #expect(archive.author(0) == "Ada")
  }

  @Test
  func swiftsReferenceDate() async throws {
    let (archive, _, _, _) = try await message(#"{"id":"1","date":0}"#, channel: "dates: apple\n")
    #expect(archive.entries[0].date == Timestamp(milliseconds: 978_307_200_000))
  }

  @Test
  func likesAreClamped() async throws {
    for (written, read) in [
      ("-1", 0), ("0", 0), ("2147483648", 2_147_483_648), ("1e30", 4_294_967_295),
    ] {
      let (archive, _, _, _) = try await message(#"{"id":"1","date":0,"likes":\#(written)}"#)
      #expect(archive.entries[0].likes == UInt32(read))
    }
  }

  @Test
  func systemMessages() async throws {
    for field in [#""type":"system""#, #""system":true"#] {
      let (archive, _, _, rare) = try await message(#"{"id":"1","date":0,"body":"x",\#(field)}"#)
      #expect(archive.entries[0].flags.contains(.system))
      #expect(rare == nil)
    }
  }

  @Test("Media: beside the file, in media, in Content; never outside")
  func media() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/p/index.md":
        "---\ndate: 2024-01-01\nmedia: [a.png, b.png, c.png, d.png, ../e.png, /b.png, photo]\n---\n",
      "Content/posts/p/a.png": "1",
      "Content/media/a.png": "2",
      "Content/media/b.png": "3",
      "Content/c.png": "4",
      "Content/e.png": "5",
      "Content/media/photo.jpg": "6",
    ])
    let (archive, diagnostics) = try await folder.read()
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read([EntryID(0)])
    let files = reader.rare(0)?.media.map { $0.file.map { archive.media.files[$0].path } }
    #expect(
      files == [
        "Content/posts/p/a.png", "Content/media/b.png", "Content/c.png", nil, nil,
        "Content/media/b.png", "Content/media/photo.jpg",
      ]
    )
    #expect(archive.posts[0].slug == "p")
    #expect(diagnostics.map(\.line) == [3, 3])
    #expect(diagnostics.map(\.path) == Array(repeating: "Content/posts/p/index.md", count: 2))
    let outputs = archive.media.files.map(\.output)
    #expect(Set(outputs).count == outputs.count)
    #expect(archive.media.files.first { $0.path == "Content/media/a.png" }?.output == "media/a.png")
  }
}
