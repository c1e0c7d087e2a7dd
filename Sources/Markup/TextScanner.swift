/// Cuts text into runs that are copied and the few places that are not.
struct TextScanner {
  /// What a place in the text is.
  enum Token {
    /// `& < > "`, a forbidden character or a shield: what ``ByteBuffer/appendReplacement`` handles.
    case special
    case url(BareURL)
    /// An `@` that may begin a mention.
    case at
    /// Exactly two tildes.
    case tildes
    case end
  }

  let text: UnsafeBufferPointer<UInt8>
  /// Whether URLs and mentions are looked for: not inside links.
  let findsLinks: Bool
  /// Where the text that was not yet dealt with begins; a URL begins there or later.
  var start = 0
  /// Where the token stands (a URL begins before it).
  var index = 0

  /// Moves to the next token; the text between `start` and it needs nothing.
  @inline(__always)
  mutating func next() -> Token {
    while index < text.count {
      if !ByteClass.isAny([.special, .link, .tilde], text[index]) {
        index &+= 1
        continue
      }
      if let token = token() { return token }
      index &+= 1
    }
    return .end
  }

  private func token() -> Token? {
    switch text[index] {
    case UInt8(ascii: ":"), UInt8(ascii: "."):
      return findsLinks ? BareURL(in: text, at: index, from: start).map { .url($0) } : nil
    case UInt8(ascii: "@"): return findsLinks ? .at : nil
    case UInt8(ascii: "~"):
      let isPair =
        isTilde(index + 1) && !isTilde(index + 2) && !(index > 0 && isTilde(index - 1))
      return isPair ? .tildes : nil
    default: return .special
    }
  }

  private func isTilde(_ index: Int) -> Bool {
    index < text.count && text[index] == UInt8(ascii: "~")
  }

  /// Whether a URL that this scanner would find begins before `end`.
  func hasURL(before end: Int) -> Bool {
    var ahead = self
    guard case .url(let url) = ahead.next() else { return false }
    return url.range.lowerBound < end
  }

  /// Goes on after the next `count` bytes, which have been dealt with.
  mutating func skip(_ count: Int) {
    index &+= count
    start = index
  }

  /// The text that needs nothing, up to `end`.
  func run(to end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[start..<end])
  }
}
