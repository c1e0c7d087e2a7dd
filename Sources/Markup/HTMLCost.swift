import CGumbo

/// Keeps the cost of one HTML body in proportion to its size.
///
/// An HTML5 parser is quadratic and worse in what stays open: it searches the stack of open
/// elements at each tag, opens all unclosed formatting elements anew in each block, and compares
/// each attribute with those before; gumbo frees its tree by recursion. Bodies with few tags are
/// cheap in any shape. Others are gone through first, with a stack that is never smaller than the
/// parser's, and what nests too deep or what the scan cannot follow is shown as text.
struct HTMLCost {
  /// The longest body that is parsed, in bytes.
  static let bytes = 2 << 20
  /// Up to this many tags nothing is looked at.
  static let cheapTags = 400
  /// The most tags.
  static let tags = 100_000
  /// How deep elements may nest in a body of more than ``cheapTags``.
  static let depth = 128
  /// How many formatting elements may be open at a time in such a body.
  static let formatting = 16
  /// How many formatting elements may be opened anew in all.
  static let reopened = 300_000
  /// How many attributes a tag may have.
  static let attributes = 200

  /// Open elements, innermost last.
  private var stack: [GumboTag] = []
  private var formattingOpen = 0
  /// The formatting elements open at each start tag, added up: so many may be opened anew.
  private var reopened = 0
  private var reason: MarkupOutcome.PlainReason?

  /// Why `html` must not be parsed, or nil; takes time in proportion to its length.
  static func check(_ html: UnsafeBufferPointer<UInt8>) -> MarkupOutcome.PlainReason? {
    if html.count > bytes { return .tooLong }
    var tokens = HTMLTagScanner(html)
    var opening = 0
    while let tag = tokens.next() {
      opening += 1
      if tag.attributes > attributes { return .tooDense }
    }
    if opening <= cheapTags { return nil }
    if opening > tags { return .tooDense }
    var cost = HTMLCost()
    tokens = HTMLTagScanner(html)
    while let tag = tokens.next() {
      if tag.isClosing { cost.close(tag.name) } else { cost.open(tag.name) }
      if let reason = cost.reason { return reason }
    }
    return tokens.isCertain ? nil : .tooDense
  }

  private mutating func open(_ tag: GumboTag) {
    switch tag {
    case GUMBO_TAG_AREA, GUMBO_TAG_BASE, GUMBO_TAG_BR, GUMBO_TAG_COL, GUMBO_TAG_EMBED,
      GUMBO_TAG_HR, GUMBO_TAG_IMG, GUMBO_TAG_IMAGE, GUMBO_TAG_INPUT, GUMBO_TAG_LINK,
      GUMBO_TAG_META, GUMBO_TAG_PARAM, GUMBO_TAG_SOURCE, GUMBO_TAG_TRACK, GUMBO_TAG_WBR,
      GUMBO_TAG_BGSOUND, GUMBO_TAG_HTML, GUMBO_TAG_HEAD, GUMBO_TAG_BODY:
      return
    case GUMBO_TAG_SVG, GUMBO_TAG_MATH, GUMBO_TAG_SELECT, GUMBO_TAG_TEMPLATE, GUMBO_TAG_FRAMESET,
      GUMBO_TAG_APPLET, GUMBO_TAG_MARQUEE, GUMBO_TAG_OBJECT:
      // Other rules of parsing hold inside, which this scan does not follow.
      reason = .tooDense
      return
    case GUMBO_TAG_P: endImplied([GUMBO_TAG_P], passing: nil)
    case GUMBO_TAG_LI: endImplied([GUMBO_TAG_LI], passing: [GUMBO_TAG_P, GUMBO_TAG_DIV])
    case GUMBO_TAG_DT, GUMBO_TAG_DD:
      endImplied([GUMBO_TAG_DT, GUMBO_TAG_DD], passing: [GUMBO_TAG_P, GUMBO_TAG_DIV])
    case GUMBO_TAG_TD, GUMBO_TAG_TH:
      endImplied([GUMBO_TAG_TD, GUMBO_TAG_TH], passing: nil)
    case GUMBO_TAG_TR: endImplied([GUMBO_TAG_TR], passing: nil)
    case GUMBO_TAG_TBODY, GUMBO_TAG_THEAD, GUMBO_TAG_TFOOT:
      endImplied([GUMBO_TAG_TBODY, GUMBO_TAG_THEAD, GUMBO_TAG_TFOOT], passing: nil)
    default: break
    }
    if isFormatting(tag) {
      formattingOpen += 1
      if formattingOpen > Self.formatting { reason = .tooDeep }
    }
    reopened += formattingOpen
    if reopened > Self.reopened { reason = .tooDense }
    stack.append(tag)
    if stack.count > Self.depth { reason = .tooDeep }
  }

