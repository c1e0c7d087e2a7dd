import Bytes

extension MarkdownWriter {
  /// Writes a body whose format is `plain`: escaped, bare URLs and mentions linked, lines and
  /// paragraphs kept.
  public mutating func renderPlain(
    _ text: Span<UInt8>,
    options: MarkdownOptions,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) -> MarkupOutcome {
    begin(options: options, output: output)
    text.withUnsafeBufferPointer {
      outcome.isEmojiOnly = EmojiOnly.holds($0)
      writePlain($0, links: links, into: &output)
    }
    return outcome
  }

  /// Writes text as paragraphs, cut at blank lines, whose lines end with `<br />`.
  mutating func writePlain(
    _ text: UnsafeBufferPointer<UInt8>,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    var isOpen = false
    var index = 0
    while index < text.count {
      let start = index
      var isBlank = true
      while index < text.count, text[index] != 10, text[index] != 13 {
        if text[index] > 0x20 { isBlank = false }
        index += 1
      }
      let line = UnsafeBufferPointer(rebasing: text[start..<index])
      if index + 1 < text.count, text[index] == 13, text[index + 1] == 10 { index += 1 }
      index += 1
      if isBlank {
        if isOpen { output.append("</p>\n") }
        isOpen = false
      } else {
        output.append(isOpen ? "<br />\n" : "<p>")
        isOpen = true
        writeText(line, links: links, into: &output)
      }
    }
    if isOpen { output.append("</p>\n") }
  }
}
