import Bytes

/// Text within a line.
extension CommonForms {
  /// Reads one line of a paragraph, its markers left out.
  mutating func readText(
    _ body: UnsafeBufferPointer<UInt8>,
    _ line: Range<Int>
  ) -> Bool {
    guard Self.mayStart(body, line), body[line.upperBound - 1] != 0x20 else { return false }
    var start = line.lowerBound
    var index = start
    while true {
      index = Self.nextMark(body, from: index, to: line.upperBound)
      if index == line.upperBound { break }
      switch body[index] {
      case UInt8(ascii: "_"):
        guard Self.isInsideWord(body, index, line) else { return false }
        index += 1
        continue
      case UInt8(ascii: "&"):
        guard !Self.mayBeReference(body, index, line) else { return false }
        index += 1
        continue
      case UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["):
        if start < index { add(.text, start..<index) }
        guard let end = readSpan(body, index, line) else { return false }
        index = end
        start = end
      default: return false
      }
    }
    if start < index { add(.text, start..<index) }
    return true
  }

  /// Where the next byte of class ``ByteClass/significant`` is, or `end`.
  private static func nextMark(
    _ body: UnsafeBufferPointer<UInt8>,
    from start: Int,
    to end: Int
  ) -> Int {
    var index = start
    while let base = body.baseAddress, index &+ ByteBlock.count <= end {
      let block = ByteBlock(base + index)
      let single = block.equals(0x26) | block.equals(0x2A) | block.equals(0x3C)
      // `[ \` _ and the backtick lie close together, and `~` beside DEL.
      let marks = block.below80(
        single | block.less(than: 0x20) | block.isIn(0x5B...0x60) | block.equals(0x7F, with: 0x01)
      )
      if marks.isEmpty {
        index &+= ByteBlock.count
        continue
      }
      index &+= marks.first
      if ByteClass.isAny(.significant, body[index]) { return index }
      index &+= 1
    }
    while index < end, !ByteClass.isAny(.significant, body[index]) { index &+= 1 }
    return index
  }

  /// Whether a line that begins like this is text: no blank, no mark of a heading, quote, list or
  /// underline.
  private static func mayStart(
    _ body: UnsafeBufferPointer<UInt8>,
    _ line: Range<Int>
  ) -> Bool {
    switch body[line.lowerBound] {
    case 0x20, UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "="):
      return false
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      var index = line.lowerBound + 1
      while index < line.upperBound, 0x30...0x39 ~= body[index] { index += 1 }
      return index == line.upperBound
        || (body[index] != UInt8(ascii: ".") && body[index] != UInt8(ascii: ")"))
    default: return true
    }
  }

  /// Whether an underscore stands between letters or digits of ASCII, where it is one of them.
  private static func isInsideWord(
    _ body: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ line: Range<Int>
  ) -> Bool {
    index > line.lowerBound && index + 1 < line.upperBound
      && UTF8Scan.isAlphanumeric(body[index - 1]) && UTF8Scan.isAlphanumeric(body[index + 1])
  }

  /// Whether an ampersand, letters or digits and a semicolon follow each other.
  private static func mayBeReference(
    _ body: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ line: Range<Int>
  ) -> Bool {
    var end = index + 1
    while end < line.upperBound,
      UTF8Scan.isAlphanumeric(body[end]) || body[end] == UInt8(ascii: "#")
    {
      end += 1
    }
    return end < line.upperBound && body[end] == UInt8(ascii: ";")
  }

  /// Reads code, emphasis or a link, and returns where it ends.
  private mutating func readSpan(
    _ body: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ line: Range<Int>
  ) -> Int? {
    switch body[index] {
    case UInt8(ascii: "`"): readCode(body, index, line)
    case UInt8(ascii: "*"): readEmphasis(body, index, line)
    default: readLink(body, index, line)
    }
  }

  /// Code between single backticks, without blanks inside of them.
  private mutating func readCode(
    _ body: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ line: Range<Int>
  ) -> Int? {
    let start = index + 1
    var end = start
    while end < line.upperBound, body[end] != UInt8(ascii: "`") {
      if body[end] < 0x20 { return nil }
      end += 1
    }
    guard end > start, end < line.upperBound, body[start] != 0x20, body[end - 1] != 0x20,
      end + 1 == line.upperBound || body[end + 1] != UInt8(ascii: "`")
    else { return nil }
    add(.code, start..<end)
    return end + 1
  }

  /// One or two asterisks that begin a word, text without any marks or URL, and as many asterisks
  /// that end a word: of the rules of CommonMark 0.30 (section 6.2) only the first ones apply.
  private mutating func readEmphasis(
    _ body: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ line: Range<Int>
  ) -> Int? {
    let isStrong = index + 1 < line.upperBound && body[index + 1] == UInt8(ascii: "*")
    let width = isStrong ? 2 : 1
    let start = index + width
    guard index == line.lowerBound || body[index - 1] == 0x20, start < line.upperBound,
      UTF8Scan.isAlphanumeric(body[start])
    else { return nil }
    var end = start + 1
    while end < line.upperBound, !ByteClass.isAny([.significant, .link], body[end]) { end += 1 }
    let after = end + width
    guard after <= line.upperBound, UTF8Scan.isAlphanumeric(body[end - 1]),
      body[end] == UInt8(ascii: "*"), body[after - 1] == UInt8(ascii: "*"),
      after == line.upperBound || Self.endsWord(body[after])
    else { return nil }
    add(isStrong ? .strong : .emphasis)
    add(.text, start..<end)
    add(isStrong ? .strongEnd : .emphasisEnd)
    return after
  }

  /// Whether a byte may follow emphasis: a blank or punctuation that no URL goes on after.
  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "?"),
      UInt8(ascii: ")"):
      true
    default: false
    }
  }

  /// `[text](destination)` without any marks in the text and title.
  private mutating func readLink(
    _ body: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ line: Range<Int>
  ) -> Int? {
    if index > line.lowerBound, body[index - 1] == UInt8(ascii: "!") { return nil }
    let start = index + 1
    var end = start
    while end < line.upperBound, body[end] != UInt8(ascii: "]") {
      if ByteClass.isAny(.significant, body[end]) { return nil }
      end += 1
    }
    guard end > start, end + 1 < line.upperBound, body[end + 1] == UInt8(ascii: "(") else {
      return nil
    }
    let first = end + 2
    var last = first
    while last < line.upperBound, Self.isPlainInDestination(body[last]) { last += 1 }
    guard last > first, last < line.upperBound, body[last] == UInt8(ascii: ")"),
      // A link that is its own text is shown shortened.
      !body[start..<end].elementsEqual(body[first..<last])
    else { return nil }
    add(.link, first..<last)
    add(.text, start..<end)
    add(.linkEnd)
    return last + 1
  }

  private static func isPlainInDestination(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"),
      UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "#"), UInt8(ascii: "%"),
      UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "@"), UInt8(ascii: "_"):
      true
    default: UTF8Scan.isAlphanumeric(byte)
    }
  }
}
