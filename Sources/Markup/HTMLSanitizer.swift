import Bytes
import CGumbo

/// Writes HTML bodies through an allow-list of elements and attributes, over gumbo's tree.
///
/// What is not on the list is left out and its text kept, except scripts, styles and the like;
/// embedded pages and players become links. One sanitizer serves one worker.
public struct HTMLSanitizer: ~Copyable {
  /// Relative destinations of the last body that the resolver did not know, at most
  /// ``MarkdownWriter/unresolvedLimit``, for warnings.
  public var unresolved: [[UInt8]] { markdown.unresolved }

  /// Resolves links, and writes what cannot be parsed as plain text.
  var markdown = MarkdownWriter()
  var attributes = ByteBuffer()

  /// Makes a sanitizer.
  public init() {}

  /// Writes `html`, which must be UTF-8, as safe and valid block-level HTML.
  ///
  /// Of the options, `headingShift` and `lazyImages` are heeded. A body that would cost too much
  /// to parse loses its tags and becomes plain text; the outcome says so.
  public mutating func render(
    _ html: Span<UInt8>,
    options: MarkdownOptions,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) -> MarkupOutcome {
    markdown.begin(options: options, output: output)
    return html.withUnsafeBufferPointer { body in
      if let reason = HTMLCost.check(body) {
        markdown.outcome.plainReason = reason
        var text = ByteBuffer(capacity: body.count)
        Self.strip(body, into: &text)
        text.withUnsafeBytes {
          markdown.writePlain($0.bindMemory(to: UInt8.self), links: links, into: &output)
        }
      } else if let tree = HTMLTree(parsing: body), let root = tree.root {
        write(root, links: links, into: &output)
      }
      return markdown.outcome
    }
  }

  /// Copies HTML without its tags; character references stay as they are written.
  static func strip(_ html: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    var tags = HTMLTagScanner(html)
    var copied = 0
    while let tag = tags.next() {
      if tag.range.lowerBound > copied {
        output.append(UnsafeBufferPointer(rebasing: html[copied..<tag.range.lowerBound]))
      }
      if case .inline = HTMLElement(tag.name) {} else { output.append(" ") }
      copied = tag.range.upperBound
    }
    output.append(UnsafeBufferPointer(rebasing: html[copied...]))
  }

  /// An element whose children are being written, and what to do after them.
  private struct Frame {
    let node: HTMLNode
    var next = 0
    var exit: Exit
  }

  /// What follows the children of an element.
  enum Exit {
    case nothing
    case block(Int)
    case inline
    case separation
  }

  private mutating func write(
    _ root: HTMLNode,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    var outline = HTMLOutline()
    var stack = [Frame(node: root, exit: .nothing)]
    while let frame = stack.last {
      if frame.next < frame.node.childCount {
        stack[stack.count - 1].next += 1
        guard let child = frame.node.child(frame.next) else { continue }
        if let exit = enter(child, links: links, outline: &outline, into: &output) {
          stack.append(Frame(node: child, exit: exit))
        }
        continue
      }
      switch frame.exit {
      case .nothing: break
      case .block(let serial): outline.end(serial, into: &output)
      case .inline: outline.pop(into: &output)
      case .separation: outline.separate()
      }
      stack.removeLast()
    }
    outline.finish(into: &output)
  }

  /// Writes what a node begins with; nil if its children are not to be visited.
  private mutating func enter(
    _ node: HTMLNode,
    links: some LinkResolver,
    outline: inout HTMLOutline,
    into output: inout ByteBuffer
  ) -> Exit? {
    switch node.pointee.type {
    case GUMBO_NODE_TEXT, GUMBO_NODE_CDATA, GUMBO_NODE_WHITESPACE:
      writeText(node.text, outline: &outline, into: &output)
      return nil
    case GUMBO_NODE_ELEMENT: break
    default: return nil
    }
    guard node.isHTMLElement else {
      // MathML keeps its text; what SVG holds is no text of the body.
      return node.pointee.v.element.tag_namespace == GUMBO_NAMESPACE_MATHML ? .nothing : nil
    }
    switch HTMLElement(node.tag) {
    case .dropped: return nil
    case .transparent: return .nothing
    case .lineBreak:
      guard outline.hasText else { return nil }
      outline.prepareForText(into: &output)
      output.append(outline.isPreformatted ? "\n" : "<br />\n")
      return nil
    case .wordBreak:
      if outline.hasText { output.append("<wbr />") }
      return nil
    case .rule:
      outline.writeRule(into: &output)
      return nil
    case .image:
      writeImage(node, links: links, outline: &outline, into: &output)
      return nil
    case .embed:
      writeEmbed(node, links: links, outline: &outline, into: &output)
      return nil
    case .heading(let level):
      // A header cell holds no headings.
      if outline.isInside(.th) { return begin(.div, node, outline: &outline, into: &output) }
      var headings = markdown.headings
      let next = headings.next(level, shift: markdown.options.headingShift)
      let exit = begin(.heading(next), node, outline: &outline, into: &output)
      if case .block = exit {
        markdown.headings = headings
        markdown.outcome.hasHeadings = true
      }
      return exit
    case .block(let block): return begin(block, node, outline: &outline, into: &output)
    case .inline(let inline):
      return push(inline, node, links: links, outline: &outline, into: &output)
    }
  }

  private func writeText(
    _ text: UnsafeBufferPointer<UInt8>,
    outline: inout HTMLOutline,
    into output: inout ByteBuffer
  ) {
    // Blanks at the beginning of a block or between blocks do not show.
    let showsBlanks = outline.hasText && !outline.isParted
    if !showsBlanks, !outline.isPreformatted, text.allSatisfy({ $0 <= 0x20 }) { return }
    let isFirst = outline.isPreformatted && !outline.hasText
    outline.prepareForText(into: &output)
    // The first line end in `<pre>` is not shown, so one more is needed.
    if isFirst, text.first == 10 { output.append("\n") }
    output.appendMarkupText(text)
  }
}
