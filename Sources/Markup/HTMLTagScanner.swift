import CGumbo

/// Finds the tags in HTML without building a tree: enough to bound its cost and to strip it.
struct HTMLTagScanner {
  /// A start or end tag.
  struct Tag {
    let name: GumboTag
    let isClosing: Bool
    let attributes: Int
    /// The bytes of the tag.
    let range: Range<Int>
  }

  private let html: UnsafeBufferPointer<UInt8>
  private var index = 0
  /// Where the text before the next tag begins.
  private(set) var textStart = 0
  /// Whether no construct was met that a parser might read otherwise.
  private(set) var isCertain = true

  init(_ html: UnsafeBufferPointer<UInt8>) { self.html = html }

  /// The next tag; comments and the like are gone past, raw text (scripts, styles) too.
  mutating func next() -> Tag? {
    while let start = find(UInt8(ascii: "<"), from: index) {
      index = start + 1
      guard index < html.count else { return nil }
      switch html[index] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"): passComment(from: start)
      case UInt8(ascii: "/"):
        index += 1
        if index < html.count, isLetter(html[index]) { return tag(from: start, isClosing: true) }
        passBogusComment()
      case let byte where isLetter(byte): return tag(from: start, isClosing: false)
      default: continue
      }
    }
    index = html.count
    return nil
  }

  private mutating func tag(from start: Int, isClosing: Bool) -> Tag {
    let nameStart = index
    while index < html.count, html[index] > 0x20, html[index] != UInt8(ascii: "/"),
      html[index] != UInt8(ascii: ">")
    {
      index += 1
    }
    let name = UnsafeBufferPointer(rebasing: html[nameStart..<index]).withMemoryRebound(
      to: CChar.self
    ) {
      gumbo_tagn_enum($0.baseAddress, UInt32(truncatingIfNeeded: min($0.count, 64)))
    }
    let attributes = passAttributes()
    let tag = Tag(
      name: name,
      isClosing: isClosing,
      attributes: attributes,
      range: start..<index
    )
    if !isClosing { passRawText(of: name, nameStart..<(nameStart + nameLength(from: nameStart))) }
    return tag
  }

  private func nameLength(from start: Int) -> Int {
    var end = start
    while end < html.count, isLetter(html[end]) { end += 1 }
    return end - start
  }

  /// Goes past the attributes and the `>`; gives how many attributes there were.
  private mutating func passAttributes() -> Int {
    var count = 0
    while index < html.count {
      let byte = html[index]
      if byte == UInt8(ascii: ">") {
        index += 1
        return count
      }
      index += 1
      if byte <= 0x20 || byte == UInt8(ascii: "/") { continue }
      count += 1
      // A name may begin with `=` but not hold one.
      while index < html.count, html[index] > 0x20, html[index] != UInt8(ascii: "="),
        html[index] != UInt8(ascii: ">"), html[index] != UInt8(ascii: "/")
      {
        index += 1
      }
      passBlanks()
      guard index < html.count, html[index] == UInt8(ascii: "=") else { continue }
      index += 1
      passBlanks()
      passValue()
    }
    return count
  }

  private mutating func passValue() {
    guard index < html.count else { return }
    let quote = html[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index = find(quote, from: index + 1).map { $0 + 1 } ?? html.count
      return
    }
    while index < html.count, html[index] > 0x20, html[index] != UInt8(ascii: ">") { index += 1 }
  }

  private mutating func passBlanks() {
    while index < html.count, html[index] <= 0x20 { index += 1 }
  }

  private mutating func passComment(from start: Int) {
    guard html.count - start >= 4, html[start + 1] == UInt8(ascii: "!"),
      html[start + 2] == UInt8(ascii: "-"), html[start + 3] == UInt8(ascii: "-")
    else {
      if html.count - start > 2, html[start + 2] == UInt8(ascii: "[") { isCertain = false }
      passBogusComment()
      return
    }
    index = start + 4
    if index < html.count, html[index] == UInt8(ascii: ">") || html[index] == UInt8(ascii: "-") {
      isCertain = false
    }
    while let end = find(UInt8(ascii: ">"), from: index) {
      index = end + 1
      guard end >= start + 6, html[end - 1] == UInt8(ascii: "-") else {
        if html[end - 1] == UInt8(ascii: "!") { isCertain = false }
        continue
      }
      if html[end - 2] == UInt8(ascii: "-") { return }
    }
    index = html.count
  }

  private mutating func passBogusComment() {
    index = find(UInt8(ascii: ">"), from: index).map { $0 + 1 } ?? html.count
  }

  /// Goes to the end tag of an element whose content is text whatever it looks like.
  private mutating func passRawText(of tag: GumboTag, _ name: Range<Int>) {
    switch tag {
    case GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEXTAREA, GUMBO_TAG_TITLE, GUMBO_TAG_XMP,
      GUMBO_TAG_IFRAME, GUMBO_TAG_NOEMBED, GUMBO_TAG_NOFRAMES:
      break
    case GUMBO_TAG_PLAINTEXT:
      index = html.count
      return
    case GUMBO_TAG_NOSCRIPT:
      isCertain = false
      return
    default: return
    }
    while let start = find(UInt8(ascii: "<"), from: index) {
      index = start + 1
      guard start + 2 + name.count < html.count, html[start + 1] == UInt8(ascii: "/") else {
        // `<!--` in a script opens further states.
        if index < html.count, html[index] == UInt8(ascii: "!") { isCertain = false }
        continue
      }
      let after = html[start + 2 + name.count]
      let isSame = name.indices.allSatisfy {
        html[$0] | 0x20 == html[start + 2 + $0 - name.lowerBound] | 0x20
      }
      if isSame, after <= 0x20 || after == UInt8(ascii: ">") || after == UInt8(ascii: "/") {
        index = start
        return
      }
    }
    index = html.count
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private func find(_ byte: UInt8, from start: Int) -> Int? {
    guard start < html.count else { return nil }
    return html[start...].firstIndex(of: byte)
  }
}
