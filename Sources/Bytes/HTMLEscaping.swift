extension ByteBuffer {
  /// Appends text with `& < > " '` written as character references.
  ///
  /// It works on bytes: a quote followed by a combining mark is still a quote (a `Character` would
  /// hide it). Control characters that HTML and XML forbid become U+FFFD.
  public mutating func appendEscaped(_ text: Span<UInt8>) {
    text.withUnsafeBufferPointer { appendEscaped($0) }
  }

  /// Appends text with `& < > " '` written as character references.
  public mutating func appendEscaped(text: String) {
    var text = text
    text.withUTF8 { appendEscaped($0) }
  }

  /// Appends text with `& < > " '` written as character references.
  public mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    reserve(text.count)
    var start = 0
    var index = 0
    while index < text.count {
      if HTMLEscape.isPlain(text[index]) {
        index &+= 1
        continue
      }
      append(UnsafeBufferPointer(rebasing: text[start..<index]))
      append(HTMLEscape.reference(for: text[index]))
      index &+= 1
      start = index
    }
    append(UnsafeBufferPointer(rebasing: text[start..<index]))
  }
}

/// Which bytes cannot stand in HTML text or in a quoted attribute as they are.
enum HTMLEscape {
  /// Whether the byte needs no escaping: one test of a 128-bit set, no table load.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    if byte >= 0x40 { return byte != 0x7F }
    return plainBelow64 & (1 << UInt64(byte)) != 0
  }

  /// Bit n is set where byte n, below 64, stands for itself.
  private static let plainBelow64: UInt64 = {
    var bits: UInt64 = 0
    for byte in UInt8(0)..<64 where byte >= 0x20 || byte == 9 || byte == 10 || byte == 13 {
      if !"&<>\"'".utf8.contains(byte) { bits |= 1 << UInt64(byte) }
    }
    return bits
  }()

  static func reference(for byte: UInt8) -> StaticString {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: "\u{FFFD}"
    }
  }
}
