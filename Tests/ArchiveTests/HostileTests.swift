import Bytes
import JSON
import Testing

@testable import Archive

/// Inputs of Fixtures/hostile and Fixtures/json: no crash, the bad named, the good shown.
@Suite("Hostile content")
struct HostileTests {
  private static let hostile = Fixtures.folder + "/hostile"

  @Test("Front matter", arguments: try! FileSystem.list(hostile + "/front-matter").map(\.name))
  func frontMatter(_ name: String) async throws {
    let folder = try TemporaryArchive([
      "Content/posts/good.md": "---\ntitle: good\ndate: 2024-01-01\n---\nbody\n"
    ])
    let bytes = try FileSystem.read("\(Self.hostile)/front-matter/\(name)")
    try folder.write("Content/posts/\(name)", bytes: bytes)
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.posts.count == 2)
    #expect(archive.posts.contains { $0.title == "good" })
    let broken = [
      "alias-bomb.md", "deep-flow.md", "merge-loop.md", "self-alias.md", "tabs.md",
      "long-key.md", "toml-bad-key.md",
    ]
    let errors = diagnostics.filter { $0.severity == .error }
    #expect(broken.contains(name) || name == "colon.md" ? errors.count == 1 : errors.isEmpty)
    for error in errors {
      #expect(error.path == "Content/posts/\(name)")
      #expect(error.line > 0)
    }
    if name == "colon.md" { #expect(archive.posts.contains { $0.title == "a: b" }) }
    if name == "html.md" {
      #expect(archive.posts.allSatisfy { !$0.slug.contains("/") && $0.slug != ".." })
    }
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read(archive.posts.map(\.entry))
    for index in 0..<reader.count {
      let isValid = UnicodeText.isValidUTF8(reader.body(index))
      #expect(isValid)
    }
  }

  /// Messages shown of each file; where it isn't listed, only that the good neighbour is.
  private static let shown: [String: Int] = [
    "dup_ids.json": 2, "dup_ids_nfc_nfd.json": 2, "dup_ids_type.json": 3, "dup_keys.json": 1,
    "id_big_int.json": 3, "id_case_collision.json": 2, "id_null_missing.json": 3,
    "msg_lone_high.json": 3, "msg_nul.json": 1, "msg_raw_controls.json": 1,
    "msg_raw_invalid_utf8.json": 1, "ndjson_crlf_blank.ndjson": 2,
    "ndjson_no_final_newline.ndjson": 2, "ndjson_one_bad_line.ndjson": 2, "wrong_types.json": 2,
    "html_in_every_field.json": 1, "number_0e1.json": 1, "number_1e400.json": 1,
    "truncated_after_comma.json": 1, "trailing_comma.json": 0, "depth_513_in_content.json": 0,
  ]

