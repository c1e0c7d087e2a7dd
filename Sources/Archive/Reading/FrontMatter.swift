import Bytes

/// Where front matter and body of a file stand.
struct FrontMatter: Equatable {
  enum Form: Equatable {
    case none
    case yaml
    case toml
    case json
    /// Eleventy's `const key = value;` lines.
    case script
    /// Pelican's and MultiMarkdown's `Title: …` lines up to the first blank line.
    case headers
  }

  var form = Form.none
  /// The text between the marks, in bytes of the file.
  var content = 0..<0
  /// The line of the file on which `content` begins, counted from 1.
  var line = 1
  var body: Range<Int>
  /// It begins with a mark but never ends.
  var isUnclosed = false

  /// Splits a file as Hugo, Jekyll, Zola, Eleventy, Publish and Pelican do.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
    body = start..<bytes.count
    let first = Self.line(bytes, from: start)
    if let (form, mark) = Self.opening(bytes[first.text]) {
      var position = first.end
      while position < bytes.count {
        let line = Self.line(bytes, from: position)
        if Self.isClosing(bytes[line.text], mark) {
          self.form = form
          content = first.end..<position
          self.line = 2
          body = line.end..<bytes.count
          trimBody(bytes)
          return
        }
        position = line.end
      }
      isUnclosed = true
    } else if start < bytes.count, bytes[start] == UInt8(ascii: "{"),
      let end = Self.endOfObject(bytes, from: start)
    {
      form = .json
      content = start..<end
      body = end..<bytes.count
    } else if let end = Self.endOfHeaders(bytes, from: start) {
      form = .headers
      content = start..<end
      body = end..<bytes.count
    }
    trimBody(bytes)
  }

  /// Leaves out blank lines before the body and blanks after it.
  private mutating func trimBody(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = body.lowerBound
    while start < body.upperBound {
      let line = Self.line(bytes, from: start)
      guard bytes[line.text].allSatisfy(isBlankByte) else { break }
      start = line.end
    }
    var end = body.upperBound
    while end > start, isBlankByte(bytes[end - 1]) { end -= 1 }
    body = start..<end
  }

  /// A line without its end, and where the next begins.
  static func line(
    _ bytes: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> (text: Range<Int>, end: Int) {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    var textEnd = end
    if textEnd > start, bytes[textEnd - 1] == 0x0D { textEnd -= 1 }
    return (start..<textEnd, min(end + 1, bytes.count))
  }

  private static func opening(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> (Form, UInt8)? {
    let text = UnsafeBufferPointer(rebasing: line).trimmedEnd
    guard text.count >= 3, text.count <= 10 else { return nil }
    if text.equalsIgnoringCase("---") { return (.yaml, UInt8(ascii: "-")) }
    if text.equalsIgnoringCase("+++") { return (.toml, UInt8(ascii: "+")) }
    if text.equalsIgnoringCase("---json") { return (.json, UInt8(ascii: "-")) }
    if text.equalsIgnoringCase("---js") { return (.script, UInt8(ascii: "-")) }
    if text.equalsIgnoringCase("---yaml") { return (.yaml, UInt8(ascii: "-")) }
    if text.equalsIgnoringCase("---toml") { return (.toml, UInt8(ascii: "-")) }
    return nil
  }

  private static func isClosing(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ mark: UInt8) -> Bool {
    guard line.count >= 3, line.count < 64 else { return false }
    let text = UnsafeBufferPointer(rebasing: line).trimmedEnd
    guard text.count == 3 else { return false }
    if text.allSatisfy({ $0 == mark }) { return true }
    return mark == UInt8(ascii: "-") && text.allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// The end of a JSON object that opens on a line of its own or with a key, as Hugo takes it.
  private static func endOfObject(
    _ bytes: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> Int? {
    var index = start + 1
    while index < bytes.count, isBlankByte(bytes[index]) { index += 1 }
    guard index < bytes.count, bytes[index] == 0x22 || bytes[index] == UInt8(ascii: "}") else {
      return nil
    }
    var depth = 0
    var isInString = false
    index = start
    while index < bytes.count {
      let byte = bytes[index]
      if isInString {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == 0x22 { isInString = false }
      } else if byte == 0x22 {
        isInString = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return index + 1 }
      }
      index += 1
    }
    return nil
  }

  /// The end of `Key: value` lines whose first key is one that these tools know.
  private static func endOfHeaders(
    _ bytes: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> Int? {
    let first = line(bytes, from: start)
    guard let key = headerKey(bytes[first.text]),
      knownHeaders.contains(String(decoding: key.map { $0 | 0x20 }, as: UTF8.self))
    else { return nil }
    var position = first.end
    while position < bytes.count {
      let line = line(bytes, from: position)
      if bytes[line.text].allSatisfy(isBlankByte) { break }
      // Indented lines go on with the value above.
      let isContinued = isBlankByte(bytes[line.text.lowerBound])
      if !isContinued, headerKey(bytes[line.text]) == nil { return nil }
      position = line.end
    }
    return position
  }

  private static let knownHeaders: Set<String> = [
    "title", "date", "author", "authors", "slug", "tags", "category", "summary", "modified",
  ]

  /// The key of a header line: letters, digits, `_` and `-` before a colon.
  static func headerKey(
    _ line: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard let colon = line.prefix(40).firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex
    else { return nil }
    let key = line[..<colon]
    let isKey = key.allSatisfy { byte in
      let lower = byte | 0x20
      return (lower >= 0x61 && lower <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    return isKey ? key : nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Without blanks at the end.
  fileprivate var trimmedEnd: UnsafeBufferPointer<UInt8> {
    var end = count
    while end > 0, isBlankByte(self[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: self[..<end])
  }
}
