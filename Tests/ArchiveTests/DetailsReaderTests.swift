import Bytes
import Glibc
import Testing

@testable import Archive

@Suite("Reading details")
struct DetailsReaderTests {
  private func bodies(_ reader: borrowing DetailsReader) -> [String] {
    (0..<reader.count).map { index in
      reader.body(index).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test("Bodies and rare fields of all kinds of files")
  func all() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/a.md": """
      ---
      title: A
      date: 2024-01-01
      tags: [x]
      image: pic.png
      weight: 3
      nested: {a: [1, "two", null], b: {}}
      comments:
        - {author: Bo, date: 2024-01-02, body: first, reactions: [{name: "👍", count: 2}]}
      ---
      Body of *A*.

      """,
      "Content/posts/b.json": """
      {"id": "b", "date": "2024-01-03T00:00:00Z", "body": "B\\n\\u00e9", "comments": [
        {"id": "1", "date": "2024-01-04T00:00:00Z", "body": "one", "replies": [
          {"id": "2", "date": "2024-01-05T00:00:00Z", "body": "two", "deleted": true},
          {"id": "3", "date": "2024-01-06T00:00:00Z", "body": "three"}]},
        {"id": "4", "date": "2024-01-03T12:00:00Z", "body": "four"}]}
      """,
      "Content/comments/a/x.yml": "message: from YAML\nname: Ada\ndate: '2024-01-03T00:00:00Z'\n",
      "Content/channels/c/m.jsonl": """
      {"id":"m1","date":"2024-01-01T00:00:00Z","body":"hello","media":["pic.png","https://e.org/x.mp4"]}
      {"id":"m2","date":"2024-01-02T00:00:00Z","body":"bad \\ud83d end"}

      """,
      "Content/media/pic.png": "PNG",
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics.map(\.headline).count == 1, "\(diagnostics)")
    var reader = DetailsReader(root: folder.root, archive: archive)
    let all = archive.entries.indices.reversed().map { EntryID($0) }
    try reader.read(all)
    let bodies = bodies(reader)
    #expect(
      bodies.reversed() == [
        "Body of *A*.", "B\né", "first", "from YAML", "four", "one", "", "three", "hello",
        "bad \u{FFFD} end",
      ]
    )
    try reader.read([EntryID(0), EntryID(2), EntryID(8)])
    let fields = reader.rare(0)
    let post = try #require(fields)
    // What the archive itself holds of a post is read once.
    #expect(archive.posts[0].title == "A" && post.title.isEmpty)
    #expect(post.media.map(\.file) == [0])
    #expect(post.extra == #"{"weight":3,"nested":{"a":[1,"two",null],"b":{}}}"#)
    let (comment, message) = (reader.rare(1), reader.rare(2))
    #expect(comment?.reactions == [Reaction(name: "👍", count: 2)])
    #expect(message?.media.map(\.kind) == [.image, .video])
    #expect(message?.media.last?.href == "https://e.org/x.mp4")
  }

  /// Bodies of records without rarer fields are taken without parsing: the same as others.
  @Test(
    "Plain records",
    arguments: [
      (#"{"id":"m","date":"2024-01-01T00:00:00Z","body":"say \"hi\"\n\u4e2d \ud83d\ude00"}"#, true),
      (#"{"id":"m","date":"2024-01-01T00:00:00Z","text":"m"}"#, true),
      (#"{"id":"m","date":"2024-01-01T00:00:00Z"}"#, true),
      (#"{"id":"m","date":"2024-01-01T00:00:00Z","body":""}"#, true),
      (#"{"id":"m","date":"2024-01-01T00:00:00Z","body":"bad \ud83d end"}"#, false),
      (#"{"id":"m","date":"2024-01-01T00:00:00Z","body":"a","mood":"good"}"#, false),
      (#"{"id":"m","date":"2024-01-01T00:00:00Z","body":"a","tags":["x"]}"#, false),
      (#"{"id":"m","date":"2024-01-01T00:00:00Z","body":7}"#, false),
    ]
  )
  func plain(_ record: String, _ isPlain: Bool) async throws {
    let folder = try TemporaryArchive(["Content/channels/c/m.jsonl": record + "\n"])
    let (archive, _) = try await folder.read()
    #expect(archive.entries[0].flags.contains(.plain) == isPlain)
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read([EntryID(0)])
    let body = bodies(reader)
    var parsed = archive
    parsed.entries[0].flags.remove(.plain)
    var other = DetailsReader(root: folder.root, archive: parsed)
    try other.read([EntryID(0)])
    #expect(body == bodies(other))
  }

  /// Bodies of nested comments, whatever stands before and between them: the same as parsed ones.
  @Test(
    "Plain records with comments",
    arguments: [
      (#""body":"p","comments":[{"body":"one","replies":[{"body":"\"two\""}]},{"body":"one"}]"#, 2),
      (#""comments":[{"body":"p"},{"body":"last"}],"body":"p""#, 3),
      (#""body":"one","comments":[{"id":"one","body":"\u006fne"},{"id":"2"},{"body":7}]"#, 3),
      (#""body":"p","comments":[{"body":"one","deleted":true},{"body":"two","tags":["x"]}]"#, 1),
      (#""body":"p","comments":[{"replies":[{"body":"two"}],"body":"one"},{"body":"two"}]"#, 3),
    ]
  )
  func plainComments(_ fields: String, _ plain: Int) async throws {
    let folder = try TemporaryArchive([
      "Content/posts/p.json": #"{"id":"p","date":"2024-01-01T00:00:00Z",\#(fields)}"#
    ])
    let (archive, _) = try await folder.read()
    #expect(archive.entries.count { $0.flags.contains(.plain) } == plain)
    let all = archive.entries.indices.map { EntryID($0) }
    var parsed = archive
    for index in parsed.entries.indices { parsed.entries[index].flags.remove(.plain) }
    var reader = DetailsReader(root: folder.root, archive: archive)
    var other = DetailsReader(root: folder.root, archive: parsed)
    for entries in [all] + all.map({ [$0] }) {
      try reader.read(entries)
      try other.read(entries)
      #expect(bodies(reader) == bodies(other))
    }
  }

  @Test(
    "A file that changed since the scan is an error",
    arguments: [true, false],
    [true, false]
  )
  func changed(grows: Bool, isKept: Bool) async throws {
    // Of smaller files what was kept from the scan would do.
    let rest = "\n" + #"{"id":"m2","date":0,"body":"\#(String(repeating: "x", count: 70_000))"}"#
    func text(_ body: String) -> String {
      #"{"id":"m1","date":"2024-01-01T00:00:00Z","body":"\#(body)"}"# + rest
    }
    let folder = try TemporaryArchive(["Content/channels/c/m.jsonl": text("hello")])
    var (archive, _) = try await folder.read()
    #expect(!archive.texts[0].isEmpty)
    if !isKept { archive.texts = [] }
    try folder.write("Content/channels/c/m.jsonl", text(grows ? "hellllo" : "hallo"))
    #expect(throws: DetailsError.changed(path: "Content/channels/c/m.jsonl")) {
      var reader = DetailsReader(root: folder.root, archive: archive)
      try reader.read([EntryID(1)])
    }
  }

  /// Records across the borders of blocks, asked for once and again, near and far from others.
  @Test("Scattered records of a large file")
  func scattered() async throws {
    var lines = ""
    let bodies = (0..<9000).map { "\($0) " + String(repeating: "x", count: ($0 * 37) % 90) }
    for (index, body) in bodies.enumerated() {
      lines += #"{"id":"m\#(index)","date":\#(index),"body":"\#(body)"}"# + "\n"
    }
    let folder = try TemporaryArchive(["Content/channels/c/m.jsonl": lines])
    var (archive, _) = try await folder.read()
    archive.texts = []
    var reader = DetailsReader(root: folder.root, archive: archive)
    for step in [1, 7, 100, 1009] {
      for start in 0..<min(step, 12) {
        let entries = stride(from: start, to: bodies.count, by: step)
        try reader.read(entries.map { EntryID($0) })
        #expect(self.bodies(reader) == entries.map { bodies[$0] })
      }
    }
  }
}

extension DetailsReaderTests {
  @Test("Many nested comments of one record, page by page")
  func nested() async throws {
    let comments = (0..<1000).map {
      #"{"id":"c\#($0)","date":\#((7 * $0) % 1000),"body":"body \#($0)"}"#
    }
    let folder = try TemporaryArchive([
      "Content/posts/p.json":
        #"{"date":0,"body":"post","comments":[\#(comments.joined(separator: ","))]}"#
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics == [])
    var reader = DetailsReader(root: folder.root, archive: archive)
    var seen: [String] = []
    for start in stride(from: 0, to: 1001, by: 77) {
      let page = start..<min(start + 77, 1001)
      try reader.read(page.map { EntryID($0) })
      for (index, entry) in page.enumerated() {
        let body = reader.body(index).withUnsafeBufferPointer {
          String(decoding: $0, as: UTF8.self)
        }
        #expect(body == (entry == 0 ? "post" : "body \(archive.id(entry).dropFirst())"))
        seen.append(body)
      }
    }
    #expect(Set(seen).count == 1001)
  }

  /// Or a post with many comments would take time by the square of their number: other bytes, put in
  /// the file's place unseen, are not met.
  @Test("A record that many pages show is read once", arguments: ["", #","mood":"good""#])
  func once(_ field: String) async throws {
    let comments = (0..<300).map {
      #"{"id":"c\#($0)","date":\#($0),"body":"body \#($0)"\#(field)}"#
    }
    let folder = try TemporaryArchive([
      "Content/posts/p.json":
        #"{"date":0,"body":"post","comments":[\#(comments.joined(separator: ","))]}"#
    ])
    var (archive, _) = try await folder.read()
    archive.texts = []
    #expect(archive.entries[1].flags.contains(.plain) == field.isEmpty)
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read((1..<100).map { EntryID($0) })
    let path = folder.root + "/Content/posts/p.json"
    var status = stat()
    try #require(stat(path, &status) == 0)
    let file = open(path, O_WRONLY)
    let other = [UInt8](repeating: UInt8(ascii: "x"), count: Int(status.st_size))
    #expect(write(file, other, other.count) == other.count)
    #expect(futimens(file, [status.st_atim, status.st_mtim]) == 0)
    close(file)
    try reader.read((100..<200).map { EntryID($0) })
    #expect(bodies(reader) == (100..<200).map { "body \(archive.id($0).dropFirst())" })
  }

  @Test("Equal entries without ids, and thousands of one id, are told apart")
  func manyEqual() async throws {
    let folder = try TemporaryArchive([
      "Content/channels/a/m.jsonl": String(repeating: "{}\n", count: 8_000),
      "Content/channels/b/m.jsonl": String(
        repeating: #"{"id":"x","date":0}"# + "\n",
        count: 8_000
      ),
    ])
    let (archive, _) = try await folder.read()
    #expect(archive.entries.count == 16_000)
    #expect(Set(archive.channels[0].messages.map { archive.id($0) }).count == 8_000)
    #expect(Set(archive.channels[1].messages.map { archive.name($0) }).count == 8_000)
  }
}
