import Bytes

extension ByteBuffer {
  /// Appends text as a JSON string with its quotes.
  ///
  /// Only `"`, `\` and control characters are escaped; bytes that are not UTF-8 become U+FFFD, so
  /// that what is written is always JSON (RFC 8259 section 7).
  public mutating func appendJSON(string text: Span<UInt8>) {
    text.withUnsafeBufferPointer { appendJSON($0, isForScript: false) }
  }

  /// Appends text as a JSON string with its quotes.
  public mutating func appendJSON(string text: UnsafeBufferPointer<UInt8>) {
    appendJSON(text, isForScript: false)
  }

  /// Appends text as a JSON string with its quotes.
  public mutating func appendJSON(string text: String) {
    var text = text
    text.withUTF8 { appendJSON($0, isForScript: false) }
  }

  /// Appends text as a JSON string that may stand inside a `<script>` element (JSON-LD, shards).
  ///
  /// Beyond the plain form `<`, `>`, `&`, U+2028 and U+2029 are escaped: no tag, comment or
  /// character reference can form, and it is a JavaScript literal too.
  public mutating func appendJSON(escapedForScript text: Span<UInt8>) {
    text.withUnsafeBufferPointer { appendJSON($0, isForScript: true) }
  }

  /// Appends text as a JSON string that may stand inside a `<script>` element.
  public mutating func appendJSON(escapedForScript text: UnsafeBufferPointer<UInt8>) {
    appendJSON(text, isForScript: true)
  }

  /// Appends text as a JSON string that may stand inside a `<script>` element.
  public mutating func appendJSON(escapedForScript text: String) {
    var text = text
    text.withUTF8 { appendJSON($0, isForScript: true) }
  }

  /// Appends a whole number.
  public mutating func appendJSON(integer value: Int) { append(decimal: value) }

  /// Appends a number in the shortest form that reads back the same; NaN and infinities, which
  /// JSON doesn't have, become `null`.
  public mutating func appendJSON(number value: Double) {
    guard value.isFinite else { return append("null") }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53,
      !(whole == 0 && value.sign == .minus)
    {
      append(decimal: whole)
    } else {
      append(text: value.description)
    }
  }

  /// Appends `true` or `false`.
  public mutating func appendJSON(flag: Bool) {
    if flag { append("true") } else { append("false") }
  }

  private mutating func appendJSON(_ text: UnsafeBufferPointer<UInt8>, isForScript: Bool) {
    reserve(text.count + 2)
    append(UInt8(ascii: "\""))
    var start = 0
    var index = 0
    while index < text.count {
      if index &+ 8 <= text.count,
        JSONStringEscape.isPlain(
          UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
      {
        index &+= 8
        continue
      }
      let byte = text[index]
      var length = 1
      if byte < 0x80 {
        if !JSONStringEscape.isNeeded(byte, isForScript: isForScript) {
          index &+= 1
          continue
        }
      } else {
        let step = UTF8Step.step(in: text, at: index)
        length = step.count
        if step.isWhole, !(isForScript && JSONStringEscape.isLineSeparator(text, at: index)) {
          index &+= length
          continue
        }
      }
      append(UnsafeBufferPointer(rebasing: text[start..<index]))
      appendEscape(of: UnsafeBufferPointer(rebasing: text[index..<index + length]))
      index &+= length
      start = index
    }
    append(UnsafeBufferPointer(rebasing: text[start..<index]))
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(of bytes: UnsafeBufferPointer<UInt8>) {
    switch bytes[0] {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    case 0x00..<0x80:
      append("\\u")
      append(hexadecimal: UInt64(bytes[0]), digits: 4)
    case 0xE2 where bytes.count == 3 && bytes[1] == 0x80 && bytes[2] == 0xA8: append("\\u2028")
    case 0xE2 where bytes.count == 3 && bytes[1] == 0x80 && bytes[2] == 0xA9: append("\\u2029")
    default: append("\u{FFFD}")
    }
  }
}

/// Which characters cannot stand in a JSON string as they are.
enum JSONStringEscape {
  /// Whether eight bytes are ASCII that needs no escaping in either form.
  ///
  /// A byte minus 0x20, or minus one after exclusive-or with a forbidden character, borrows into
  /// its top bit just where it is below or equal; borrows from lower bytes only make it stricter.
  @inline(__always)
  static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var hits = word | (word &- 0x20 &* ones)
    hits |= (word ^ (0x22 &* ones)) &- ones
    hits |= (word ^ (0x5C &* ones)) &- ones
    hits |= (word ^ (0x3C &* ones)) &- ones
    hits |= (word ^ (0x3E &* ones)) &- ones
    hits |= (word ^ (0x26 &* ones)) &- ones
    return hits & tops == 0
  }

  @inline(__always)
  static func isNeeded(_ byte: UInt8, isForScript: Bool) -> Bool {
    if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
    return isForScript
      && (byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&"))
  }

  /// Whether U+2028 or U+2029 stands here.
  @inline(__always)
  static func isLineSeparator(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    text[index] == 0xE2 && text[index + 1] == 0x80 && text[index + 2] | 1 == 0xA9
  }
}
