import Bytes
import Glibc
import Testing

@testable import Archive

@Suite
struct WritingDeleteTests {
  static let cases: [(path: String, before: String, reference: String, after: String?)] = [
    (
      "Content/channels/c/a.jsonl", "{\"id\":\"1\"}\r\n\r\n{\"id\":\"2\"}\r\n{\"id\":\"3\"}",
      "channels/c#m-3", "{\"id\":\"1\"}\r\n\r\n{\"id\":\"2\"}"
    ),
    (
      "Content/channels/c/a.json", "[\n  {\"id\":\"1\"},\n  {\"id\":\"2\"}\n]\n", "channels/c#m-1",
      "[\n  {\"id\":\"2\"}\n]\n"
    ),
    (
      "Content/posts/p.json",
      "{\"id\":\"p\",\"comments\":[{\"id\":\"1\",\"replies\":[{\"id\":\"2\"}]},{\"id\":\"3\"}]}",
      "posts/p#c-2",
      "{\"id\":\"p\",\"comments\":[{\"id\":\"1\",\"replies\":[]},{\"id\":\"3\"}]}"
    ),
    ("Content/posts/p.json", "{\"id\":\"p\",\"body\":\"x\"}\n", "posts/p", nil),
    ("Content/posts/p.md", "---\ntitle: x\n---\nBody\n", "posts/p", nil),
    (
      "Content/comments/p/c.yml",
      "id: c\nreplies:\n  - id: r\n    body: x\n  - id: s\nbody: y\n", "posts/p#c-r",
      "id: c\nreplies:\n  - id: s\nbody: y\n"
    ),
  ]

  @Test(arguments: cases)
  func delete(_ path: String, _ before: String, _ reference: String, _ after: String?) async throws
  {
    var files = [path: before]
    if path.contains("comments") { files["Content/posts/p.jsonl"] = "{\"id\":\"p\"}\n" }
    let archive = try TemporaryArchive(files)
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    _ = try await writer.delete(reference)
    let left = try? FileSystem.read("\(archive.root)/\(path)")
    #expect(left.map { String(decoding: $0, as: UTF8.self) } == after)
    await #expect(throws: WritingError.self) { _ = try await writer.delete(reference) }
  }

