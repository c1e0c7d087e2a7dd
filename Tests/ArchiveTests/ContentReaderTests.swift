import Bytes
import Testing

@testable import Archive

@Suite("Reading content")
struct ContentReaderTests {
  @Test("An empty folder is an archive with every default")
  func empty() async throws {
    let folder = try TemporaryArchive()
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.entries.isEmpty)
    #expect(archive.configuration.language == "en")
    #expect(archive.configuration.timeZone.name == "UTC")
    #expect(archive.configuration.feedSize == 20)
    #expect(diagnostics.isEmpty)
  }

  @Test("Posts as Markdown, comments as JSON, a channel as JSON lines")
  func basics() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/2024/2024-05-17-rain.md": """
      ---
      title: Rain
      author: ada
      tags: [weather, Taipei]
      ---

      It *rains*.
      """,
      "Content/comments/rain.json": """
      [{"id": "c1", "author": "Bo", "date": "2024-05-17T10:00:00Z", "body": "Yes",
        "replies": [{"id": "c2", "author": "ada", "date": "2024-05-17T11:00:00Z", "body": "Still"}]},
       {"id": "c3", "author": "Bo", "date": "2024-05-18", "body": "No more", "parent": "c2"}]
      """,
      "Content/channels/hall/channel.yml": "title: The hall\nview: board\n",
      "Content/channels/hall/2024.jsonl": """
      {"id":"m2","author":"Bo","date":"2024-01-02T00:00:00Z","body":"two","replyTo":"m1"}
      {"id":"m1","author":"ada","date":"2024-01-01T00:00:00Z","body":"one"}

      """,
      "Content/people.yml": "- id: ada\n  name: Ada Archivist\n",
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics == [])
    #expect((0..<archive.entries.count).map(archive.id) == ["rain", "c1", "c2", "c3", "m1", "m2"])
    #expect(
      archive.entries.map(\.parent) == [
        .none, .none, EntryID(1), EntryID(2), .none, EntryID(4),
      ]
    )
    let post = try #require(archive.posts.first)
    #expect(post.title == "Rain")
    #expect(post.slug == "rain")
    #expect(post.comments == 1..<4)
    #expect(post.commentCount == 3)
    #expect(archive.tags.map(\.title) == ["Taipei", "weather"])
    #expect(post.tags.count == 2)
    #expect(archive.people.map(\.displayName) == ["Bo", "Ada Archivist"])
    #expect(Array(archive.people[1].entries) == [EntryID(4), EntryID(0), EntryID(2)])
    #expect(archive.channels.map(\.title) == ["The hall"])
    #expect(archive.channels[0].view == .board)
    #expect(archive.channels[0].messages == 4..<6)
    let document = archive.documents[Int(archive.entries[0].document)]
    let bytes = try FileSystem.read("\(folder.root)/Content/posts/2024/2024-05-17-rain.md")
    #expect(String(decoding: bytes[document.body], as: UTF8.self) == "It *rains*.")
  }
}