  /// Ends the innermost of `tags`, as the start of another does, unless something is open inside
  /// that keeps it open.
  private mutating func endImplied(_ tags: [GumboTag], passing: [GumboTag]?) {
    let isCell = tags[0] != GUMBO_TAG_P && passing == nil
    for index in stack.indices.reversed() {
      let tag = stack[index]
      if tags.contains(tag) {
        stack.removeLast(stack.count - index)
        return
      }
      if tag == GUMBO_TAG_TABLE { return }
      if isCell { continue }
      if let passing {
        if !isPhrasing(tag), !passing.contains(tag) { return }
      } else if isScope(tag) || tag == GUMBO_TAG_BUTTON {
        return
      }
    }
  }

  private mutating func close(_ tag: GumboTag) {
    let isTable = isTablePart(tag)
    for index in stack.indices.reversed() {
      let open = stack[index]
      if open == tag {
        if isFormatting(tag) || tag == GUMBO_TAG_FORM {
          // What is open inside stays open.
          stack.remove(at: index)
          if tag != GUMBO_TAG_FORM { formattingOpen -= 1 }
        } else {
          stack.removeLast(stack.count - index)
        }
        return
      }
      if open == GUMBO_TAG_TABLE || (!isTable && isScope(open)) { return }
      if isPhrasing(tag), !isFormatting(tag), !isPhrasing(open) { return }
    }
    // Closed along with a block, and until now to be opened again.
    if isFormatting(tag), formattingOpen > 0 { formattingOpen -= 1 }
  }

  private func isScope(_ tag: GumboTag) -> Bool {
    tag == GUMBO_TAG_TABLE || tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH
      || tag == GUMBO_TAG_CAPTION
  }

  private func isTablePart(_ tag: GumboTag) -> Bool {
    switch tag {
    case GUMBO_TAG_TABLE, GUMBO_TAG_TBODY, GUMBO_TAG_THEAD, GUMBO_TAG_TFOOT, GUMBO_TAG_TR,
      GUMBO_TAG_TD, GUMBO_TAG_TH, GUMBO_TAG_CAPTION:
      true
    default: false
    }
  }

  private func isFormatting(_ tag: GumboTag) -> Bool {
    switch tag {
    case GUMBO_TAG_A, GUMBO_TAG_B, GUMBO_TAG_BIG, GUMBO_TAG_CODE, GUMBO_TAG_EM, GUMBO_TAG_FONT,
      GUMBO_TAG_I, GUMBO_TAG_NOBR, GUMBO_TAG_S, GUMBO_TAG_SMALL, GUMBO_TAG_STRIKE,
      GUMBO_TAG_STRONG, GUMBO_TAG_TT, GUMBO_TAG_U:
      true
    default: false
    }
  }

  /// Whether an element is ordinary in the sense of the HTML standard (not "special").
  private func isPhrasing(_ tag: GumboTag) -> Bool {
    if isFormatting(tag) { return true }
    return switch tag {
    case GUMBO_TAG_SPAN, GUMBO_TAG_SUB, GUMBO_TAG_SUP, GUMBO_TAG_MARK, GUMBO_TAG_Q,
      GUMBO_TAG_CITE, GUMBO_TAG_DFN, GUMBO_TAG_ABBR, GUMBO_TAG_ACRONYM, GUMBO_TAG_BDI,
      GUMBO_TAG_BDO, GUMBO_TAG_DEL, GUMBO_TAG_INS, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_VAR,
      GUMBO_TAG_TIME, GUMBO_TAG_LABEL, GUMBO_TAG_RUBY, GUMBO_TAG_UNKNOWN:
      true
    default: false
    }
  }
}
