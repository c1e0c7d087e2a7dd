import CCmark

/// What a `~~` in the text does.
enum StrikeRole {
  case none
  case open
  case close
}

/// Pairs the `~~` of a body: within one paragraph or heading, and within one emphasis or link, so
/// that `<del>` nests with the elements around it; what lies between may hold emphasis, code and
/// links. (GitHub Flavored Markdown 0.29, section 6.5, without its single tildes.)
///
/// A pair opens before and closes after a character that is no blank. `***` and longer runs of
/// tildes are text.
struct StrikeScan {
  /// The roles in the order in which the writer meets the `~~`.
  private(set) var roles: [StrikeRole] = []
  /// Indexes of `~~` that may open, those of the innermost element last.
  private var openers: [Int] = []
  /// For each inline element entered, how many openers there were before.
  private var marks: [Int] = []
  private var openLinks = 0
  private var image: MarkdownNode?

  /// Takes one event of the walk over the tree.
  mutating func visit(_ node: MarkdownNode, entering: Bool) {
    let type = cmark_node_get_type(node)
    if let image {
      if !entering, node == image { self.image = nil }
      return
    }
    switch type {
    case CMARK_NODE_TEXT: visitText(node)
    case CMARK_NODE_IMAGE: image = node
    case CMARK_NODE_EMPH, CMARK_NODE_STRONG, CMARK_NODE_LINK:
      if type == CMARK_NODE_LINK { openLinks += entering ? 1 : -1 }
      if entering {
        marks.append(openers.count)
      } else if let mark = marks.popLast() {
        openers.removeLast(openers.count - mark)
      }
    case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING, CMARK_NODE_HTML_BLOCK:
      openers.removeAll(keepingCapacity: true)
      marks.removeAll(keepingCapacity: true)
    default: break
    }
  }

  private mutating func visitText(_ node: MarkdownNode) {
    let text = bytes(of: cmark_node_get_literal(node))
    var scanner = TextScanner(text: text, findsLinks: openLinks == 0)
    while true {
      switch scanner.next() {
      case .end: return
      case .url(let url): scanner.skip(url.range.upperBound - scanner.index)
      case .special, .at: scanner.index += 1
      case .tildes:
        let index = scanner.index
        let mayClose =
          index > 0 ? !isBlank(text[index - 1]) : !isBreak(cmark_node_previous(node))
        let mayOpen =
          index + 2 < text.count
          ? !isBlank(text[index + 2]) : !isBreak(cmark_node_next(node))
        pair(mayOpen: mayOpen, mayClose: mayClose)
        scanner.skip(2)
      }
    }
  }

  private mutating func pair(mayOpen: Bool, mayClose: Bool) {
    if mayClose, openers.count > marks.last ?? 0, let opener = openers.popLast() {
      roles[opener] = .open
      roles.append(.close)
      return
    }
    if mayOpen { openers.append(roles.count) }
    roles.append(.none)
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 }

  /// Whether a text's neighbour is the paragraph's edge or a line end.
  private func isBreak(_ node: MarkdownNode?) -> Bool {
    guard let node else { return true }
    let type = cmark_node_get_type(node)
    return type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK
  }
}
