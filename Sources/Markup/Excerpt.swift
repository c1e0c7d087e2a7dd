import Bytes
import CCmark

/// Text for titles, descriptions and summaries.
public enum Excerpt {
  /// Appends text as it is, on one line.
  ///
  /// What is longer than `limit` Unicode scalars is cut, at a blank where one is near, and ends
  /// with `…`.
  public static func append(_ text: Span<UInt8>, limit: Int, into output: inout ByteBuffer) {
    var collector = TextCollector(limit: limit, output: output)
    text.withUnsafeBufferPointer { collector.add($0, to: &output) }
    collector.finish(&output)
  }

  /// How much of a body is looked at for an excerpt of `limit` scalars: markup takes room too.
  static func window(
    _ body: UnsafeBufferPointer<UInt8>,
    limit: Int
  ) -> UnsafeBufferPointer<UInt8> {
    let (room, overflows) = limit.multipliedReportingOverflow(by: 4)
    guard !overflows, room < Int.max - 512, body.count > room + 512 else { return body }
    var end = room + 512
    let lowest = end / 2
    while end > lowest, body[end - 1] != 10 { end -= 1 }
    if end == lowest {
      end = room + 512
      while end > lowest, body[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return UnsafeBufferPointer(rebasing: body[..<end])
  }
}

extension MarkdownWriter {
  /// Appends the text of a Markdown body without its markup, on one line, not escaped.
  ///
  /// What is longer than `limit` Unicode scalars is cut, at a blank where one is near, and ends
  /// with `…`. Images give their `alt`, comments nothing.
  public mutating func appendPlainText(
    of markdown: Span<UInt8>,
    limit: Int = .max,
    into output: inout ByteBuffer
  ) {
    markdown.withUnsafeBufferPointer { whole in
      let body = Excerpt.window(whole, limit: limit)
      var collector = TextCollector(limit: limit, output: output)
      begin(options: MarkdownOptions(), output: output)
      if readsCommonForms, body.count <= CostBound.denseBytes, forms.read(body) {
        collectForms(of: body, into: &collector, &output)
      } else if CostBound.check(body) != nil {
        collector.add(body, to: &output)
      } else if let tree = parse(body) {
        var images = 0
        tree.walk { node, entering in
          if !collector.isFull {
            collect(node, entering: entering, &images, into: &collector, &output)
          }
        }
      }
      collector.finish(&output)
    }
  }

  /// Appends what ``appendPlainText(of:limit:into:)`` gives of the body that was rendered last.
  ///
  /// - Parameters:
  ///   - markdown: That body, whole, where it lay; of another one nothing is appended.
  ///   - limit: As there.
  ///   - output: Unchanged where the body has to be read anew.
  /// - Returns: Whether the text could be taken from what rendering found.
  public mutating func appendPlainText(
    ofRendered markdown: Span<UInt8>,
    limit: Int,
    into output: inout ByteBuffer
  ) -> Bool {
    markdown.withUnsafeBufferPointer { body in
      guard let formsBody, formsBody.baseAddress == body.baseAddress,
        formsBody.count == body.count, Excerpt.window(body, limit: limit).count == body.count
      else { return false }
      var collector = TextCollector(limit: limit, output: output)
      collectForms(of: body, into: &collector, &output)
      collector.finish(&output)
      return true
    }
  }

  private func collectForms(
    of body: UnsafeBufferPointer<UInt8>,
    into collector: inout TextCollector,
    _ output: inout ByteBuffer
  ) {
    for piece in forms.pieces {
      if collector.isFull { return }
      switch piece.kind {
      case .text, .code, .codeBlock:
        collector.add(UnsafeBufferPointer(rebasing: body[piece.range]), to: &output)
      case .paragraph, .paragraphEnd, .quote, .quoteEnd, .list, .listEnd, .item, .itemEnd, .lineEnd:
        collector.addBlank()
      case .emphasis, .emphasisEnd, .strong, .strongEnd, .link, .linkEnd, .language: break
      }
    }
  }

  private mutating func collect(
    _ node: MarkdownNode,
    entering: Bool,
    _ images: inout Int,
    into collector: inout TextCollector,
    _ output: inout ByteBuffer
  ) {
    switch cmark_node_get_type(node) {
    case CMARK_NODE_TEXT:
      scratch.removeAll()
      appendVisible(bytes(of: cmark_node_get_literal(node)), inImage: images > 0)
      scratch.withUnsafeBytes { collector.add($0.bindMemory(to: UInt8.self), to: &output) }
    case CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK:
      collector.add(bytes(of: cmark_node_get_literal(node)), to: &output)
    case CMARK_NODE_HTML_INLINE, CMARK_NODE_HTML_BLOCK:
      scratch.removeAll()
      RawHTML.appendWithoutComments(bytes(of: cmark_node_get_literal(node)), into: &scratch)
      scratch.withUnsafeBytes { collector.add($0.bindMemory(to: UInt8.self), to: &output) }
    case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: collector.addBlank()
    case CMARK_NODE_EMPH, CMARK_NODE_STRONG: break
    case CMARK_NODE_IMAGE: images += entering ? 1 : -1
    case CMARK_NODE_LINK: openLinks += entering ? 1 : -1
    default: collector.addBlank()
    }
  }

  /// Leaves in the scratch buffer what a reader sees of a text node: no paired `~~`, no shields.
  private mutating func appendVisible(_ text: UnsafeBufferPointer<UInt8>, inImage: Bool) {
    guard !strikes.isEmpty, !inImage else {
      appendRestored(text)
      return
    }
    var scanner = TextScanner(text: text, findsLinks: openLinks == 0)
    var copied = 0
    while true {
      switch scanner.next() {
      case .end:
        appendRestored(UnsafeBufferPointer(rebasing: text[copied...]))
        return
      case .special, .at: scanner.index += 1
      case .url(let url): scanner.skip(url.range.upperBound - scanner.index)
      case .tildes:
        let role = nextStrike < strikes.count ? strikes[nextStrike] : .none
        nextStrike += 1
        if role != .none {
          appendRestored(UnsafeBufferPointer(rebasing: text[copied..<scanner.index]))
          copied = scanner.index + 2
        }
        scanner.skip(2)
      }
    }
  }

  private mutating func appendRestored(_ text: UnsafeBufferPointer<UInt8>) {
    if isShielded {
      MarkdownShield.restore(text, dropsEscapes: true, into: &scratch)
    } else {
      scratch.append(text)
    }
  }
}
