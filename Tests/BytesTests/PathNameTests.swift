import Bytes
import Testing

@Suite
struct PathNameTests {
  static let files = ["hostile/paths.txt", "hostile/unicode-names.txt"]

  private func name(_ text: String) -> String {
    String(decoding: PathName.fileName(for: Array(text.utf8).span), as: UTF8.self)
  }

  /// Whether a name is safe on every common file system; written apart from the code under test.
  private func isSafe(_ name: [UInt8]) -> Bool {
    guard let text = String(validating: name, as: UTF8.self), (1...200).contains(name.count) else {
      return false
    }
    let scalars = Array(text.unicodeScalars)
    let forbidden = scalars.contains { scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || "/\\:*?\"<>|\u{2028}\u{2029}\u{202E}".unicodeScalars.contains(scalar)
    }
    let ends = [scalars[0], scalars[scalars.count - 1]].contains {
      ". ".unicodeScalars.contains($0)
    }
    let stem = text.uppercased().split(separator: ".", omittingEmptySubsequences: false)[0]
    let devices = ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] }
    return !forbidden && !ends && !devices.contains(String(stem))
      && UnicodeText.nfc(name.span) == name
  }

  @Test(arguments: files)
  func hostileIdsGiveSafeNames(file: String) throws {
    let ids = try Fixtures.strings(file)
    #expect(ids.count > 300)
    for id in ids {
      let name = PathName.fileName(for: id.span)
      let suffixed = PathName.suffixedFileName(for: id.span)
      #expect(isSafe(name) && isSafe(suffixed), "\(id): \(name)")
      #expect(PathName.fileName(for: id.span) == name)
    }
  }

  @Test
  func distinctIdsGiveDistinctNamesWhereCaseAndNormalisationAreFolded() throws {
    var ids = try Self.files.flatMap { try Fixtures.strings($0) }
    ids += ["Straße", "STRASSE", "strasse", "é", "e\u{301}", "É", "ﬁ", "fi", "Σ", "ς", "σ"].map {
      Array($0.utf8)
    }
    ids += (0..<300).map { Array(String(repeating: "a", count: 190 + $0).utf8) }
    var names = FileNames()
    var seenIds: Set<[UInt8]> = []
    var keys: Set<[UInt8]> = []
    for id in ids where seenIds.insert(id).inserted {
      let name = names.name(for: id.span)
      #expect(isSafe(name.bytes))
      let key = UnicodeText.caseFolded(name.bytes.span)
      #expect(keys.insert(key).inserted, "\(name.string) is taken")
    }
    #expect(seenIds.count > 1100)
  }

  @Test
  func theEarlierIdKeepsItsName() {
    var names = FileNames()
    #expect(names.name(for: "Straße").string == "Straße")
    let second = names.name(for: "STRASSE")
    #expect(second.wasTaken)
    #expect(second.string.hasPrefix("STRASSE-"))
    #expect(second.bytes.count == 16)
    names.reserve("page")
    #expect(names.name(for: "Page").wasTaken)
  }

  @Test
  func anIdMadeToHitASuffixedNameGetsAnother() {
    var names = FileNames()
    let suffixed = PathName.suffixedFileName(for: Array("A".utf8).span)
    let first = names.name(for: suffixed.span)
    #expect(first.bytes == suffixed)
    _ = names.name(for: "a")
    let third = names.name(for: "A")
    #expect(third.wasTaken)
    #expect(third.bytes != suffixed)
  }

  @Test(arguments: [
    "hello", "2024-05-17_a.b~c", "Grüße", "日本語", "👨‍👩‍👦", "a b", "a%2fb", "con-fig", "console", "COM10",
    "a&b'c", "#1",
  ])
  func ordinaryIdsStayAsTheyAre(id: String) {
    #expect(Array(name(id).utf8) == Array(id.utf8))
  }

  @Test(arguments: [
    ("", "id"), (".", "id"), ("..", "id"), ("...", "id"), (" ", "id"), ("../x", "-x"), ("/x", "-x"),
    ("a/b", "a-b"), ("a\\b", "a-b"), ("a//\u{7}b", "a-b"), ("CON", "CON"), ("nul.txt", "_nul.txt"),
    ("com¹", "com¹"), ("con .x", "_con .x"), (".htaccess", "htaccess"), ("x. ", "x"),
    ("a\u{202E}b", "a-b"),
    ("a?", "a-"),
  ])
  func whatCannotStandIsAlteredAndHashed(id: String, start: String) {
    let name = name(id)
    let expected = Array(start.utf8)
    #expect(Array(name.utf8.prefix(expected.count)) == expected)
    #expect(name.utf8.count == expected.count + 9)
  }

  @Test
  func decomposedIdsAreNamedByTheirComposedForm() {
    #expect(Array(name("e\u{301}").utf8) == Array("\u{E9}".utf8))
  }

  @Test
  func longIdsAreCutBetweenScalars() {
    let id = String(repeating: "é", count: 101)
    #expect(name(id).utf8.count == 199)
    #expect(name(id).unicodeScalars.dropLast(9).allSatisfy { $0 == "é" })
    // Far beyond what is examined, the hash still tells ids apart.
    let long = String(repeating: "x", count: 5000)
    #expect(name(long + "a") != name(long + "b"))
  }
}
