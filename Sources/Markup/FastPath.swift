import Bytes
import Glibc

/// Bodies in which no byte means anything to Markdown: most chat messages.
///
/// They are paragraphs of text, and cmark would only copy them.
enum FastPath {
  /// Whether cmark's tree of `body` would be paragraphs of text and soft line breaks only.
  ///
  /// Says no where it is not certain. What means something anywhere: ``* _ [ \ ` < & ~``, control
  /// characters (tabs and carriage returns included). At the start of a line also blanks, `#`,
  /// `>`, `-`, `+`, `=` and digits before `.` or `)`; at its end blanks; and a byte order mark.
  static func holds(_ body: UnsafeBufferPointer<UInt8>, classes: ByteClass) -> Bool {
    guard let start = body.baseAddress, !body.isEmpty else { return true }
    guard !classes.contains(.significant), body[body.count - 1] != 0x20 else { return false }
    var index = 0
    while index < body.count {
      if !mayStartLine(body, index) { return false }
      guard let end = memchr(start + index, 10, body.count - index) else { return true }
      index = UnsafeRawPointer(end) - UnsafeRawPointer(start)
      if index > 0, body[index - 1] == 0x20 { return false }
      index += 1
    }
    return true
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
      index = endOfLine(body, from: start)
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

/// Where the line feed after `start` is, or the end of the text.
private func endOfLine(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
  guard let base = text.baseAddress, let end = memchr(base + start, 10, text.count - start)
  else { return text.count }
  return UnsafeRawPointer(end) - UnsafeRawPointer(base)
}
