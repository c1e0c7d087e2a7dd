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
      if index &+ 8 <= text.count {
        let special = HTMLEscape.specialBytes(at: index, in: text)
        if special == 0 {
          index &+= 8
          continue
        }
        index &+= special.trailingZeroBitCount >> 3
      }
      let byte = text[index]
      if !HTMLEscape.isPlain(byte) {
        append(UnsafeBufferPointer(rebasing: text[start..<index]))
        append(HTMLEscape.reference(for: byte))
        start = index &+ 1
      }
      index &+= 1
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
    return plainBelow64 & (1 &<< UInt64(byte)) != 0
  }

  /// Looks at eight bytes from `index` on: 0 if all are plain, else the lowest set bit lies in the
  /// first special one; line ends and tabs count as special here.
  ///
  /// A byte below 0x80 is less than n exactly if subtracting n sets its top bit ("Bit Twiddling
  /// Hacks", <https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>); a borrow can
  /// only come from such a byte, so the first one found is
  /// right. `&` and `'` differ in one bit, `<` and `>` too.
  @inline(__always)
  static func specialBytes(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let bytes = UInt64(
      littleEndian: UnsafeRawBufferPointer(text).loadUnaligned(
        fromByteOffset: index,
        as: UInt64.self
      )
    )
    let ones: UInt64 = 0x0101_0101_0101_0101
    let control = bytes &- ones &* 0x20
    let quote = (bytes ^ (ones &* 0x22)) &- ones
    let ampersand = ((bytes | ones) ^ (ones &* 0x27)) &- ones
    let angle = ((bytes | (ones &* 2)) ^ (ones &* 0x3E)) &- ones
    let delete = (bytes ^ (ones &* 0x7F)) &- ones
    return (control | quote | ampersand | angle | delete) & ~bytes & (ones &* 0x80)
  }

  /// Bit n is set where byte n, below 64, stands for itself.
  ///
  /// Those are tab, line ends, and from the blank to `?` all but `"`, `&`, `'`, `<` and `>`. A
  /// number, because a computed global is guarded by a lock that every byte would ask for.
  private static let plainBelow64: UInt64 = 0xAFFF_FF3B_0000_2600

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
