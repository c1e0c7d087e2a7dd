/// Cuts a template into text and tags, following set-delimiter tags.
///
/// Source: the Mustache specification, <https://github.com/mustache/spec>, and mustache(5).
struct Tokenizer {
  private let source: [UInt8]
  private var open: [UInt8] = [0x7B, 0x7B]
  private var close: [UInt8] = [0x7D, 0x7D]
  private var position = 0
  private(set) var tokens: [Token] = []
  private(set) var mistakes: [SourceMistake] = []

  init(_ source: [UInt8]) { self.source = source }

  /// Reads everything into `tokens` and `mistakes`.
  mutating func run() {
    while position < source.count {
      guard let start = find(open, from: position) else {
        appendText(position..<source.count)
        return
      }
      appendText(position..<start)
      if let ending = readTag(at: start) {
        mistakes.append(.unclosedTag(at: start, close: String(decoding: ending, as: UTF8.self)))
        appendText(start..<source.count)
        return
      }
    }
  }

  private mutating func appendText(_ range: Range<Int>) {
    if !range.isEmpty { tokens.append(Token(kind: .text, range: range, name: range)) }
  }

  /// Reads the tag whose opening delimiter stands at `start`; if it never ends, answers what is
  /// missing.
  private mutating func readTag(at start: Int) -> [UInt8]? {
    var inside = start + open.count
    while inside < source.count, TemplateByte.isSpace(source[inside]) { inside += 1 }
    guard inside < source.count else { return close }
    let kind = Self.kind(ofSigil: source[inside])
    let hasBrace = source[inside] == UInt8(ascii: "{")
    if kind != .variable { inside += 1 }
    var ending = close
    if hasBrace { ending.insert(UInt8(ascii: "}"), at: 0) }
    if kind == .delimiters { ending.insert(UInt8(ascii: "="), at: 0) }
    guard let stop = find(ending, from: inside) else { return ending }
    position = stop + ending.count
    let token = Token(kind: kind, range: start..<position, name: trimmed(inside..<stop))
    tokens.append(token)
    switch kind {
    case .delimiters: setDelimiters(token)
    case .comment, .text: break
    case .variable, .raw, .section, .inverted, .close, .partial, .parent, .block: check(token)
    }
    return nil
  }

  private static func kind(ofSigil byte: UInt8) -> Token.Kind {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "&"): .raw
    case UInt8(ascii: "#"): .section
    case UInt8(ascii: "^"): .inverted
    case UInt8(ascii: "/"): .close
    case UInt8(ascii: ">"): .partial
    case UInt8(ascii: "<"): .parent
    case UInt8(ascii: "$"): .block
    case UInt8(ascii: "!"): .comment
    case UInt8(ascii: "="): .delimiters
    default: .variable
    }
  }

  private mutating func setDelimiters(_ token: Token) {
    let parts = source[token.name].split(whereSeparator: TemplateByte.isSpace)
    guard parts.count == 2, !parts.joined().contains(UInt8(ascii: "=")) else {
      mistakes.append(.badDelimiters(at: token.range.lowerBound))
      return
    }
    open = Array(parts[0])
    close = Array(parts[1])
  }

  private mutating func check(_ token: Token) {
    let name = source[token.name]
    let offset = token.range.lowerBound
    if name.isEmpty {
      mistakes.append(.emptyTag(at: offset))
    } else if name.count > 1024 {
      mistakes.append(.longName(at: offset))
    } else if let blank = name.firstIndex(where: TemplateByte.isSpace) {
      // `{{> * name }}`: a dynamic name may stand apart from its asterisk.
      let rest = name[blank...].drop(while: TemplateByte.isSpace)
      let isDynamic = name[..<blank].elementsEqual([UInt8(ascii: "*")])
      if isDynamic, !rest.contains(where: TemplateByte.isSpace) { return }
      mistakes.append(.blankInName(name, word: name[..<blank], at: offset))
    }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, TemplateByte.isSpace(source[start]) { start += 1 }
    while start < end, TemplateByte.isSpace(source[end - 1]) { end -= 1 }
    return start..<end
  }

  private func find(_ needle: [UInt8], from start: Int) -> Int? {
    guard let first = needle.first, start <= source.count - needle.count else { return nil }
    return source.withUnsafeBufferPointer { bytes in
      var index = start
      let last = bytes.count - needle.count
      while index <= last {
        if bytes[index] == first {
          var matched = 1
          while matched < needle.count, bytes[index + matched] == needle[matched] { matched += 1 }
          if matched == needle.count { return index }
        }
        index += 1
      }
      return nil
    }
  }
}

extension SourceMistake {
  fileprivate static func unclosedTag(at offset: Int, close: String) -> Self {
    Self(offset: offset, headline: "Tag is never closed", suggestion: "add '\(close)'")
  }

  fileprivate static func badDelimiters(at offset: Int) -> Self {
    Self(
      offset: offset,
      headline: "Delimiters can't be read",
      suggestion: "write two of them, without '=', as in '{{=<% %>=}}'"
    )
  }

  fileprivate static func emptyTag(at offset: Int) -> Self {
    Self(offset: offset, headline: "Tag has no name", suggestion: nil)
  }

  fileprivate static func longName(at offset: Int) -> Self {
    Self(offset: offset, headline: "Name is longer than 1,024 bytes", suggestion: nil)
  }

  fileprivate static func blankInName(
    _ name: ArraySlice<UInt8>,
    word: ArraySlice<UInt8>,
    at offset: Int
  ) -> Self {
    let word = String(decoding: word, as: UTF8.self)
    let isHelper = ["if", "each", "unless", "with", "else"].contains(word)
    return Self(
      offset: offset,
      headline: "Name '\(String(decoding: name.prefix(60), as: UTF8.self))' has a blank in it",
      suggestion: isHelper
        ? "Mustache has no '\(word)': write '{{#name}}…{{/name}}' or '{{^name}}…{{/name}}'" : nil
    )
  }
}
