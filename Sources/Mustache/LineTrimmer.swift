/// Takes lines away that hold nothing but a tag, and finds how far such tags are indented.
///
/// The Mustache specification calls these tags standalone. Sections, closing tags, comments,
/// delimiters and partials follow the core specification. For inheritance:
/// - a parent is standalone from its opening to its closing tag: only blanks before the one and
///   after the other;
/// - a block passed to a parent loses the line end after its opening tag, the blanks before its
///   closing tag and, in each line, the indentation of its first line;
/// - a block elsewhere indents what replaces it by as much as its default content is indented, or
///   else its opening tag.
struct LineTrimmer {
  private let source: [UInt8]
  private var tokens: [Token]
  private var openTags: [Int] = []

  private init(_ tokens: [Token], of source: [UInt8]) {
    self.source = source
    self.tokens = tokens
  }

  /// The tokens of `source` without what standalone tags take away.
  static func trimmed(_ tokens: [Token], of source: [UInt8]) -> [Token] {
    var trimmer = LineTrimmer(tokens, of: source)
    for index in tokens.indices { trimmer.visit(index) }
    return trimmer.tokens
  }

  private mutating func visit(_ index: Int) {
    switch tokens[index].kind {
    case .text, .variable, .raw: break
    case .comment, .delimiters, .partial: trimLine(index)
    case .section, .inverted:
      trimLine(index)
      openTags.append(index)
    case .parent: openTags.append(index)
    case .block:
      if isArgument { removeLineEnd(after: index) } else { trimLine(index) }
      openTags.append(index)
    case .close: visitClose(index)
    }
  }

  private mutating func visitClose(_ index: Int) {
    guard let opening = openTags.popLast() else { return }
    switch tokens[opening].kind {
    case .parent: trimParent(from: opening, to: index)
    case .block:
      if isArgument {
        if let blanks = blanks(before: index) { cutText(before: index, at: blanks.lowerBound) }
        if tokens[opening].isStandalone {
          tokens[opening].removed = firstIndentation(from: opening, to: index) ?? 0..<0
        }
      } else {
        if tokens[opening].isStandalone, let inner = firstIndentation(from: opening, to: index) {
          tokens[opening].indentation = inner
        }
        trimLine(index)
      }
    case .text, .variable, .raw, .section, .inverted, .close, .partial, .comment, .delimiters:
      trimLine(index)
    }
  }

  /// Whether a block here is handed to a parent.
  private var isArgument: Bool { openTags.last.map { tokens[$0].kind == .parent } ?? false }

  private mutating func trimLine(_ index: Int) {
    guard let blanks = blanks(before: index) else { return }
    tokens[index].indentation = blanks
    guard let next = lineEnd(after: index) else { return }
    tokens[index].isStandalone = true
    cutText(before: index, at: blanks.lowerBound)
    cutText(after: index, at: next)
  }

  private mutating func trimParent(from opening: Int, to closing: Int) {
    guard let blanks = blanks(before: opening), let next = lineEnd(after: closing) else { return }
    tokens[opening].isStandalone = true
    tokens[opening].indentation = blanks
    tokens[closing].isStandalone = true
    cutText(before: opening, at: blanks.lowerBound)
    cutText(after: closing, at: next)
  }

  private mutating func removeLineEnd(after index: Int) {
    guard let next = lineEnd(after: index) else { return }
    tokens[index].isStandalone = true
    cutText(after: index, at: next)
  }

  private mutating func cutText(before index: Int, at end: Int) {
    guard index > 0, tokens[index - 1].kind == .text else { return }
    let start = tokens[index - 1].range.lowerBound
    tokens[index - 1].range = start..<max(start, end)
  }

  private mutating func cutText(after index: Int, at start: Int) {
    guard index + 1 < tokens.count, tokens[index + 1].kind == .text else { return }
    let end = tokens[index + 1].range.upperBound
    tokens[index + 1].range = min(start, end)..<end
  }

  /// The blanks between the line's start and the tag, nil if something else stands there.
  private func blanks(before index: Int) -> Range<Int>? {
    let end = tokens[index].range.lowerBound
    var start = end
    while start > 0, TemplateByte.isBlank(source[start - 1]) { start -= 1 }
    return start == 0 || source[start - 1] == TemplateByte.newline ? start..<end : nil
  }

  /// The start of the next line, nil if something but blanks stands after the tag.
  private func lineEnd(after index: Int) -> Int? {
    var end = tokens[index].range.upperBound
    while end < source.count, TemplateByte.isBlank(source[end]) { end += 1 }
    if end == source.count { return end }
    if source[end] == TemplateByte.newline { return end + 1 }
    let isPair =
      source[end] == 0x0D && end + 1 < source.count && source[end + 1] == TemplateByte.newline
    return isPair ? end + 2 : nil
  }

  /// The blanks that the first line with something in it begins with, nil if there is none.
  private func firstIndentation(from opening: Int, to closing: Int) -> Range<Int>? {
    guard var start = lineEnd(after: opening) else { return nil }
    let end = tokens[closing].range.lowerBound
    while start < end {
      var index = start
      while index < end, TemplateByte.isBlank(source[index]) { index += 1 }
      if index == end { return nil }
      if !TemplateByte.isSpace(source[index]) { return start..<index }
      while index < end, source[index] != TemplateByte.newline { index += 1 }
      start = index + 1
    }
    return nil
  }
}
