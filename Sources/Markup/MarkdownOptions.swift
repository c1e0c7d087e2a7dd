/// How a Markdown body is written.
public struct MarkdownOptions: Sendable, Hashable {
  /// Whether raw HTML is passed through.
  ///
  /// Only tests of CommonMark conformance set it.
  public var allowsRawHTML = false
  /// Whether bare URLs, `@mentions` and `~~strikethrough~~` are understood.
  public var extensions = true
  /// Whether a line end inside a paragraph is a line break, as chat programs have it.
  public var hardBreaks = false
  /// The level of the heading above the body, or 0 to keep the levels of its own as written.
  ///
  /// They get consecutive levels below it, whatever levels were written; `h6` is the end.
  public var headingShift = 0
  /// Whether a link needs an allowed scheme (http, https, mailto, or none) and is resolved.
  ///
  /// Only tests of CommonMark conformance clear it.
  public var checksSchemes = true
  /// Whether images load when they come into view, and pictures on other hosts become links.
  public var lazyImages = true

  /// The options of a post or comment.
  public init() {}

  /// The options of a post or comment: line ends are blanks, headings below level `headingShift`.
  public init(headingShift: Int, hardBreaks: Bool = false) {
    self.headingShift = headingShift
    self.hardBreaks = hardBreaks
  }

  /// CommonMark as the specification has it, for conformance tests.
  package static let commonMark: MarkdownOptions = {
    var options = MarkdownOptions()
    options.allowsRawHTML = true
    options.extensions = false
    options.checksSchemes = false
    options.lazyImages = false
    return options
  }()
}

/// What became of a body.
public struct MarkupOutcome: Sendable, Hashable {
  /// Why a body is shown as plain text instead of being parsed.
  public enum PlainReason: Sendable, Hashable {
    /// Block quotes or lists nest deeper than ``CostBound/containerDepth``, or HTML elements do.
    case tooDeep
    /// Over 64 KiB with more than 4,000 bytes that open or close inline markup, or whose tree would
    /// take over 64 MiB and 40 times the body.
    ///
    /// HTML with too many tags or attributes, or with constructs whose cost cannot be told.
    case tooDense
    /// Over 4 MiB, or 2 MiB of HTML.
    case tooLong
  }

  /// Set when the markup was not parsed, because it could cost more than its size is worth.
  public var plainReason: PlainReason?
  /// Whether the body is nothing but a few emoji, which are shown larger.
  public var isEmojiOnly = false
  /// Whether the body holds a heading.
  public var hasHeadings = false
  /// How many relative destinations the resolver did not know.
  public var unresolvedLinks = 0

  /// Whether the markup was parsed.
  public var isRendered: Bool { plainReason == nil }

  /// A body that was rendered.
  public init() {}
}
