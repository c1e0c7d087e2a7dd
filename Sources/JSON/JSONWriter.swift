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
    text.withBytes { appendJSON($0, isForScript: false) }
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
    text.withBytes { appendJSON($0, isForScript: true) }
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
    append(UInt8(ascii: "\""))
    if JSONText.isUTF8(text) {
      appendEscaped(text, isForScript: isForScript)
    } else {
      var sound = ByteBuffer(capacity: text.count &* 3)
      sound.appendReplacing(text)
      sound.withUnsafeBytes {
        appendEscaped($0.bindMemory(to: UInt8.self), isForScript: isForScript)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends well-formed text, what can't stand in a string escaped.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, isForScript: Bool) {
    reserve(text.count &+ ByteBlock.count)
    var index = 0
    while index < text.count {
      let block = ByteBlock(text, from: index)
      let marks = JSONStringEscape.marks(in: block, isForScript: isForScript)
      if marks.isEmpty {
        append(block, count: min(ByteBlock.count, text.count &- index))
        index &+= ByteBlock.count
        continue
      }
      append(block, count: marks.first)
      index &+= marks.first
      let length = JSONStringEscape.length(in: text, at: index, isForScript: isForScript)
      if length == 0 {
        append(text[index])
        index &+= 1
      } else {
        appendEscape(of: UnsafeBufferPointer(rebasing: text[index..<index &+ length]))
        index &+= length
      }
    }
  }

  /// Appends text with what is not UTF-8 replaced by U+FFFD.
  private mutating func appendReplacing(_ text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < text.count {
      let step = UTF8Step.step(in: text, at: index)
      if step.isWhole {
        append(UnsafeBufferPointer(rebasing: text[index..<index &+ step.count]))
      } else {
        append("\u{FFFD}")
      }
      index &+= step.count
    }
  }

  private mutating func appendEscape(of bytes: UnsafeBufferPointer<UInt8>) {
    switch bytes[0] {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    case UInt8(ascii: "<"): append("\\u003c")
    case UInt8(ascii: ">"): append("\\u003e")
    case UInt8(ascii: "&"): append("\\u0026")
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
  /// Which of sixteen bytes are or may begin a character to escape.
  @inline(__always)
  static func marks(in block: ByteBlock, isForScript: Bool) -> ByteBlock.Marks {
    let always = block.less(than: 0x20) | block.equals(0x22) | block.equals(0x5C)
    guard isForScript else { return block.below80(always) }
    // `<` and `>` differ in one bit.
    let markup = block.equals(0x3E, with: 0x02) | block.equals(0x26)
    return block.below80(always | markup, or: block.equalsHigh(0xE2))
  }

  /// How many bytes from `index` on are one character to escape; 0 for one that stands as it is.
  @inline(__always)
  static func length(
    in text: UnsafeBufferPointer<UInt8>,
    at index: Int,
    isForScript: Bool
  ) -> Int {
    let byte = text[index]
    if byte < 0x80 { return isNeeded(byte, isForScript: isForScript) ? 1 : 0 }
    return isForScript && byte == 0xE2 && isLineSeparator(text, at: index) ? 3 : 0
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
