import Bytes
import CCmark
import Glibc

/// Hides from cmark the bytes that its inline rules would take for emphasis though our extensions
/// own them.
///
/// In `https://example.com/_a_/b` the underscores belong to the URL, and in `\~~` and `\@name` the
/// backslash turns our syntax off, which cmark's tree no longer tells. Such bytes are replaced by
/// noncharacters of Unicode before parsing and put back when text is written; text of the input
/// never holds these (they are forbidden in HTML and become U+FFFD first).
enum MarkdownShield {
  /// The scalar that stands for `_`.
  static let underscore: UInt32 = 0xFDD2

  /// The byte that the last byte of a shield in UTF-8 (`EF B7 9x`) stands for.
  @inline(__always)
  static func original(ofLastByte byte: UInt8) -> UInt8? {
    switch byte {
    case 0x90: UInt8(ascii: "~")
    case 0x91: UInt8(ascii: "@")
    case 0x92: UInt8(ascii: "_")
    case 0x93: UInt8(ascii: "*")
    default: nil
    }
  }

  private static func lastByte(for byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "~"): 0x90
    case UInt8(ascii: "@"): 0x91
    case UInt8(ascii: "_"): 0x92
    case UInt8(ascii: "*"): 0x93
    default: nil
    }
  }

  /// Whether a body of these bytes may need shields: a backslash, or a URL and a delimiter.
  static func mayBeNeeded(_ classes: ByteClass) -> Bool {
    classes.contains(.backslash) || classes.isSuperset(of: [.link, .shielded])
  }

  /// Writes `markdown` with shields into `output` and returns true; returns false, with `output`
  /// empty, if it needs none.
  static func protect(
    _ markdown: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) -> Bool {
    output.removeAll()
    var copied = 0
    var index = 0
    var isShielded = false
    while index < markdown.count {
      switch markdown[index] {
      case UInt8(ascii: "\\"):
        index += 1
        guard index < markdown.count,
          markdown[index] == UInt8(ascii: "~") || markdown[index] == UInt8(ascii: "@")
        else { break }
        shield(markdown, from: &copied, at: index, into: &output)
        isShielded = true
      case UInt8(ascii: ":"), UInt8(ascii: "."):
        guard let url = BareURL(in: markdown, at: index, from: copied) else { break }
        for position in url.range where lastByte(for: markdown[position]) != nil {
          shield(markdown, from: &copied, at: position, into: &output)
          isShielded = true
        }
        index = url.range.upperBound - 1
      case 0xB7 where index > copied && markdown[index - 1] == 0xEF:
        guard index + 1 < markdown.count, 0x90...0xAF ~= markdown[index + 1] else { break }
        output.append(UnsafeBufferPointer(rebasing: markdown[copied..<(index - 1)]))
        output.append("\u{FFFD}")
        index += 1
        copied = index + 1
      default: break
      }
      index += 1
    }
    guard isShielded else {
      output.removeAll()
      return false
    }
    output.append(UnsafeBufferPointer(rebasing: markdown[copied...]))
    return true
  }

  private static func shield(
    _ markdown: UnsafeBufferPointer<UInt8>,
    from copied: inout Int,
    at index: Int,
    into output: inout ByteBuffer
  ) {
    output.append(UnsafeBufferPointer(rebasing: markdown[copied..<index]))
    output.append(0xEF)
    output.append(0xB7)
    output.append(lastByte(for: markdown[index]) ?? 0x90)
    copied = index + 1
  }

  /// Appends `text` with the shields put back to what they stand for.
  ///
  /// cmark keeps a backslash before a shield, as a noncharacter is no punctuation; outside code,
  /// where it was an escape, `dropsEscapes` leaves it out.
  static func restore(
    _ text: UnsafeBufferPointer<UInt8>,
    dropsEscapes: Bool,
    into output: inout ByteBuffer
  ) {
    var copied = 0
    var index = 2
    while index < text.count {
      if text[index - 1] == 0xB7, text[index - 2] == 0xEF,
        let byte = original(ofLastByte: text[index])
      {
        var end = index - 2
        if dropsEscapes, end > copied, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        output.append(UnsafeBufferPointer(rebasing: text[copied..<end]))
        output.append(byte)
        copied = index + 1
        index += 2
      }
      index += 1
    }
    output.append(UnsafeBufferPointer(rebasing: text[copied...]))
  }

  /// Puts back what the shields stand for everywhere in the tree except in text, whose writer
  /// still has to tell them from syntax.
  static func restore(in tree: borrowing MarkdownTree) {
    var buffer = ByteBuffer()
    tree.walk { node, entering in
      guard entering else { return }
      switch cmark_node_get_type(node) {
      case CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK, CMARK_NODE_HTML_INLINE, CMARK_NODE_HTML_BLOCK:
        restore(cmark_node_get_literal(node), escaped: false, &buffer) {
          cmark_node_set_literal(node, $0)
        }
        restore(cmark_node_get_fence_info(node), escaped: true, &buffer) {
          cmark_node_set_fence_info(node, $0)
        }
      case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
        if let text = soleText(of: node) {
          restore(cmark_node_get_literal(text), escaped: false, &buffer) {
            cmark_node_set_literal(text, $0)
          }
        }
        restore(cmark_node_get_url(node), escaped: true, &buffer) { cmark_node_set_url(node, $0) }
        restore(cmark_node_get_title(node), escaped: true, &buffer) {
          cmark_node_set_title(node, $0)
        }
      default: break
      }
    }
  }

  /// The text of a link that is the link's own URL, as in `<https://example.com/>`.
  static func soleText(of link: MarkdownNode) -> MarkdownNode? {
    guard let text = cmark_node_first_child(link), cmark_node_next(text) == nil,
      cmark_node_get_type(text) == CMARK_NODE_TEXT, let literal = cmark_node_get_literal(text),
      let url = cmark_node_get_url(link), strcmp(literal, url) == 0
    else { return nil }
    return text
  }

  private static func restore(
    _ string: UnsafePointer<CChar>?,
    escaped: Bool,
    _ buffer: inout ByteBuffer,
    set: (UnsafePointer<CChar>) -> Int32
  ) {
    let text = bytes(of: string)
    guard text.contains(0xB7) else { return }
    buffer.removeAll()
    restore(text, dropsEscapes: escaped, into: &buffer)
    buffer.append(0)
    buffer.withUnsafeBytes { bytes in
      if let start = bytes.bindMemory(to: CChar.self).baseAddress { _ = set(start) }
    }
  }
}
