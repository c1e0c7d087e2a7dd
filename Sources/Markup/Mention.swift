import Bytes

/// The names that the text after an `@` may mean.
struct MentionName {
  /// A name has at most this many scalars.
  static let limit = 48

  /// Where the candidates end, shortest first.
  private(set) var ends: [Int] = []

  /// Reads the run of letters, marks, digits, `_`, `-` and `.` that begins at `start`.
  ///
  /// Candidates are the whole run, the run without trailing `.` and `-`, and each prefix that ends
  /// beside an East Asian character: such text follows a name without a blank.
  init(in text: UnsafeBufferPointer<UInt8>, from start: Int) {
    var index = start
    var scalars = 0
    var wasEastAsian = false
    while index < text.count, scalars <= Self.limit {
      let (value, length) = UTF8Scan.scalar(in: text, at: index)
      guard Self.isName(value) else { break }
      let isEastAsian = UTF8Scan.isEastAsian(value)
      if index > start, isEastAsian || wasEastAsian { append(index, in: text, after: start) }
      wasEastAsian = isEastAsian
      scalars += 1
      index += length
    }
    if index > start, scalars <= Self.limit { append(index, in: text, after: start) }
  }

  /// Adds the candidate that ends at `end`, and before it the one without trailing punctuation.
  private mutating func append(
    _ end: Int,
    in text: UnsafeBufferPointer<UInt8>,
    after start: Int
  ) {
    var trimmed = end
    while trimmed > start + 1,
      text[trimmed - 1] == UInt8(ascii: ".") || text[trimmed - 1] == UInt8(ascii: "-")
    {
      trimmed -= 1
    }
    if trimmed < end, ends.last != trimmed { ends.append(trimmed) }
    ends.append(end)
  }

  private static func isName(_ value: UInt32) -> Bool {
    switch value {
    case 0x2D, 0x2E, 0x5F: true
    default: UTF8Scan.isWord(value)
    }
  }
}

extension MarkdownWriter {
  /// Writes the mention that begins at the scanner's `@`, or goes past the `@`.
  mutating func writeMention(
    _ scanner: inout TextScanner,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    let (text, at) = (scanner.text, scanner.index)
    scanner.index += 1
    guard Self.mayPrecedeMention(text, at) else { return }
    scratch.removeAll()
    for end in MentionName(in: text, from: at + 1).ends.reversed() {
      let name = UnsafeBufferPointer(rebasing: text[(at + 1)..<end])
      guard links.mention(name.span, into: &scratch), !scanner.hasURL(before: end) else {
        scratch.removeAll()
        continue
      }
      output.append(scanner.run(to: at))
      output.append("<a class=\"mention\" href=\"")
      output.appendHref(scratch.bytes)
      output.append("\">@")
      output.appendMarkupText(name)
      output.append("</a>")
      scanner.index = end
      scanner.start = end
      return
    }
  }

  /// Whether the character before the `@` at `index` leaves room for a mention: not a letter,
  /// digit or mark of an e-mail address, unless it is East Asian.
  private static func mayPrecedeMention(
    _ text: UnsafeBufferPointer<UInt8>,
    _ index: Int
  ) -> Bool {
    guard index > 0 else { return true }
    switch text[index - 1] {
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "@"), UInt8(ascii: "/"):
      return false
    case 0x80...0xFF:
      let start = UTF8Scan.start(ofScalarBefore: index, in: text)
      let value = UTF8Scan.scalar(in: text, at: start).value
      return UTF8Scan.isEastAsian(value) || !UTF8Scan.isWord(value)
    default: return !UTF8Scan.isAlphanumeric(text[index - 1])
    }
  }
}
