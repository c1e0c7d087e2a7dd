/// What most text needs no table for: scripts in which no character can change under NFC, and the
/// folding of those that fold to one character.
///
/// utf8proc takes about 40 ns for a character, this 1 to 2. Held equal to it by a test over
/// every character.
enum UnicodeFastPath {
  /// How many bytes the character at `index` of well-formed text has, or 0 where it may combine or
  /// decompose under NFC, or is not known here.
  ///
  /// A character that composes only with a following mark is inert where that mark is not: so are
  /// Latin, Cyrillic, kana and Hangul syllables.
  @inline(__always)
  static func inertLength(_ text: Span<UInt8>, at index: Int) -> Int {
    let lead = text[index]
    if lead < 0x80 { return 1 }
    let second = text[index + 1]
    switch lead {
    // U+0080 to U+02FF, U+03C0 to U+047F.
    case ...0xCB, 0xCF, 0xD0, 0xD1: return 2
    // U+0380 to U+03BF but U+0387, which stands for U+00B7.
    case 0xCE: return second == 0x87 ? 0 : 2
    // U+2010 to U+203F.
    case 0xE2: return second == 0x80 && text[index + 2] >= 0x90 ? 3 : 0
    case 0xE3:
      switch second {
      // U+3000 to U+3029.
      case 0x80: return text[index + 2] < 0xAA ? 3 : 0
      // Kana but the marks U+3099 and U+309A.
      case 0x81, 0x83: return 3
      case 0x82: return text[index + 2] == 0x99 || text[index + 2] == 0x9A ? 0 : 3
      // U+3400 to U+3FFF.
      case 0x90...: return 3
      default: return 0
      }
    // Ideographs and Hangul syllables: U+4000 to U+9FFF, U+AC00 to U+D7FF.
    case 0xE4...0xE9, 0xEB...0xED: return 3
    case 0xEA: return second >= 0xB0 ? 3 : 0
    // Full-width forms, U+FF00 to U+FFFF.
    case 0xEF: return second >= 0xBC ? 3 : 0
    // U+1F000 to U+1FFFF, where the emoji are.
    case 0xF0: return second == 0x9F ? 4 : 0
    default: return 0
    }
  }

  /// Whether well-formed text consists of inert characters only.
  static func isInert(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      let length = inertLength(text, at: index)
      if length == 0 { return false }
      index += length
    }
    return true
  }

  /// The case folding of well-formed text, or nil where it takes more than this knows.
  static func caseFolded(_ text: Span<UInt8>) -> [UInt8]? {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    let table = foldings
    var index = 0
    while index < text.count {
      let lead = text[index]
      let length = inertLength(text, at: index)
      switch length {
      case 1: folded.append(UnicodeText.lowercased(lead))
      case 2:
        let pair = table[Int(lead & 0x1F) << 6 | Int(text[index + 1] & 0x3F)]
        if pair == 0 { return nil }
        folded.append(UInt8(truncatingIfNeeded: pair >> 8))
        folded.append(UInt8(truncatingIfNeeded: pair))
      case 3, 4:
        // Full-width letters fold; no other inert character of this length does.
        if lead == 0xEF, text[index + 1] == 0xBC, text[index + 2] >= 0xA1 { return nil }
        for offset in 0..<length { folded.append(text[index + offset]) }
      default: return nil
      }
      index += length
    }
    return folded
  }

  /// The two bytes of what each character below U+0480 folds to (ß: `ss`); 0 where they are not two.
  private static let foldings: [UInt16] = (0..<0x480 as Range<UInt32>).map { value in
    guard value >= 0x80, let scalar = Unicode.Scalar(value) else { return 0 }
    let folded = UnicodeText.caseFoldedByTable(
      Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    )
    return folded.count == 2 ? UInt16(folded[0]) << 8 | UInt16(folded[1]) : 0
  }
}
