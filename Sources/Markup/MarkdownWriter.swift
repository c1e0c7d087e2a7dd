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

  /// Cleared only by the test that holds what is written of common forms equal to cmark's.
  var readsCommonForms = true
  var forms = CommonForms()
  /// Where the body lay whose rendering left its `forms`, to be compared and never read; nil if they
  /// are of no rendered body.
  var formsBody: UnsafeBufferPointer<UInt8>?
  var options = MarkdownOptions()
  var outcome = MarkupOutcome()
  /// Where this body's bytes begin in the output.
  var start = 0
  /// The levels of the body's headings so far, and that of the last one.
  var headings = HeadingLevels()
  var headingLevel = 0
  /// The image whose text is being written, and as what.
  var image: MarkdownNode?
  var imageForm = ImageForm.picture
  /// Where the text of the image begins in the output.
  var imageText = 0
  /// How many links are open: HTML knows no link inside a link.
  var openLinks = 0
  /// For each open `link` node, whether its `<a>` was written.
  var linkStack: [Bool] = []
  /// Whether the tree's text holds shields.
  var isShielded = false
  /// Whether the next text is the URL of the autolink around it.
  var isAutolinkText = false
  /// What each `~~` of the body does, and which comes next.
  var strikes: [StrikeRole] = []
  var nextStrike = 0
  /// Where a destination leads, until it is written.
  var scratch = ByteBuffer()
  private var shielded = ByteBuffer()

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
    return markdown.withUnsafeBufferPointer { body in
      outcome.isEmojiOnly = EmojiOnly.holds(body)
      if readsCommonForms, body.count <= CostBound.denseBytes, forms.read(body) {
        formsBody = body
        writeForms(of: body, links: links, into: &output)
      } else if let reason = CostBound.check(body) {
        outcome.plainReason = reason
        writePlain(body, links: links, into: &output)
      } else if let tree = parse(body) {
        tree.walk { write($0, entering: $1, links: links, into: &output) }
      }
      return outcome
    }
  }

  /// Parses a body, with shields where our extensions need them, and pairs its `~~`.
  mutating func parse(_ body: UnsafeBufferPointer<UInt8>) -> MarkdownTree? {
    guard options.extensions else { return MarkdownTree(parsing: body) }
    let classes = ByteClass(allOf: body)
    isShielded =
      MarkdownShield.mayBeNeeded(classes) && MarkdownShield.protect(body, into: &shielded)
    guard let tree = isShielded ? MarkdownTree(parsing: shielded) : MarkdownTree(parsing: body)
    else { return nil }
    if isShielded { MarkdownShield.restore(in: tree) }
    if classes.contains(.tilde) {
      var scan = StrikeScan()
      tree.walk { scan.visit($0, entering: $1) }
      strikes = scan.roles
    }
    return tree
  }

  mutating func begin(options: MarkdownOptions, output: borrowing ByteBuffer) {
    self.options = options
    outcome = MarkupOutcome()
    formsBody = nil
    start = output.count
    headings = HeadingLevels()
    image = nil
    openLinks = 0
    isShielded = false
    isAutolinkText = false
    if !strikes.isEmpty { strikes.removeAll(keepingCapacity: true) }
    nextStrike = 0
    linkStack.removeAll(keepingCapacity: true)
    if !unresolved.isEmpty { unresolved.removeAll(keepingCapacity: true) }
  }
}
