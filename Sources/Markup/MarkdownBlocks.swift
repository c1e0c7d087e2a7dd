import Bytes
import CCmark

extension MarkdownWriter {
  /// Writes what one event of the tree walk stands for.
  mutating func write(
    _ node: MarkdownNode,
    entering: Bool,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    if image != nil {
      writeAlternative(node, entering: entering, into: &output)
      return
    }
    switch cmark_node_get_type(node) {
    case CMARK_NODE_TEXT:
      let text = bytes(of: cmark_node_get_literal(node))
      if isAutolinkText {
        isAutolinkText = false
        passTildes(in: text)
      } else {
        writeText(text, links: links, into: &output)
      }
    case CMARK_NODE_PARAGRAPH: writeParagraph(node, entering: entering, into: &output)
    case CMARK_NODE_SOFTBREAK: writeSoftBreak(into: &output)
    case CMARK_NODE_LINEBREAK: output.append("<br />\n")
    case CMARK_NODE_EMPH: output.append(entering ? "<em>" : "</em>")
    case CMARK_NODE_STRONG: output.append(entering ? "<strong>" : "</strong>")
    case CMARK_NODE_CODE: writeCode(bytes(of: cmark_node_get_literal(node)), into: &output)
    case CMARK_NODE_LINK: writeLink(node, entering: entering, links: links, into: &output)
    case CMARK_NODE_IMAGE: beginImage(node, links: links, into: &output)
    case CMARK_NODE_HTML_INLINE: writeInlineHTML(node, into: &output)
    case CMARK_NODE_BLOCK_QUOTE:
      startLine(&output)
      output.append(entering ? "<blockquote>\n" : "</blockquote>\n")
    case CMARK_NODE_LIST: writeList(node, entering: entering, into: &output)
    case CMARK_NODE_ITEM:
      if entering { startLine(&output) }
      output.append(entering ? "<li>" : "</li>\n")
    case CMARK_NODE_HEADING: writeHeading(node, entering: entering, into: &output)
    case CMARK_NODE_CODE_BLOCK:
      writeCodeBlock(
        bytes(of: cmark_node_get_literal(node)),
        info: bytes(of: cmark_node_get_fence_info(node)),
        into: &output
      )
    case CMARK_NODE_HTML_BLOCK: writeBlockHTML(node, into: &output)
    case CMARK_NODE_THEMATIC_BREAK:
      startLine(&output)
      output.append("<hr />\n")
    default: break  // the document; custom nodes are never parsed
    }
  }

  func writeSoftBreak(into output: inout ByteBuffer) {
    output.append(options.hardBreaks ? "<br />\n" : "\n")
  }

  /// Begins a new line of output unless one was just begun.
  func startLine(_ output: inout ByteBuffer) {
    let count = output.count
    if count > start, output.bytes[count - 1] != UInt8(ascii: "\n") { output.append("\n") }
  }

  private func writeParagraph(
    _ node: MarkdownNode,
    entering: Bool,
    into output: inout ByteBuffer
  ) {
    if let list = cmark_node_parent(cmark_node_parent(node)),
      cmark_node_get_type(list) == CMARK_NODE_LIST, cmark_node_get_list_tight(list) != 0
    {
      return
    }
    if entering { startLine(&output) }
    output.append(entering ? "<p>" : "</p>\n")
  }

  private func writeList(_ node: MarkdownNode, entering: Bool, into output: inout ByteBuffer) {
    let isBullets = cmark_node_get_list_type(node) == CMARK_BULLET_LIST
    guard entering else {
      output.append(isBullets ? "</ul>\n" : "</ol>\n")
      return
    }
    startLine(&output)
    let first = cmark_node_get_list_start(node)
    if isBullets {
      output.append("<ul>\n")
    } else if first == 1 {
      output.append("<ol>\n")
    } else {
      output.append("<ol start=\"")
      output.append(decimal: Int(first))
      output.append("\">\n")
    }
  }

  private mutating func writeHeading(
    _ node: MarkdownNode,
    entering: Bool,
    into output: inout ByteBuffer
  ) {
    if entering {
      let source = Int(cmark_node_get_heading_level(node))
      headingLevel = headings.next(source, shift: options.headingShift)
      outcome.hasHeadings = true
      startLine(&output)
    }
    output.append(entering ? "<h" : "</h")
    output.append(decimal: headingLevel)
    output.append(entering ? ">" : ">\n")
  }

  /// `<pre><code class="language-x">`, where `x` is the first word of the info string, if it may be
  /// the name of a language.
  func writeCodeBlock(
    _ code: UnsafeBufferPointer<UInt8>,
    info: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) {
    startLine(&output)
    if info.isEmpty {
      output.append("<pre><code>")
    } else {
      let end = info.firstIndex { $0 == 0x20 || (9...13) ~= $0 } ?? info.count
      let language = UnsafeBufferPointer(rebasing: info[..<end])
      if options.extensions, !LanguageName.isPlain(language) {
        output.append("<pre><code>")
      } else {
        output.append("<pre><code class=\"language-")
        output.appendMarkupText(language)
        output.append("\">")
      }
    }
    output.appendMarkupText(code)
    output.append("</code></pre>\n")
  }
}
