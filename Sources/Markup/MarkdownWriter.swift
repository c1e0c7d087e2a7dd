import Bytes
import CCmark

/// Writes Markdown bodies as HTML: CommonMark 0.30 parsed by cmark, written by us.
///
/// Safe by construction: every element and attribute is written here, text is escaped, raw HTML is
/// shown as text, and links need an allowed scheme. One writer serves one worker; it keeps its
/// scratch memory from body to body.
public struct MarkdownWriter: ~Copyable {
  /// Relative destinations of the last body that the resolver did not know, at most
  /// ``unresolvedLimit``, for warnings.
  public internal(set) var unresolved: [[UInt8]] = []
  /// How many unresolved destinations are kept for a body.
  public static let unresolvedLimit = 16

  var options = MarkdownOptions()
  var outcome = MarkupOutcome()
  /// Where this body's bytes begin in the output.
  var start = 0
  /// The image whose text is being written, and as what.
  var image: MarkdownNode?
  var imageForm = ImageForm.picture
  /// Where the text of the image begins in the output.
  var imageText = 0
  /// How many links are open: HTML knows no link inside a link.
  var openLinks = 0
  /// For each open `link` node, whether its `<a>` was written.
  var linkStack: [Bool] = []
  var scratch = ByteBuffer()

  /// Makes a writer.
  public init() {}

  /// Writes `markdown`, which must be UTF-8, as block-level HTML.
  public mutating func render(
    _ markdown: Span<UInt8>,
    options: MarkdownOptions,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) -> MarkupOutcome {
    begin(options: options, output: output)
    markdown.withUnsafeBufferPointer { body in
      guard let tree = MarkdownTree(parsing: body) else { return }
      tree.walk { node, entering in write(node, entering: entering, links: links, into: &output) }
    }
    return outcome
  }

  mutating func begin(options: MarkdownOptions, output: borrowing ByteBuffer) {
    self.options = options
    outcome = MarkupOutcome()
    start = output.count
    image = nil
    openLinks = 0
    linkStack.removeAll(keepingCapacity: true)
    if !unresolved.isEmpty { unresolved.removeAll(keepingCapacity: true) }
  }
}
