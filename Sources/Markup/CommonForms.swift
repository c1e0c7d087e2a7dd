import Glibc

/// Reads bodies whose Markdown is of a few common forms; cmark reads the others.
///
/// Paragraphs, quotes of one paragraph, lists of one-line items and fenced code; in their text
/// `*emphasis*`, `**strong emphasis**`, `` `code` `` and `[links](destination)`, none inside another.
/// It says no where it is not certain that cmark would read the body in the same way: every byte
/// that means something to Markdown is accounted for, or else the answer is no. Takes time in
/// proportion to the length.
struct CommonForms {
  /// A piece of a body.
  struct Piece {
    enum Kind: UInt8 {
      case paragraph
      case paragraphEnd
      case quote
      case quoteEnd
      case list
      case listEnd
      case item
      case itemEnd
      case text
      case lineEnd
      case code
      case emphasis
      case emphasisEnd
      case strong
      case strongEnd
      /// The destination; the text follows.
      case link
      case linkEnd
      /// What stands after a fence; the code follows.
      case language
      case codeBlock
    }

    let kind: Kind
    /// Where its text is in the body; empty for forms without any.
    let range: Range<Int>
  }

  /// The pieces of the body read last, in order.
  private(set) var pieces: [Piece] = []

  /// Reads a body; false if it holds anything else, and then `pieces` mean nothing.
  mutating func read(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    pieces.removeAll(keepingCapacity: true)
    // A byte order mark is not text.
    if body.count >= 3, body[0] == 0xEF, body[1] == 0xBB, body[2] == 0xBF { return false }
    if Self.mayHoldShields(body) { return false }
    var line = Line(of: body, at: 0)
    while line.start < body.count {
      if !readBlock(body, &line) { return false }
    }
    return true
  }

  /// Whether there may be noncharacters that ``MarkdownShield`` uses: `EF B7 9x` in UTF-8.
  private static func mayHoldShields(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = body.baseAddress else { return false }
    var index = 0
    while let found = memchr(base + index, 0xB7, body.count - index) {
      index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if index > 0, body[index - 1] == 0xEF { return true }
      index += 1
    }
    return false
  }

  /// A line of a body, without its line feed; behind the last one an empty line at the very end.
  private struct Line {
    let start: Int
    let end: Int

    init(of body: UnsafeBufferPointer<UInt8>, at start: Int) {
      self.start = start
      guard start < body.count, let base = body.baseAddress,
        let feed = memchr(base + start, 10, body.count - start)
      else {
        end = max(start, body.count)
        return
      }
      end = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
    }

    var isEmpty: Bool { start == end }

    mutating func advance(in body: UnsafeBufferPointer<UInt8>) {
      self = Line(of: body, at: end + 1)
    }

    /// Whether the line begins with this byte and a blank, and more follows.
    func isMarked(_ mark: UInt8, in body: UnsafeBufferPointer<UInt8>) -> Bool {
      end - start > 2 && body[start] == mark && body[start + 1] == 0x20
    }
  }

  mutating func add(_ kind: Piece.Kind, _ range: Range<Int> = 0..<0) {
    pieces.append(Piece(kind: kind, range: range))
  }
}

/// Blocks.
extension CommonForms {
  private mutating func readBlock(_ body: UnsafeBufferPointer<UInt8>, _ line: inout Line) -> Bool {
    if line.isEmpty {
      line.advance(in: body)
      return true
    }
    switch body[line.start] {
    case UInt8(ascii: "-"): return readList(body, &line)
    case UInt8(ascii: ">"): return readQuote(body, &line)
    case UInt8(ascii: "`") where isFence(body, at: line.start, in: line):
      return readCodeBlock(body, &line)
    default: return readParagraph(body, &line)
    }
  }

  private mutating func readParagraph(
    _ body: UnsafeBufferPointer<UInt8>,
    _ line: inout Line
  ) -> Bool {
    add(.paragraph)
    while true {
      if !readText(body, line.start..<line.end) { return false }
      line.advance(in: body)
      if line.isEmpty { break }
      add(.lineEnd)
    }
    add(.paragraphEnd)
    return true
  }

  /// A quote whose lines all begin with `> `, up to an empty line.
  private mutating func readQuote(_ body: UnsafeBufferPointer<UInt8>, _ line: inout Line) -> Bool {
    add(.quote)
    add(.paragraph)
    while true {
      guard line.isMarked(UInt8(ascii: ">"), in: body),
        readText(body, line.start + 2..<line.end)
      else { return false }
      line.advance(in: body)
      if line.isEmpty { break }
      add(.lineEnd)
    }
    add(.paragraphEnd)
    add(.quoteEnd)
    return true
  }

  /// A list whose lines all begin with `- `, up to an empty line after which it does not go on.
  private mutating func readList(_ body: UnsafeBufferPointer<UInt8>, _ line: inout Line) -> Bool {
    if pieces.last?.kind == .listEnd { return false }
    add(.list)
    while !line.isEmpty {
      add(.item)
      guard line.isMarked(UInt8(ascii: "-"), in: body),
        readText(body, line.start + 2..<line.end)
      else { return false }
      add(.itemEnd)
      line.advance(in: body)
    }
    add(.listEnd)
    return true
  }

  private func isFence(
    _ body: UnsafeBufferPointer<UInt8>,
    at index: Int,
    in line: Line
  ) -> Bool {
    index + 3 <= line.end && body[index] == UInt8(ascii: "`") && body[index + 1] == body[index]
      && body[index + 2] == body[index]
  }

  /// Code between lines of three backticks, the first with at most the name of a language.
  private mutating func readCodeBlock(
    _ body: UnsafeBufferPointer<UInt8>,
    _ line: inout Line
  ) -> Bool {
    let language = line.start + 3..<line.end
    for index in language where !UTF8Scan.isAlphanumeric(body[index]) { return false }
    line.advance(in: body)
    let start = line.start
    while line.start < body.count {
      if isFence(body, at: line.start, in: line), line.end == line.start + 3 {
        add(.language, language)
        add(.codeBlock, start..<line.start)
        line.advance(in: body)
        return true
      }
      for index in line.start..<line.end
      where body[index] < 0x20 || isFence(body, at: index, in: line) {
        return false
      }
      line.advance(in: body)
    }
    return false
  }
}
