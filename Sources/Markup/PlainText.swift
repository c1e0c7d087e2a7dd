import Bytes
import CCmark

extension MarkdownWriter {
  /// Writes a body whose format is `plain`: escaped, bare URLs linked, lines and paragraphs kept.
  public mutating func renderPlain(
    _ text: Span<UInt8>,
    options: MarkdownOptions,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) -> MarkupOutcome {
    begin(options: options, output: output)
    output.append("<p>")
    output.appendMarkupText(text)
    output.append("</p>\n")
    return outcome
  }

  /// Appends the text of a Markdown body without its markup, on one line, for titles, descriptions
  /// and summaries.
  ///
  /// - Parameter limit: how many Unicode scalars it may have; what is longer is cut, at a blank
  ///   where there is one, and ends with `…`.
  public mutating func appendPlainText(
    of markdown: Span<UInt8>,
    limit: Int,
    into output: inout ByteBuffer
  ) {
    output.append(markdown)
  }
}

extension HTMLSanitizer {
  /// Appends the text of an HTML body, as ``MarkdownWriter/appendPlainText(of:limit:into:)`` does.
  public mutating func appendPlainText(
    of html: Span<UInt8>,
    limit: Int,
    into output: inout ByteBuffer
  ) {
    output.append(html)
  }
}
