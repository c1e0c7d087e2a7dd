import Bytes

extension MarkdownWriter {
  /// Writes the pieces of a body that ``CommonForms`` has read, as the walk over cmark's tree would.
  mutating func writeForms(
    of body: UnsafeBufferPointer<UInt8>,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    output.reserve(body.count &+ 64)
    var info = UnsafeBufferPointer(rebasing: body[..<0])
    let pieces = forms.pieces
    for piece in pieces {
      let text = UnsafeBufferPointer(rebasing: body[piece.range])
      switch piece.kind {
      case .paragraph: output.append("<p>")
      case .paragraphEnd: output.append("</p>\n")
      case .quote: output.append("<blockquote>\n")
      case .quoteEnd: output.append("</blockquote>\n")
      case .list: output.append("<ul>\n")
      case .listEnd: output.append("</ul>\n")
      case .item: output.append("<li>")
      case .itemEnd: output.append("</li>\n")
      case .text: writeText(text, links: links, into: &output)
      case .lineEnd: writeSoftBreak(into: &output)
      case .code: writeCode(text, into: &output)
      case .emphasis: output.append("<em>")
      case .emphasisEnd: output.append("</em>")
      case .strong: output.append("<strong>")
      case .strongEnd: output.append("</strong>")
      case .link:
        let target = enterLink(to: text, links: links)
        if target != .refused {
          openAnchor(to: target, into: &output)
          output.append(">")
        }
      case .linkEnd: leaveLink(into: &output)
      case .language: info = text
      case .codeBlock: writeCodeBlock(text, info: info, into: &output)
      }
    }
  }
}
