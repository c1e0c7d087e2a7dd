import Bytes
import Testing

@testable import Archive

/// Ids that grow with time take a shorter way than those behind them; who has a name and who is
/// answered must not depend on it.
@Suite("Orderly ids")
struct OrderlyIDsTests {
  private typealias Dice = ContentCacheTests.Dice

  fileprivate struct Line {
    var id: String
    var parent: String?
    var isHidden: Bool
    var json: String
  }

  /// Messages in time order, of which one in `rarity` has an id unlike the others.
  private func lines(_ count: Int, rarity: Int, from first: Int, _ dice: inout Dice) -> [Line] {
    var lines: [Line] = []
    for number in 0..<count {
      let other = dice.roll(number + 1)
      let odd = [
        "new\(number)", "M\(other)", "m\(other)", "x y\(other)", "é\(number)", "E\u{301}\(number)",
        "con", "a.b-c_\(number)", "NEW\(other)", "m\(other)-1",
      ]
      let isOdd = number >= first && dice.roll(rarity) == 0
      let id = isOdd ? odd[dice.roll(odd.count)] : "m\(number)"
      let parent = dice.roll(3) == 0 ? lines.randomID(&dice) : nil
      let isHidden = dice.roll(9) == 0
      let json =
        #"{"id":"\#(id)","date":\#(1_000_000 + number),"author":"Ada","body":"x""#
        + (parent.map { #","replyTo":"\#($0)""# } ?? "")
        + (isHidden ? #","audience":"friends"}"# : "}")
      lines.append(Line(id: id, parent: parent, isHidden: isHidden, json: json))
    }
    return lines
  }

  /// What must hold of the lines of one container, which stand at `entries` in time order.
  private func check(_ lines: [Line], _ archive: Archive, _ entries: Range<Int>, _ what: String) {
    var firsts: [String: Int] = [:]
    for (index, line) in lines.enumerated() where firsts[line.id] == nil { firsts[line.id] = index }
    var isGone: [Bool] = []
    for line in lines {
      isGone.append(line.isHidden || line.parent.flatMap { firsts[$0] }.map { isGone[$0] } ?? false)
    }
    let seen = lines.indices.filter { !isGone[$0] }
    guard seen.count == entries.count else {
      Issue.record("\(what): \(entries.count) entries, not \(seen.count)")
      return
    }
    var place: [Int: Int] = [:]
    for (index, line) in seen.enumerated() { place[line] = entries.lowerBound + index }
    var taken: Set<String> = []
    for line in seen {
      let entry = place[line] ?? 0
      let parent = lines[line].parent.flatMap { firsts[$0] }.flatMap { place[$0] }
      #expect(
        archive.entries[entry].parent == parent.map { EntryID($0) } ?? .none,
        "\(what) \(line)"
      )
      let (id, name) = (lines[line].id, archive.name(entry))
      let isSafe = id != "con" && !id.contains(" ")
      let isFree = taken.insert(folded(name)).inserted
      #expect(isFree, "\(what) \(line): \(name)")
      if isSafe, !taken.contains(folded(id)) || folded(name) == folded(id) {
        #expect(name == id, "\(what) \(line)")
      }
    }
  }

  private func folded(_ name: String) -> String {
    String(decoding: PathName.collisionKey(of: Array(name.utf8).span), as: UTF8.self)
  }

  @Test(
    "Names and parents are those of the plain rules",
    arguments: [1, 2, 3, 4, 5, 6] as [UInt64],
    [(1, 0), (2, 0), (40, 0), (3, 290), (1, 299), (1000, 300)]
  )
  func rules(_ seed: UInt64, _ odd: (rarity: Int, first: Int)) async throws {
    var dice = Dice(state: seed)
    let lines = (0..<3).map { _ in self.lines(300, rarity: odd.rarity, from: odd.first, &dice) }
    let text = lines.map { $0.map(\.json).joined(separator: "\n") }
    for hasPosts in [false, true] {
      let folder = try TemporaryArchive([
        "Content/channels/a/m.jsonl": text[0], "Content/channels/b/m.jsonl": text[1],
      ])
      if hasPosts {
        try folder.write(
          "Content/posts/first.md",
          "---\ndate: 2020-01-01\naudience: friends\n---\n"
        )
        try folder.write("Content/comments/first.jsonl", #"{"id":"c1","date":5,"body":"gone"}"#)
        try folder.write("Content/posts/later.md", "---\ndate: 2021-01-01\n---\n")
        try folder.write("Content/comments/later.jsonl", text[2])
      }
      for audience in [Audience.everyone, .private] {
        let archive = try await folder.read(audience: audience).archive
        let shown = lines.map { lines in
          lines.map { line in
            var line = line
            if audience == .private { line.isHidden = false }
            return line
          }
        }
        func range(_ kind: Entry.Kind, _ container: Int) -> Range<Int> {
          let all = archive.entries.indices.filter {
            archive.entries[$0].kind == kind && Int(archive.entries[$0].container) == container
          }
          return (all.first ?? 0)..<(all.last ?? -1) + 1
        }
        let what = "\(odd) \(audience) \(hasPosts)"
        check(shown[0], archive, range(.message, 0), what + " a")
        check(shown[1], archive, range(.message, 1), what + " b")
        if hasPosts {
          let post = try #require(archive.posts.firstIndex { $0.slug == "later" })
          check(shown[2], archive, range(.comment, post), what + " comments")
        }
      }
    }
  }

  @Test("A derived id is a name, too", arguments: [1, 2, 3])
  func derived(_ count: Int) async throws {
    let lines = (0..<count).map { #"{"author":"Ada","date":\#(1000 - $0),"body":"x"}"# }
    let folder = try TemporaryArchive([
      "Content/channels/a/m.jsonl": lines.joined(separator: "\n"),
      "Content/channels/b/m.jsonl": lines[0],
      "Content/posts/p.md": "---\ndate: 2020-01-01\n---\n",
      "Content/comments/p.jsonl": lines.joined(separator: "\n"),
    ])
    let archive = try await folder.read().archive
    #expect(archive.entries.count == 2 * count + 2)
    for entry in archive.entries.indices where archive.entries[entry].kind != .post {
      #expect(archive.name(entry) == archive.id(entry))
      #expect(archive.id(entry).utf8.count == 12)
    }
  }

  @Test("Orderly beginnings follow entries that go, and their posts")
  func follow() throws {
    var orderly = OrderlyIDs(
      [.init(number: 0, count: 4, orderly: 4), .init(number: 2, count: 5, orderly: 4)],
      count: 3
    )
    #expect(orderly.odd == [8..<9])
    orderly.follow([0, .max, 1, 2, 3, .max, .max, 4, 5])
    #expect(orderly.odd == [5..<6])
    // Fewer than three of four are none.
    #expect(OrderlyIDs([.init(number: 0, count: 8, orderly: 5)], count: 1).odd == [0..<8])
  }
}

extension [OrderlyIDsTests.Line] {
  fileprivate func randomID(_ dice: inout ContentCacheTests.Dice) -> String? {
    isEmpty ? nil : self[dice.roll(count)].id
  }
}
