import Bytes
import CCmark

extension MarkdownWriter {
  /// Writes a run of text: escaped, with bare URLs and mentions linked and strikethrough marked.
  mutating func writeText(
    _ text: UnsafeBufferPointer<UInt8>,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    guard options.extensions else {
      output.appendMarkupText(text)
      return
    }
    var scanner = TextScanner(text: text, findsLinks: openLinks == 0)
    while true {
      switch scanner.next() {
      case .end:
        output.append(scanner.run(to: text.count))
        return
      case .special: writeSpecial(&scanner, into: &output)
      case .tildes: writeTildes(&scanner, into: &output)
      case .at: writeMention(&scanner, links: links, into: &output)
      case .url(let url):
        output.append(scanner.run(to: url.range.lowerBound))
        writeBareURL(
          UnsafeBufferPointer(rebasing: text[url.range]),
          isWithoutScheme: url.isWithoutScheme,
          links: links,
          into: &output
        )
        scanner.index = url.range.upperBound
        scanner.start = scanner.index
      }
    }
  }

  private func writeSpecial(_ scanner: inout TextScanner, into output: inout ByteBuffer) {
    let (text, index) = (scanner.text, scanner.index)
    if isShielded, text[index] == 0xB7, index > scanner.start, index + 1 < text.count,
      text[index - 1] == 0xEF, let byte = MarkdownShield.original(ofLastByte: text[index + 1])
    {
      var end = index - 1
      if end > scanner.start, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
      output.append(scanner.run(to: end))
      output.append(byte)
      scanner.skip(2)
      return
    }
    let length = output.appendReplacement(in: text, from: scanner.start, at: index)
    if length > 0 { scanner.skip(length) } else { scanner.index += 1 }
  }

  private mutating func writeTildes(_ scanner: inout TextScanner, into output: inout ByteBuffer) {
    output.append(scanner.run(to: scanner.index))
    var role = StrikeRole.none
    if nextStrike < strikes.count {
      role = strikes[nextStrike]
      nextStrike += 1
    }
    switch role {
    case .none: output.append("~~")
    case .open: output.append("<del>")
    case .close: output.append("</del>")
    }
    scanner.skip(2)
  }

  /// Writes a URL found in text as a link, or as text if its scheme or target is refused.
  private mutating func writeBareURL(
    _ url: UnsafeBufferPointer<UInt8>,
    isWithoutScheme: Bool,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    guard isWithoutScheme || isShielded else {
      writeURL(url, shownFrom: 0, links: links, into: &output)
      return
    }
    var whole = ByteBuffer(capacity: url.count + 8)
    if isWithoutScheme { whole.append("http://") }
    MarkdownShield.restore(url, dropsEscapes: false, into: &whole)
    whole.withUnsafeBytes {
      writeURL(
        $0.bindMemory(to: UInt8.self),
        shownFrom: isWithoutScheme ? 7 : 0,
        links: links,
        into: &output
      )
    }
  }

  private mutating func writeURL(
    _ url: UnsafeBufferPointer<UInt8>,
    shownFrom first: Int,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    let target = resolve(url, links: links)
    if target != .refused { openAnchor(to: target, into: &output) }
    let shown = UnsafeBufferPointer(rebasing: url[first...])
    writeShortened(shown, isLink: target != .refused, into: &output)
    if target != .refused { output.append("</a>") }
  }

  /// Goes past the `~~` of a text that is not written.
  mutating func passTildes(in text: UnsafeBufferPointer<UInt8>) {
    guard !strikes.isEmpty else { return }
    var scanner = TextScanner(text: text, findsLinks: openLinks == 0)
    while true {
      switch scanner.next() {
      case .end: return
      case .special, .at: scanner.index += 1
      case .url(let url): scanner.skip(url.range.upperBound - scanner.index)
      case .tildes:
        nextStrike += 1
        scanner.skip(2)
      }
    }
  }

  /// Writes the rest of an opened start tag, with the whole URL as `title` where the text is
  /// shortened, and the text.
  func writeShortened(
    _ url: UnsafeBufferPointer<UInt8>,
    isLink: Bool,
    into output: inout ByteBuffer
  ) {
    let cut = ShortenedURL(url)
    if isLink {
      if cut != nil {
        output.append(" title=\"")
        output.appendMarkupText(url)
        output.append("\"")
      }
      output.append(">")
    }
    if let cut {
      output.appendMarkupText(UnsafeBufferPointer(rebasing: url[..<cut.headEnd]))
      output.append("…")
      output.appendMarkupText(UnsafeBufferPointer(rebasing: url[cut.tailStart...]))
    } else {
      output.appendMarkupText(url)
    }
  }
}

/// Where a long URL is cut for display: its beginning and its end are what readers know it by.
struct ShortenedURL {
  /// URLs of up to this many scalars are shown whole.
  static let limit = 64
  private static let head = 42
  private static let tail = 20

  let headEnd: Int
  let tailStart: Int

  /// Nil if the URL is short enough.
  init?(_ url: UnsafeBufferPointer<UInt8>) {
    guard url.count > Self.limit else { return nil }
    var scalars = 0
    var headEnd = url.count
    for index in url.indices where url[index] & 0xC0 != 0x80 {
      if scalars == Self.head { headEnd = index }
      scalars += 1
      if scalars > Self.limit { break }
    }
    guard scalars > Self.limit else { return nil }
    var tailStart = url.count
    for _ in 0..<Self.tail where tailStart > headEnd {
      tailStart = UTF8Scan.start(ofScalarBefore: tailStart, in: url)
    }
    (self.headEnd, self.tailStart) = (headEnd, tailStart)
  }
}
