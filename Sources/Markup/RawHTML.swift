import Bytes

/// Raw HTML in Markdown, which is shown as text.
enum RawHTML {
  /// Whether an inline of raw HTML is a comment.
  static func isComment(_ html: UnsafeBufferPointer<UInt8>) -> Bool { isCommentStart(html, 0) }

  /// Appends `html` without its comments; one that is never closed stays, so that no text after it
  /// vanishes.
  static func appendWithoutComments(
    _ html: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) {
    var copied = 0
    var index = 0
    while index < html.count {
      guard isCommentStart(html, index) else {
        index += 1
        continue
      }
      guard let end = endOfComment(html, from: index + 4) else { break }
      output.append(UnsafeBufferPointer(rebasing: html[copied..<index]))
      copied = end
      index = end
    }
    output.append(UnsafeBufferPointer(rebasing: html[copied...]))
  }

  private static func isCommentStart(_ html: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    html.count - index >= 4 && html[index] == UInt8(ascii: "<")
      && html[index + 1] == UInt8(ascii: "!") && html[index + 2] == UInt8(ascii: "-")
      && html[index + 3] == UInt8(ascii: "-")
  }

  private static func endOfComment(_ html: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + 2 < html.count {
      if html[index] == UInt8(ascii: "-"), html[index + 1] == UInt8(ascii: "-"),
        html[index + 2] == UInt8(ascii: ">")
      {
        return index + 3
      }
      index += 1
    }
    return nil
  }

  /// The ranges of the lines of `text`, without blank lines at its ends; nil if all are blank.
  static func lines(of text: Span<UInt8>) -> [Range<Int>]? {
    var lines: [Range<Int>] = []
    var start = 0
    var lastFilled = 0
    var isFilled = false
    for index in 0...text.count {
      if index < text.count, text[index] != 10 {
        isFilled = isFilled || (text[index] > 0x20)
        continue
      }
      if isFilled || !lines.isEmpty { lines.append(start..<index) }
      if isFilled { lastFilled = lines.count }
      (start, isFilled) = (index + 1, false)
    }
    lines.removeLast(lines.count - lastFilled)
    return lines.isEmpty ? nil : lines
  }
}
