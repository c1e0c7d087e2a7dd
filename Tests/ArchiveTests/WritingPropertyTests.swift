import Bytes
import Testing

@testable import Archive

/// What an edit must keep: everything that it doesn't name.
@Suite
struct WritingPropertyTests {
  /// An entry as a reader sees it.
  struct Seen: Equatable {
    var reference: String
    var kind: Entry.Kind
    var audience: Audience
    var flags: UInt16
    var author: String
    var parent: String
    var date: Timestamp
    var updated: Timestamp
    var likes: UInt32
    var body: String
    var rare: RareFields?
  }

  private func see(_ archive: Archive, root: String) throws -> [Seen] {
    var details = DetailsReader(root: root, archive: archive)
    let ids = archive.entries.indices.map { EntryID($0) }
    try details.read(ids)
    return ids.map { id in
      let entry = archive.entries[id.index]
      let person = entry.author == .none ? nil : archive.people[entry.author.index]
      return Seen(
        reference: archive.reference(of: id),
        kind: entry.kind,
        audience: entry.audience,
        flags: entry.flags.rawValue,
        author: person?.id ?? "",
        parent: entry.parent == .none ? "" : archive.reference(of: entry.parent),
        date: entry.date,
        updated: entry.updated,
        likes: entry.likes,
        body: String(decoding: details.body(id.index).array, as: UTF8.self),
        rare: details.rare(id.index)
      )
    }
  }

  /// The bytes that differ, cut off where both files begin and end alike.
  private func difference(_ old: [UInt8], _ new: [UInt8]) -> (old: Range<Int>, new: Range<Int>) {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
    }
    return (start..<old.count - end, start..<new.count - end)
  }

  /// Edits one entry after another, and looks at the whole archive after each.
  private func editEntries(
    of archive: TemporaryArchive,
    every step: Int,
    from start: Int = 0
  ) async throws -> (edited: Int, refused: [String]) {
    var edited = 0
    var refused: [String] = []
    var (read, _) = try await archive.read(audience: .private, drafts: true)
    let references = try see(read, root: archive.root).map(\.reference)
    for number in stride(from: start, to: references.count, by: step) {
      let reference = references[number]
      let before = try see(read, root: archive.root)
      let id = try #require(read.entry(for: reference))
      let entry = read.entries[id.index]
      if entry.isTombstone { continue }
      let path = "\(archive.root)/\(read.files[entry.record.file.index].path)"
      let old = try FileSystem.read(path)
      var changes = EntryChanges()
      let body = "Edited \(number): \"quotes\", 下雨, a: b # c\n\n- second paragraph"
      changes.body = body
      changes.liked = !entry.flags.contains(.liked)
      changes.title = "T\(number): it's \"new\""
      let now = Timestamp(milliseconds: fixedNow.milliseconds + Int64(number) * 1000 - 345)
      do {
        _ = try await ArchiveWriter(root: archive.root, now: now).edit(reference, changes)
      } catch let error as WritingError {
        refused.append("\(reference): \(error.headline)")
        #expect(try FileSystem.read(path) == old)
        continue
      }
      edited += 1
      let new = try FileSystem.read(path)
      let change = difference(old, new)
      let start = Int(entry.record.offset)
      #expect(change.old.lowerBound >= start, "\(reference)")
      #expect(change.old.upperBound <= start + Int(entry.record.length), "\(reference)")
      (read, _) = try await archive.read(audience: .private, drafts: true)
      let after = try see(read, root: archive.root)
      #expect(after.count == before.count)
      for seen in after {
        let was = try #require(
          before.first { $0.reference == seen.reference },
          "\(reference) made \(seen.reference)"
        )
        if seen.reference != reference {
          #expect(seen == was, "\(reference) changed \(seen.reference)")
          continue
        }
        #expect(seen.body.replacing("\r\n", with: "\n") == body, "\(reference)")
        #expect(seen.updated == now, "\(reference)")
        #expect(seen.date == was.date && seen.author == was.author && seen.parent == was.parent)
        #expect(seen.audience == was.audience)
        let (rare, rareBefore) = (seen.rare ?? RareFields(), was.rare ?? RareFields())
        #expect(rare.extra == rareBefore.extra && rare.tags == rareBefore.tags)
        #expect(rare.media == rareBefore.media && rare.reactions == rareBefore.reactions)
        let likes = changes.liked == true ? was.likes + 1 : max(was.likes, 1) - 1
        #expect(seen.likes == likes, "\(reference)")
      }
    }
    return (edited, refused)
  }

  @Test
  func theSampleKeepsEverythingElse() async throws {
    let archive = try TemporaryArchive()
    let root = Fixtures.folder.split(separator: "/").dropLast(2).joined(separator: "/")
    try archive.copy("/\(root)/Content", to: "Content")
    try archive.write(
      "stillfeed.yml",
      bytes: FileSystem.read("/\(root)/stillfeed.yml")
    )
    let result = try await editEntries(of: archive, every: 61)
    #expect(result.refused.isEmpty)
    #expect(result.edited > 4)
  }

  @Test(arguments: try! FileSystem.list(Fixtures.folder + "/markdown").map(\.name))
  func postsOfOtherGeneratorsKeepTheirFrontMatter(_ name: String) async throws {
    let archive = try TemporaryArchive()
    let folder = Fixtures.folder + "/markdown/" + name
    guard FileSystem.isDirectory(folder) else { return }
    try archive.copy(folder, to: "Content/posts")
    let result = try await editEntries(of: archive, every: 1)
    // What is refused has a reason that a person can act on.
    for refusal in result.refused {
      let reasons = ["anchor", "program", "alias", "no mapping", "UTF-8", "valid", "read as"]
      #expect(reasons.contains { refusal.contains($0) }, "\(refusal)")
    }
    #expect(result.edited > 0 || !result.refused.isEmpty)
  }

  @Test
  func commentsOfOtherToolsKeepTheirFields() async throws {
    let archive = try TemporaryArchive(["Content/posts/p.md": "Post\n"])
    try archive.copy(Fixtures.folder + "/comments", to: "Content/comments/p")
    let result = try await editEntries(of: archive, every: 5)
    #expect(result.edited > 0)
  }
}
