import Bytes

/// Bodies in which no byte means anything to Markdown: most chat messages.
///
/// They are paragraphs of text, and cmark would only copy them.
enum FastPath {
  /// Whether cmark's tree of `body` would be paragraphs of text and soft line breaks only.
  ///
  /// Says no where it is not certain. What means something anywhere: ``* _ [ \ ` < & ~``, control
  /// characters (tabs and carriage returns included). At the start of a line also blanks, `#`,
  /// `>`, `-`, `+`, `=` and digits before `.` or `)`; at its end blanks; and a byte order mark.
  static func holds(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < body.count {
      if !mayStartLine(body, index) { return false }
      while index < body.count, isInert(body[index]) { index &+= 1 }
      if index == body.count { break }
      guard body[index] == 10, index == 0 || body[index &- 1] != 0x20 else { return false }
      index &+= 1
    }
    return body.isEmpty || body[body.count - 1] != 0x20
  }

  private static func mayStartLine(_ body: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    switch body[start] {
    case 0x20, UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "="):
      return false
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      var index = start + 1
      while index < body.count, 0x30...0x39 ~= body[index] { index += 1 }
      return index == body.count
        || (body[index] != UInt8(ascii: ".") && body[index] != UInt8(ascii: ")"))
    case 0xEF: return start > 0 || body.count < 3 || body[1] != 0xBB || body[2] != 0xBF
    default: return true
    }
  }

  /// Whether the byte is text wherever it stands within a line.
  @inline(__always)
  private static func isInert(_ byte: UInt8) -> Bool {
    if byte < 0x40 { return inertBelow64 & (1 << UInt64(byte)) != 0 }
    return byte >= 0x80 || inertBelow128 & (1 << UInt64(byte & 0x3F)) != 0
  }

  /// `0x20…0x3F` less `& * <`.
  private static let inertBelow64: UInt64 =
    0xFFFF_FFFF_0000_0000 & ~(1 << 0x26 | 1 << 0x2A | 1 << 0x3C)
  /// `0x40…0x7F` less ``[ \ _ ` ~`` and DEL.
  private static let inertBelow128: UInt64 =
    ~(1 << (0x5B - 0x40) | 1 << (0x5C - 0x40) | 1 << (0x5F - 0x40) | 1 << (0x60 - 0x40)
    | 1 << (0x7E - 0x40) | 1 << (0x7F - 0x40))
}

extension MarkdownWriter {
  /// Writes a body for which ``FastPath/holds(_:)``.
  mutating func writeUnmarked(
    _ body: UnsafeBufferPointer<UInt8>,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    output.reserve(body.count &+ 16)
    var isOpen = false
    var index = 0
    while index < body.count {
      let start = index
      while index < body.count, body[index] != 10 { index &+= 1 }
      if index == start {
        if isOpen { output.append("</p>\n") }
        isOpen = false
      } else {
        if !isOpen {
          output.append("<p>")
        } else if options.hardBreaks {
          output.append("<br />\n")
        } else {
          output.append(10)
        }
        isOpen = true
        writeText(
          UnsafeBufferPointer(rebasing: body[start..<index]),
          links: links,
          into: &output
        )
      }
      index &+= 1
    }
    if isOpen { output.append("</p>\n") }
  }
}
