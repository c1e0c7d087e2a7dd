/// A run of text or one tag of a template's source.
struct Token {
  enum Kind: UInt8 {
    case text
    case variable
    case raw
    case section
    case inverted
    case close
    case partial
    case parent
    case block
    case comment
    case delimiters
  }

  var kind: Kind
  /// The whole tag with its delimiters, or the text.
  var range: Range<Int>
  /// What stands in the tag, without sigil and blanks around it.
  var name: Range<Int>
  /// Whether the tag has its line to itself, so that the line doesn't show (see `LineTrimmer`).
  var isStandalone = false
  /// White space to put before each line of what the tag brings in.
  var indentation: Range<Int> = 0..<0
  /// White space to take from each line of the text inside (a block that is passed to a parent).
  var removed: Range<Int> = 0..<0
}

/// A mistake at an offset, before it's known which template it is in.
struct SourceMistake {
  let offset: Int
  let headline: String
  let suggestion: String?
}

/// Byte tests for templates.
enum TemplateByte {
  static let newline = UInt8(ascii: "\n")

  /// A blank inside a line.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// White space around a tag's name.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
