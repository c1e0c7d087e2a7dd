import Bytes
import Testing

@Suite
struct UnicodeTextTests {
  @Test
  func repairsByMaximalSubparts() throws {
    let rows = try Fixtures.rows("text/repair.tsv")
    #expect(rows.count == 111)
    for row in rows {
      let bytes = try Fixtures.hexadecimal(row[0])
      #expect(UnicodeText.repaired(bytes.span) == (try Fixtures.hexadecimal(row[1])), "\(row[0])")
      #expect(UnicodeText.isValidUTF8(bytes.span) == (row[2] == "valid"), "\(row[0])")
    }
  }

  @Test(arguments: [
    ("e\u{301}", "\u{E9}"), ("\u{E9}", "\u{E9}"), ("\u{212B}", "\u{C5}"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}"),
    ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"), ("\u{FB01}", "\u{FB01}"), ("", ""), ("abc", "abc"),
    ("\u{0958}", "\u{0915}\u{093C}"),
  ])
  func composes(text: String, expected: String) {
    #expect(UnicodeText.nfc(Array(text.utf8).span) == Array(expected.utf8))
  }

  @Test
  func composesWhatItRepaired() {
    #expect(UnicodeText.nfc([0x65, 0xCC, 0x81, 0xFF].span) == Array("\u{E9}\u{FFFD}".utf8))
    #expect(UnicodeText.nfc([0x61, 0xFF].span) == Array("a\u{FFFD}".utf8))
  }

  @Test(arguments: [
    ("Straße", "STRASSE"), ("É", "e\u{301}"), ("ΣΑΣ", "σας"), ("\u{FB01}", "FI"),
    ("\u{1E9E}", "ss"),
    ("\u{212A}", "k"), ("\u{3B1}\u{345}\u{313}", "\u{1F80}"), ("ABC", "abc"),
  ])
  func foldsTogether(left: String, right: String) {
    #expect(
      UnicodeText.caseFolded(Array(left.utf8).span)
        == UnicodeText.caseFolded(Array(right.utf8).span)
    )
  }

  @Test
  func keepsApartWhatDiffers() {
    #expect(
      UnicodeText.caseFolded(Array("ı".utf8).span) != UnicodeText.caseFolded(Array("i".utf8).span)
    )
    #expect(UnicodeText.caseFolded(Array("a@[`{".utf8).span) == Array("a@[`{".utf8))
  }

  @Test
  func longRunsOfMarksCostNoSquare() {
    let marks = String(repeating: "\u{301}\u{323}", count: 200_000)
    let bytes = Array("a\(marks)".utf8)
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(UnicodeText.nfc(bytes.span) == bytes)
      #expect(UnicodeText.caseFolded(bytes.span) == bytes)
    }
    #expect(time < .seconds(5))
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 1), (3, 3), (4, 3), (6, 3), (7, 7), (8, 7), (-1, 0)])
  func cutsBetweenScalars(limit: Int, length: Int) {
    let text = Array("aé😀".utf8)
    #expect(UnicodeText.truncate(text.span, to: limit) == Array(text[..<length]))
  }

  @Test
  func seesTheFirstByteBeyondASCIIAnywhere() {
    for length in 0..<20 {
      var bytes = [UInt8](repeating: 0x7F, count: length)
      #expect(UnicodeText.isASCII(bytes.span) == true)
      for position in 0..<length {
        bytes[position] = 0x80
        #expect(UnicodeText.isASCII(bytes.span) == false)
        bytes[position] = 0x7F
      }
    }
  }

  /// A Thai letter after the text changes nothing, but is not known to the fast path.
  @Test
  func theFastPathIsTheSlowOneForEveryCharacterItKnows() {
    let thai = Array("\u{E01}".utf8)
    // Beyond plane 0 the fast path knows only U+1F000 to U+1FFFF.
    for value in Array(0...0xFFFF as ClosedRange<UInt32>) + Array(0x1F000...0x1FFFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = Array(String(scalar).utf8)
      let slow = text + thai
      if UnicodeText.nfc(text.span) + thai != UnicodeText.nfc(slow.span)
        || UnicodeText.caseFolded(text.span) + thai != UnicodeText.caseFolded(slow.span)
      {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test
  func theFastPathIsTheSlowOneForMixedText() {
    let thai = Array("\u{E01}".utf8)
    let alphabet = Array("aÉßĲµΣς·Ий가각ᆨかが\u{3099}漢，Ａ…—😀\u{301}\u{345} e\u{FB01}".unicodeScalars)
    var state: UInt64 = 5
    for length in 0..<3000 {
      var string = ""
      for _ in 0..<length % 12 {
        state = Fingerprint.mix(state, 0x77)
        string.unicodeScalars.append(alphabet[Int(state % UInt64(alphabet.count))])
      }
      let text = Array(string.utf8)
      let slow = text + thai
      if UnicodeText.nfc(text.span) + thai != UnicodeText.nfc(slow.span)
        || UnicodeText.caseFolded(text.span) + thai != UnicodeText.caseFolded(slow.span)
      {
        Issue.record("\(string.unicodeScalars.map(\.value))")
      }
    }
  }
}
