import Bytes
import CCmark

extension MarkdownWriter {
  func writeCode(_ code: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    output.append("<code>")
    output.appendMarkupText(code)
    output.append("</code>")
  }

  mutating func writeLink(
    _ node: MarkdownNode,
    entering: Bool,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    guard entering else { return leaveLink(into: &output) }
    let target = enterLink(to: bytes(of: cmark_node_get_url(node)), links: links)
    let autolink = options.extensions ? MarkdownShield.soleText(of: node) : nil
    isAutolinkText = autolink != nil
    if target != .refused {
      openAnchor(to: target, into: &output)
      writeTitle(node, into: &output)
      if autolink == nil { output.append(">") }
    }
    if autolink != nil {
      let url = bytes(of: cmark_node_get_url(node))
      writeShortened(url, isLink: target != .refused, into: &output)
    }
  }

  /// Goes into a link, and leaves in the scratch buffer where it leads.
  mutating func enterLink(
    to destination: UnsafeBufferPointer<UInt8>,
    links: some LinkResolver
  ) -> LinkDestination {
    var target = resolve(destination, links: links)
    // cmark lets an autolink stand inside a link, which HTML does not.
    if openLinks > 0, options.checksSchemes { target = .refused }
    openLinks += 1
    linkStack.append(target != .refused)
    return target
  }

  mutating func leaveLink(into output: inout ByteBuffer) {
    openLinks -= 1
    if linkStack.popLast() == true { output.append("</a>") }
  }

  /// Writes `<a href="…"` for the destination that ``resolve(_:links:)`` left in the scratch
  /// buffer, and `rel` for another site.
  func openAnchor(to target: LinkDestination, into output: inout ByteBuffer) {
    output.append("<a href=\"")
    output.appendHref(scratch.bytes)
    output.append("\"")
    if target == .web, options.checksSchemes { output.append(" rel=\"nofollow ugc noopener\"") }
  }

  func writeTitle(_ node: MarkdownNode, into output: inout ByteBuffer) {
    let title = bytes(of: cmark_node_get_title(node))
    guard !title.isEmpty else { return }
    output.append(" title=\"")
    output.appendMarkupText(title)
    output.append("\"")
  }

  /// Leaves in the scratch buffer where `destination` leads, and says what kind of place it is.
  mutating func resolve(
    _ destination: UnsafeBufferPointer<UInt8>,
    links: some LinkResolver
  ) -> LinkDestination {
    scratch.removeAll()
    guard options.checksSchemes else {
      scratch.append(destination)
      return .relative
    }
    let span = destination.span
    let kind = LinkDestination(span)
    if kind == .refused { return .refused }
    if links.href(forDestination: span, into: &scratch) { return LinkDestination(scratch.bytes) }
    scratch.removeAll()
    scratch.append(destination)
    guard kind == .relative else { return kind }
    outcome.unresolvedLinks += 1
    if unresolved.count < Self.unresolvedLimit { unresolved.append([UInt8](destination)) }
    return .refused
  }

  /// Writes raw HTML as text: what was typed stays visible, its markup does nothing.
  ///
  /// Comments vanish.
  func writeInlineHTML(_ node: MarkdownNode, into output: inout ByteBuffer) {
    let html = bytes(of: cmark_node_get_literal(node))
    if options.allowsRawHTML {
      output.append(html)
    } else if !RawHTML.isComment(html) {
      output.appendMarkupText(html)
    }
  }

  /// Writes a block of raw HTML as a paragraph of text that keeps its lines.
  func writeBlockHTML(_ node: MarkdownNode, into output: inout ByteBuffer) {
    startLine(&output)
    let html = bytes(of: cmark_node_get_literal(node))
    if options.allowsRawHTML {
      output.append(html)
      startLine(&output)
      return
    }
    var text = ByteBuffer(capacity: html.count)
    RawHTML.appendWithoutComments(html, into: &text)
    guard let lines = RawHTML.lines(of: text.bytes) else { return }
    output.append("<p>")
    for (number, line) in lines.enumerated() {
      if number > 0 { output.append("<br />\n") }
      output.appendMarkupText(text.bytes.extracting(line))
    }
    output.append("</p>\n")
  }
}