  @Test
  func aTombstoneKeepsThePlaceAndNothingElse() async throws {
    let path = "Content/comments/p.json"
    let archive = try TemporaryArchive([
      "Content/posts/p.md": "---\ntitle: Secret\nlikes: 3\nx: 1\n---\n\nBody\n",
      path: """
      [
        {"name": "Ada", "date": "2024-01-01", "content": "secret", "x": 1,
          "replies": [{"id": "2", "body": "stays"}]}
      ]
      """,
    ])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    let (read, _) = try await archive.read()
    let first = try #require(read.entries.first { $0.kind == .comment && $0.record.ordinal == 0 })
    let id = read.string(first.id)
    _ = try await writer.delete("posts/p#c-\(id)", isTombstone: true)
    _ = try await writer.delete("posts/p", isTombstone: true)
    let text = String(decoding: try FileSystem.read("\(archive.root)/\(path)"), as: UTF8.self)
    #expect(
      text == """
        [
          {"date": "2024-01-01", "x": 1,
            "replies": [{"id": "2", "body": "stays"}],
            "id": "\(id)",
            "deleted": true}
        ]
        """
    )
    let post = try FileSystem.read("\(archive.root)/Content/posts/p.md")
    #expect(String(decoding: post, as: UTF8.self) == "---\nx: 1\ndeleted: true\n---\n\n\n")
    let (after, _) = try await archive.read()
    #expect(after.entries.count { $0.isTombstone } == 2)
    let reply = try #require(after.entry(for: "posts/p#c-2"))
    #expect(after.entries[reply.index].parent == after.entry(for: "posts/p#c-\(id)"))
  }

  @Test
  func aPostTakesItsCommentsAlong() async throws {
    let archive = try TemporaryArchive([
      "Content/posts/p.md": "Body\n", "Content/posts/q.md": "Body\n",
      "Content/comments/p.jsonl": "{\"id\":\"1\"}\n", "Content/comments/p/2.md": "two\n",
      "Content/comments/q.jsonl": "{\"id\":\"1\"}\n",
    ])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    let report = try await writer.delete("posts/p")
    #expect(report.summary.contains("and its 2 comments"))
    let (read, diagnostics) = try await archive.read()
    #expect(read.entries.count == 2)
    #expect(!diagnostics.contains { $0.headline.contains("No post has the id") })
  }

  @Test
  func aFileThatChangedMeanwhileIsLeftAlone() throws {
    let path = "Content/channels/c/a.jsonl"
    let archive = try TemporaryArchive([path: "{\"id\":\"1\"}\n"])
    let store = ContentStore(root: archive.root)
    let (bytes, status) = try store.read(path)
    try archive.write(path, "{\"id\":\"9\"}\n")
    for new in [bytes + bytes, nil] {
      let change = FileChange(path: path, old: bytes, new: new, expected: status)
      #expect(throws: Stale.self) { try store.commit([change]) }
    }
    let there = FileChange(path: path, old: nil, new: bytes, expected: nil)
    #expect(throws: Stale.self) { try store.commit([there]) }
    #expect(try FileSystem.read("\(archive.root)/\(path)") == Array("{\"id\":\"9\"}\n".utf8))
    #expect(try FileSystem.list("\(archive.root)/Content/channels/c").count == 1)
  }

  @Test
  func theLockIsForOneAtATime() throws {
    let archive = try TemporaryArchive()
    let path = "\(archive.root)/lock"
    func isFree() throws -> Bool {
      switch try FileLock.take(path, patience: 20) {
      case .none: false
      case .some: true
      }
    }
    guard let first = try FileLock.take(path, patience: 0) else {
      Issue.record("The lock isn't free at first")
      return
    }
    #expect(try !isFree())
    // Where the lock file is removed, a new one is locked.
    try FileSystem.removeFile(path)
    #expect(try isFree())
    first.release()
    #expect(try isFree())
  }

  @Test
  func aDryRunWritesNothing() async throws {
    let path = "Content/channels/c/a.jsonl"
    let before = "{\"id\":\"1\"}\n{\"id\":\"2\"}\n"
    let archive = try TemporaryArchive([path: before])
    let writer = ArchiveWriter(root: archive.root, now: fixedNow, isDryRun: true)
    let report = try await writer.delete("channels/c#m-2")
    #expect(
      UnifiedDiff.text(of: report.changes[0]) == """
        --- a/\(path)
        +++ b/\(path)
        @@ -1,2 +1 @@
         {"id":"1"}
        -{"id":"2"}

        """
    )
    #expect(try FileSystem.read("\(archive.root)/\(path)") == Array(before.utf8))
    #expect(FileSystem.status("\(archive.root)/.stillfeed") == nil)
  }

  @Test
  func aLinkOutOfTheContentFolderIsRefused() async throws {
    let archive = try TemporaryArchive(["outside/x": "x", "Content/posts/q.md": "Body\n"])
    for name in ["channels", "media", "comments"] {
      _ = symlink("../outside", "\(archive.root)/Content/\(name)")
    }
    let writer = ArchiveWriter(root: archive.root, now: fixedNow)
    await #expect(throws: FileError.self) { _ = try await writer.addChannel(NewChannel(id: "c")) }
    var entry = NewEntry(author: "a", body: "b")
    await #expect(throws: FileError.self) { _ = try await writer.addComment(entry, on: "q") }
    entry.attachments = ["\(archive.root)/Content/posts/q.md"]
    await #expect(throws: FileError.self) { _ = try await writer.addPost(entry) }
    #expect(try FileSystem.list("\(archive.root)/outside").map(\.name) == ["x"])
  }
}
