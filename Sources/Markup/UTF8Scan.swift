/// Reading single scalars out of UTF-8 bytes.
enum UTF8Scan {
  /// The scalar that begins at `index` and how many bytes it has; U+FFFD and 1 if it is ill-formed.
  static func scalar(
    in text: UnsafeBufferPointer<UInt8>,
    at index: Int
  ) -> (value: UInt32, length: Int) {
    let first = text[index]
    if first < 0x80 { return (UInt32(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + length <= text.count else { return (0xFFFD, 1) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = text[index + offset]
      guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return (value, length)
  }

  /// Where the scalar that ends before `index` begins; `index` must be above 0.
  static func start(ofScalarBefore index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var start = index - 1
    while start > 0, start > index - 4, text[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  @inline(__always)
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// Whether a scalar belongs to a script written without blanks between words or attached to
  /// them (Han, kana, Hangul, Bopomofo), or is of its punctuation and full-width forms.
  static func isEastAsian(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF,
      0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF00...0xFFEF, 0x1B000...0x1B2FF,
      0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Whether a scalar can be part of a word: a letter, mark or digit of any script.
  static func isWord(_ value: UInt32) -> Bool {
    if value < 0x80 { return isAlphanumeric(UInt8(value)) }
    guard let scalar = Unicode.Scalar(value) else { return false }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }
}
