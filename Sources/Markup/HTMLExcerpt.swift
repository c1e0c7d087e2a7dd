import Bytes
import CGumbo

extension HTMLSanitizer {
  /// Appends the text of an HTML body without its markup, on one line, not escaped.
  ///
  /// What is longer than `limit` Unicode scalars is cut, at a blank where one is near, and ends
  /// with `…`. Images give their `alt`, scripts and styles nothing.
  public mutating func appendPlainText(
    of html: Span<UInt8>,
    limit: Int = .max,
    into output: inout ByteBuffer
  ) {
    html.withUnsafeBufferPointer { whole in
      let body = Excerpt.window(whole, limit: limit)
      var collector = TextCollector(limit: limit, output: output)
      if HTMLCost.check(body) != nil {
        var text = ByteBuffer(capacity: body.count)
        Self.strip(body, into: &text)
        text.withUnsafeBytes { collector.add($0.bindMemory(to: UInt8.self), to: &output) }
      } else if let tree = HTMLTree(parsing: body), let root = tree.root {
        collect(root, into: &collector, &output)
      }
      collector.finish(&output)
    }
  }

  private func collect(
    _ root: HTMLNode,
    into collector: inout TextCollector,
    _ output: inout ByteBuffer
  ) {
    var stack: [(node: HTMLNode, next: Int, isBlock: Bool)] = [(root, 0, false)]
    while let frame = stack.last, !collector.isFull {
      guard frame.next < frame.node.childCount else {
        if frame.isBlock { collector.addBlank() }
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      guard let child = frame.node.child(frame.next) else { continue }
      switch child.pointee.type {
      case GUMBO_NODE_TEXT, GUMBO_NODE_CDATA, GUMBO_NODE_WHITESPACE:
        collector.add(child.text, to: &output)
      case GUMBO_NODE_ELEMENT where child.isHTMLElement:
        switch HTMLElement(child.tag) {
        case .dropped, .embed: break
        case .lineBreak, .rule: collector.addBlank()
        case .wordBreak: break
        case .image:
          if let text = child.attribute("alt") { collector.add(text, to: &output) }
        case .inline, .transparent: stack.append((child, 0, false))
        case .block, .heading:
          collector.addBlank()
          stack.append((child, 0, true))
        }
      default: break
      }
    }
  }
}
