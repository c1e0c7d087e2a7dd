import Bytes
import Testing

@testable import Archive

@Suite("Ids and names")
struct IdentityTests {
  private func read(_ lines: String) async throws -> (archive: Archive, diagnostics: [Diagnostic]) {
    try await TemporaryArchive(["Content/channels/c/m.jsonl": lines]).read()
  }

  @Test("A missing id comes from author and date, and survives an edit of the body")
  func derived() async throws {
    let first = try await read(#"{"author":"Ada","date":"2024-01-01T10:00:00Z","body":"one"}"#)
      .archive
    let edited = try await read(
      """
      {"author":"Bo","date":"2023-01-01T10:00:00Z","body":"earlier"}
      {"author":"Ada","date":"2024-01-01T12:00:00+02:00","body":"one, edited"}
      """
    ).archive
    #expect(first.id(0) == edited.id(1))
    #expect(first.id(0).count == 12)
  }

  @Test("Equal author and date: the body, then an ordinal, tell them apart")
  func equals() async throws {
    let line = #"{"author":"Ada","date":"2024-01-01T10:00:00Z","body":"#
    let archive = try await read(
      [#""a"}"#, #""b"}"#, #""b"}"#, #""b"}"#].map { line + $0 }.joined(separator: "\n")
    ).archive
    let ids = archive.entries.indices.map { archive.id($0) }
    #expect(Set(ids).count == 4)
    let more = try await read(
      [#""a"}"#, #""b"}"#, #""b"}"#, #""b"}"#, #""b"}"#].map { line + $0 }.joined(separator: "\n")
    ).archive
    #expect(Set(more.entries.indices.map { more.id($0) }).isSuperset(of: ids))
  }

  @Test("Of equal ids the first in time keeps the name; all are shown, each with a warning")
  func duplicates() async throws {
    let lines = (0..<100).map { #"{"id":"m\#($0 % 10)","date":\#(1000 - $0),"body":"\#($0)"}"# }
    let (archive, diagnostics) = try await read(lines.joined(separator: "\n"))
    #expect(archive.entries.count == 100)
    #expect(Set(archive.entries.indices.map { archive.name($0) }).count == 100)
    #expect(Set(archive.entries.indices.map { archive.id($0) }).count == 100)
    #expect(diagnostics.count == 90)
    // The oldest is line 100.
    #expect(archive.name(0) == "m9")
    #expect(!diagnostics.contains { $0.line == 100 })
  }

  @Test("Ids that are one name where case or normalisation is folded")
  func folding() async throws {
    for (first, second) in [("Ab", "aB"), ("\u{E9}", "e\u{301}"), ("straße", "STRASSE")] {
      let (archive, diagnostics) = try await read(
        #"{"id":"\#(first)","date":1}"# + "\n"
          + #"{"id":"\#(second)","date":2,"replyTo":"\#(first)"}"#
      )
      #expect(archive.name(0) == first)
      #expect(archive.id(1) == second)
      #expect(archive.name(1) != archive.name(0))
      #expect(archive.entries[1].parent == EntryID(0))
      #expect(diagnostics.map(\.line) == [2])
    }
  }

  @Test("Posts of one slug in different folders")
  func slugs() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/a/rain.md": "---\ndate: 2024-01-02\n---\nlater",
      "Content/posts/b/2024-01-01-rain.md": "earlier",
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.posts[0].slug == "rain")
    #expect(archive.posts[1].slug.hasPrefix("rain-"))
    #expect(diagnostics.map(\.path) == ["Content/posts/a/rain.md"])
    #expect(archive.reference(of: EntryID(0)) == "posts/rain")
  }

  @Test("The result is the same for any number of workers")
  func workers() async throws {
    let folder = try TemporaryArchive()
    for number in 0..<150 {
      try folder.write(
        "Content/posts/p\(number).md",
        "---\ndate: 2024-01-\(number % 28 + 1)\nauthor: a\(number % 7)\ntags: [t\(number % 5), u]\n---\nx"
      )
      try folder.write(
        "Content/channels/c\(number % 3)/f\(number).jsonl",
        #"{"author":"a\#(number % 11)","date":\#(number % 13),"body":"\#(number)"}"#
      )
    }
    func summary(_ archive: Archive) -> [String] {
      archive.entries.indices.map {
        "\(archive.id($0)) \(archive.name($0)) \(archive.author($0) ?? "") \(archive.entries[$0].fingerprint)"
      } + archive.people.map { "\($0.id) \($0.entries.map(\.rawValue))" }
        + archive.tags.map { "\($0.name) \($0.entries.map(\.rawValue))" }
    }
    let one = try await folder.read(workers: 1)
    for workers in [2, 3, 8] {
      let several = try await folder.read(workers: workers)
      #expect(summary(several.archive) == summary(one.archive))
      #expect(several.diagnostics == one.diagnostics)
    }
  }
}

extension IdentityTests {
  /// Ids that grow with time take a shorter way than others; both must find the same parents.
  @Test(arguments: [false, true])
  func parentsNearAndFar(isOrderly: Bool) async throws {
    // 389 is prime to 1003, so that parents lie near and far, before and after.
    let lines = (0..<1001).map { number in
      let id = isOrderly ? "m\(number)" : "M\(number)"
      let parent = (isOrderly ? "m" : "M") + "\((number * 389 + 17) % 1003)"
      return #"{"id":"\#(id)","date":\#(number),"replyTo":"\#(parent)"}"#
    }
    let archive = try await read(lines.joined(separator: "\n")).archive
    for (index, entry) in archive.entries.enumerated() where !entry.flags.contains(.cutCycle) {
      let wanted = (index * 389 + 17) % 1003
      #expect(entry.parent == (wanted > 1000 ? .none : EntryID(wanted)))
      #expect(entry.flags.contains(.missingParent) == (wanted > 1000))
    }
  }

  /// Platforms that count and keep whole seconds write many messages of one date.
  @Test("Of equal dates 9 comes before 10", arguments: [false, true])
  func countedIDs(isReversed: Bool) async throws {
    let ids = Array(7...13) + Array(97...103) + Array(998...1002)
    let lines = (isReversed ? ids.reversed() : ids).map { #"{"id":"m\#($0)","date":\#($0 / 50)}"# }
    let archive = try await read(lines.joined(separator: "\n")).archive
    #expect(archive.entries.indices.map { archive.id($0) } == ids.map { "m\($0)" })
  }
}
