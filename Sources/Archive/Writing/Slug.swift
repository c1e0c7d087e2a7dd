import Bytes

/// Makes slugs from titles.
enum Slug {
  private static let longest = 80

  /// Letters and digits of every script, ASCII in lower case; all else becomes one hyphen.
  ///
  /// Empty where nothing is left.
  static func make(from title: String) -> String {
    var slug = ""
    var isGap = false
    for scalar in title.unicodeScalars {
      guard isWord(scalar) else {
        isGap = !slug.isEmpty
        continue
      }
      let piece = scalar.isASCII ? String(scalar).lowercased() : String(scalar)
      if slug.utf8.count + piece.utf8.count + 1 > longest { break }
      if isGap { slug += "-" }
      isGap = false
      slug += piece
    }
    return String(decoding: UnicodeText.nfc(Array(slug.utf8).span), as: UTF8.self)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Whether a slug given by a person can be a file's name as it stands.
  static func isSafe(_ slug: String) -> Bool {
    let bytes = Array(slug.utf8)
    return !bytes.isEmpty && bytes.count <= 150 && PathName.fileName(for: bytes.span) == bytes
      && !bytes.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }
  }
}