  @Test("Message files", arguments: try! FileSystem.list(Fixtures.folder + "/json/own").map(\.name))
  func messages(_ name: String) async throws {
    let folder = try TemporaryArchive([
      "Content/channels/c/good.jsonl": #"{"id":"good","author":"Ada","date":0,"body":"good"}"#
    ])
    let bytes = try FileSystem.read("\(Fixtures.folder)/json/own/\(name)")
    try folder.write("Content/channels/c/\(name)", bytes: bytes)
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.entries.indices.contains { archive.id($0) == "good" })
    if let shown = Self.shown[name] {
      #expect(archive.entries.count == shown + 1, "\(diagnostics)")
    }
    let names = archive.entries.indices.map { archive.name($0) }
    let keys = names.map { PathName.collisionKey(of: Array($0.utf8).span) }
    #expect(Set(keys).count == keys.count)
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read(archive.entries.indices.map { EntryID($0) })
    #expect(reader.count == archive.entries.count)
  }

  @Test("Dates: a message whose date can't be read is shown as undated, with a warning")
  func dates() async throws {
    let file = try FileSystem.read(Self.hostile + "/structure/dates.json")
    var parser = JSONParser()
    let dates = try parser.parse(file.span)["dates"]?.elements.compactMap { $0.text?.string } ?? []
    #expect(dates.count > 80)
    var lines = ByteBuffer()
    for (number, date) in dates.enumerated() {
      lines.append(text: #"{"id":"d\#(number)","body":"x","date":"#)
      lines.appendJSON(string: date)
      lines.append("}\n")
    }
    for number in ["0", "-1", "1704067200", "1704067200.5", "1e300", "253402300800", "1e18"] {
      lines.append(text: #"{"id":"n\#(number)","body":"x","date":\#(number)}"# + "\n")
    }
    let folder = try TemporaryArchive()
    try folder.write("Content/channels/c/dates.jsonl", bytes: lines.array)
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.entries.count == dates.count + 7)
    let undated = archive.entries.filter { $0.date.isUndated }.count
    #expect(diagnostics.count == undated)
    #expect(undated > 30 && undated < 70)
    #expect(archive.entries[..<undated].allSatisfy { $0.date.isUndated })
    #expect(archive.entries[undated...].allSatisfy { $0.date.isInRange })
  }

  /// The strings of a fixture of one JSON string a line.
  private func strings(_ name: String) throws -> [[UInt8]] {
    let file = try FileSystem.read("\(Self.hostile)/\(name)")
    var parser = JSONParser()
    return file.split(separator: 0x0A).compactMap { line in
      var mended = ByteBuffer()
      _ = JSONRepair.repair(Array(line).span, into: &mended)
      return (try? parser.parse(mended.bytes))?.text?.array
    }
  }

  @Test(
    "Hostile ids and names: all shown, under safe names that differ",
    arguments: ["paths.txt", "unicode-names.txt"]
  )
  func names(_ file: String) async throws {
    let names = try strings(file)
    #expect(names.count > 300)
    var lines = ByteBuffer()
    for (number, name) in names.enumerated() {
      lines.append(text: #"{"date":\#(number),"body":"x","id":"#)
      lines.appendJSON(string: name.span)
      lines.append(#","author":"#)
      lines.appendJSON(string: name.span)
      lines.append(#","tags":["#)
      lines.appendJSON(string: name.span)
      lines.append(#"],"media":["#)
      lines.appendJSON(string: name.span)
      lines.append("]}\n")
    }
    let folder = try TemporaryArchive()
    try folder.write("Content/channels/c/all.jsonl", bytes: lines.array)
    try folder.write("Content/posts/all.jsonl", bytes: lines.array)
    let (archive, _) = try await folder.read()
    #expect(archive.entries.count == 2 * names.count)
    func check(_ names: [[UInt8]]) {
      for name in names {
        #expect(!name.isEmpty && name.count <= 200)
        #expect(!name.contains(UInt8(ascii: "/")) && !name.contains(0))
        #expect(name != Array("..".utf8) && name != Array(".".utf8))
        #expect(name == UnicodeText.nfc(name.span))
      }
      #expect(Set(names.map { PathName.collisionKey(of: $0.span) }).count == names.count)
    }
    check(archive.channels[0].messages.map { Array(archive.name($0).utf8) })
    check(archive.posts.map { Array($0.slug.utf8) })
    check(archive.people.map { Array($0.name.utf8) })
    check(archive.tags.map { Array($0.name.utf8) })
    for post in archive.posts {
      #expect(archive.entry(for: archive.reference(of: post.entry)) == post.entry)
    }
    for index in archive.channels[0].messages {
      #expect(archive.entry(for: archive.reference(of: EntryID(index))) == EntryID(index))
    }
    var reader = DetailsReader(root: folder.root, archive: archive)
    try reader.read(archive.entries.indices.map { EntryID($0) })
    for index in 0..<reader.count {
      for medium in reader.rare(index)?.media ?? [] { #expect(medium.file == nil) }
    }
  }

  @Test("Links, pipes and odd names in the content folder are left out and named")
  func links() async throws {
    let folder = try TemporaryArchive(["Content/posts/good.md": "---\ndate: 2024-01-01\n---\nbody"])
    let posts = "\(folder.root)/Content/posts"
    makeOddFiles(in: posts)
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.posts.count == 1)
    #expect(archive.media.files.isEmpty)
    #expect(
      diagnostics.map(\.path) == [
        "Content/posts/bad\\xff.md", "Content/posts/link.md", "Content/posts/loop",
        "Content/posts/pipe.md",
      ]
    )
  }

  @Test("One bad record at any place costs no other", arguments: [0, 1, 57, 198, 199])
  func oneBad(_ place: Int) async throws {
    let lines = (0..<200).map { number in
      number == place
        ? #"{"id":"m\#(number)","date":}"# : #"{"id":"m\#(number)","date":\#(number)}"#
    }
    for (name, text) in [
      ("all.jsonl", lines.joined(separator: "\n")),
      ("all.json", "[" + lines.joined(separator: ",\n") + "]"),
    ] {
      let folder = try TemporaryArchive(["Content/channels/c/\(name)": text])
      let (archive, diagnostics) = try await folder.read()
      #expect(archive.entries.count == 199)
      #expect(diagnostics.count == 1)
      #expect(diagnostics.first?.line == place + 1)
      #expect(diagnostics.first?.severity == .error)
    }
  }
}
