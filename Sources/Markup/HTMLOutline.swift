import Bytes

/// Writes blocks and marked-up text so that they nest as HTML's content models allow, whatever the
/// order in which they are asked for.
///
/// Inline elements are opened lazily, when text comes, and closed around each block; so none is
/// empty and none straddles a block. Text where only items may stand gets an item, text at the top
/// gets a paragraph, a block inside a paragraph ends it.
struct HTMLOutline: ~Copyable {
  /// An open block; `serial` tells it from others of its kind.
  private struct OpenBlock {
    let kind: HTMLBlock
    let serial: Int
    /// Whether no element of the source asked for it.
    let isImplied: Bool
  }

  /// Blocks nest this deep; deeper ones are left out, their content stays.
  private static let depth = 64
  /// Inline elements nest this deep.
  private static let inlineDepth = 32

  private var blocks: [OpenBlock] = []
  private var serial = 0
  /// The inline elements that the next text stands in: start tags, and how many are open.
  private var wanted: [(kind: HTMLInline, tag: [UInt8])] = []
  private var opened = 0
  /// Whether text was written since the last block began or ended.
  private(set) var hasText = false

  /// Whether a line break is due before the next text.
  private(set) var isParted = false

  /// Makes an outline in which nothing is open.
  init() {}

  /// Whether text that comes now would be inside a link.
  var isInLink: Bool { wanted.contains { $0.kind == .a } }
  /// Whether blanks and line ends count.
  var isPreformatted: Bool { blocks.last?.kind == .pre }
  /// The innermost inline element asked for.
  var innermostInline: HTMLInline? { wanted.last?.kind }

  /// Whether a block of that kind is open.
  func isInside(_ kind: HTMLBlock) -> Bool { blocks.contains { $0.kind == kind } }

  /// Begins a block where it may stand.
  ///
  /// - Parameters:
  ///   - kind: the block asked for; an item outside its list becomes a `div`.
  ///   - attributes: what follows the name in the start tag, escaped.
  ///   - output: where to write.
  /// - Returns: what `end` takes; nil if the block may not stand here and only its content stays.
  mutating func begin(
    _ kind: HTMLBlock,
    attributes: [UInt8],
    into output: inout ByteBuffer
  ) -> Int? {
    closeInlines(into: &output)
    guard let kind = makeRoom(for: kind, into: &output), blocks.count < Self.depth else {
      separate()
      return nil
    }
    open(kind, attributes: attributes, isImplied: false, into: &output)
    return serial
  }

  /// Ends the block that `begin` returned, and what is open inside; nothing if it has ended.
  mutating func end(_ serial: Int, into output: inout ByteBuffer) {
    guard let index = blocks.lastIndex(where: { $0.serial == serial }) else { return }
    closeInlines(into: &output)
    while blocks.count > index { closeBlock(into: &output) }
  }

  /// Ends everything.
  mutating func finish(into output: inout ByteBuffer) {
    closeInlines(into: &output)
    while !blocks.isEmpty { closeBlock(into: &output) }
  }

  /// Parts the text that follows from what stands before it in the same block, as a block that was
  /// left out would.
  mutating func separate() { isParted = hasText }

  /// Asks for an inline element around the text that follows.
  mutating func push(_ kind: HTMLInline, tag: consuming [UInt8]) -> Bool {
    guard wanted.count < Self.inlineDepth else { return false }
    wanted.append((kind, tag))
    return true
  }

  /// Ends the inline element pushed last.
  mutating func pop(into output: inout ByteBuffer) {
    guard let last = wanted.popLast() else { return }
    if opened > wanted.count {
      close(last.kind.name, into: &output)
      opened = wanted.count
    }
  }

  /// Opens what must be open before text, an image or a line break is written.
  mutating func prepareForText(into output: inout ByteBuffer) {
    while let last = blocks.last, last.kind.isTablePart { closeBlock(into: &output) }
    switch blocks.last?.kind {
    case nil: open(.p, attributes: [], isImplied: true, into: &output)
    case .ul, .ol: open(.li, attributes: [], isImplied: true, into: &output)
    case .dl: open(.dd, attributes: [], isImplied: true, into: &output)
    default: break
    }
    if isParted { output.append(isPreformatted ? "\n" : "<br />\n") }
    isParted = false
    while opened < wanted.count {
      output.append(wanted[opened].tag)
      opened += 1
    }
    hasText = true
  }

  /// Writes a rule where a block may stand.
  mutating func writeRule(into output: inout ByteBuffer) {
    closeInlines(into: &output)
    if makeRoom(for: .div, into: &output) == nil {
      separate()
    } else {
      output.append("<hr />\n")
      hasText = false
      isParted = false
    }
  }

  /// Closes and opens blocks until `kind` may stand; nil if it may not.
  private mutating func makeRoom(
    for kind: HTMLBlock,
    into output: inout ByteBuffer
  ) -> HTMLBlock? {
    while let last = blocks.last, last.kind == .p || (last.isImplied && closes(kind, last.kind)) {
      closeBlock(into: &output)
    }
    let context = blocks.last?.kind
    if let context, context.holdsOnlyText { return nil }
    switch kind {
    case .li where context == .ul || context == .ol: return kind
    case .dt where context == .dl, .dd where context == .dl: return kind
    case .figcaption where context == .figure: return kind
    case .caption where context == .table: return kind
    case .thead where context == .table, .tbody where context == .table,
      .tfoot where context == .table:
      return kind
    case .tr
    where context == .table || context == .thead || context == .tbody
      || context == .tfoot:
      return kind
    case .td where context == .tr, .th where context == .tr: return kind
    case .caption, .thead, .tbody, .tfoot, .tr, .td, .th: return nil
    case .li, .dt, .dd, .figcaption: return standIn(.div, context, into: &output)
    default: return standIn(kind, context, into: &output)
    }
  }

  /// Gives a block that is no item an item to stand in where one is needed.
  private mutating func standIn(
    _ kind: HTMLBlock,
    _ context: HTMLBlock?,
    into output: inout ByteBuffer
  ) -> HTMLBlock? {
    switch context {
    case .ul, .ol: open(.li, attributes: [], isImplied: true, into: &output)
    case .dl: open(.dd, attributes: [], isImplied: true, into: &output)
    case .table, .thead, .tbody, .tfoot, .tr: return nil
    default: break
    }
    return kind
  }

  /// Whether an item asked for ends an implied one.
  private func closes(_ kind: HTMLBlock, _ implied: HTMLBlock) -> Bool {
    switch implied {
    case .li: kind == .li
    case .dd: kind == .dt || kind == .dd
    default: false
    }
  }

  private mutating func open(
    _ kind: HTMLBlock,
    attributes: [UInt8],
    isImplied: Bool,
    into output: inout ByteBuffer
  ) {
    serial += 1
    blocks.append(OpenBlock(kind: kind, serial: serial, isImplied: isImplied))
    output.append("<")
    output.append(kind.name)
    output.append(attributes)
    output.append(">")
    hasText = false
    isParted = false
  }

  private mutating func closeBlock(into output: inout ByteBuffer) {
    closeInlines(into: &output)
    guard let last = blocks.popLast() else { return }
    close(last.kind.name, into: &output)
    output.append("\n")
    hasText = false
    isParted = false
  }

  private mutating func closeInlines(into output: inout ByteBuffer) {
    while opened > 0 {
      opened -= 1
      close(wanted[opened].kind.name, into: &output)
    }
  }

  private func close(_ name: StaticString, into output: inout ByteBuffer) {
    output.append("</")
    output.append(name)
    output.append(">")
  }
}
