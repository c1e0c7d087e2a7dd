import Bytes
import CGumbo

extension HTMLSanitizer {
  /// Begins a block with the attributes it may keep.
  mutating func begin(
    _ asked: HTMLBlock,
    _ node: HTMLNode,
    outline: inout HTMLOutline,
    into output: inout ByteBuffer
  ) -> Exit? {
    var block = asked
    switch asked {
    case .tr where !node.hasChild(GUMBO_TAG_TD) && !node.hasChild(GUMBO_TAG_TH): return .nothing
    // A list of definitions needs a term.
    case .dl where !node.hasChild(GUMBO_TAG_DT): block = .div
    default: break
    }
    attributes.removeAll()
    appendDirection(node)
    switch block {
    case .ol:
      appendInteger(node, "start", " start=\"", in: -999_999...999_999)
      if node.attribute("reversed") != nil { attributes.append(" reversed=\"\"") }
    case .td, .th:
      appendInteger(node, "colspan", " colspan=\"", in: 2...100)
      appendInteger(node, "rowspan", " rowspan=\"", in: 2...100)
    default: break
    }
    let serial = outline.begin(block, attributes: attributes.array, into: &output)
    return serial.map { .block($0) } ?? .separation
  }

  /// Asks for an inline element with the attributes it may keep.
  mutating func push(
    _ inline: HTMLInline,
    _ node: HTMLNode,
    links: some LinkResolver,
    outline: inout HTMLOutline,
    into output: inout ByteBuffer
  ) -> Exit? {
    attributes.removeAll()
    attributes.append("<")
    attributes.append(inline.name)
    switch inline {
    case .a:
      guard !outline.isInLink, let href = node.attribute("href") else { return .nothing }
      let target = markdown.resolve(href, links: links)
      guard target != .refused else { return .nothing }
      attributes.removeAll()
      markdown.openAnchor(to: target, into: &attributes)
      appendTitle(node)
    case .abbr, .dfn: appendTitle(node)
    case .code: appendLanguage(node)
    case .ruby where !node.hasChild(GUMBO_TAG_RT): return .nothing
    case .rt where outline.innermostInline != .ruby, .rp where outline.innermostInline != .ruby:
      return .nothing
    default: break
    }
    if inline != .a { appendDirection(node) }
    attributes.append(">")
    return outline.push(inline, tag: attributes.array) ? .inline : .nothing
  }

  /// Writes an image of the site, or a link to one elsewhere; a tracking pixel vanishes.
  mutating func writeImage(
    _ node: HTMLNode,
    links: some LinkResolver,
    outline: inout HTMLOutline,
    into output: inout ByteBuffer
  ) {
    let width = integer(node.attribute("width"), in: 0...99_999)
    let height = integer(node.attribute("height"), in: 0...99_999)
    guard let source = node.attribute("src"), !source.isEmpty, width ?? 2 > 1, height ?? 2 > 1
    else { return }
    let form = markdown.imageForm(of: source, isInLink: outline.isInLink, links: links)
    let alternative = node.attribute("alt") ?? UnsafeBufferPointer(start: nil, count: 0)
    outline.prepareForText(into: &output)
    attributes.removeAll()
    appendTitle(node)
    if form == .picture {
      appendInteger(node, "width", " width=\"", in: 1...99_999)
      appendInteger(node, "height", " height=\"", in: 1...99_999)
    }
    markdown.openImage(form, into: &output)
    if form == .link { output.append(attributes.bytes) }
    if form != .picture { output.append(">") }
    output.appendMarkupText(
      alternative.isEmpty && form != .picture ? MarkdownWriter.fileName(of: source) : alternative
    )
    if form == .picture {
      output.append("\"")
      output.append(attributes.bytes)
    }
    markdown.closeImage(form, into: &output)
  }

  /// Writes a link to what was embedded.
  mutating func writeEmbed(
    _ node: HTMLNode,
    links: some LinkResolver,
    outline: inout HTMLOutline,
    into output: inout ByteBuffer
  ) {
    guard let source = embedded(in: node), !source.isEmpty, !outline.isInLink else { return }
    let target = markdown.resolve(source, links: links)
    guard target == .web || target == .relative else { return }
    outline.prepareForText(into: &output)
    markdown.openAnchor(to: target, into: &output)
    output.append(" class=\"embed-link\"")
    markdown.writeShortened(source, isLink: true, into: &output)
    output.append("</a>")
  }

  private func embedded(in node: HTMLNode) -> UnsafeBufferPointer<UInt8>? {
    if let source = node.attribute(node.tag == GUMBO_TAG_OBJECT ? "data" : "src") { return source }
    for index in 0..<node.childCount {
      if let child = node.child(index), child.isHTMLElement, child.tag == GUMBO_TAG_SOURCE,
        let source = child.attribute("src")
      {
        return source
      }
    }
    return nil
  }

  private mutating func appendTitle(_ node: HTMLNode) {
    guard let title = node.attribute("title"), !title.isEmpty else { return }
    attributes.append(" title=\"")
    attributes.appendMarkupText(title)
    attributes.append("\"")
  }

  private mutating func appendDirection(_ node: HTMLNode) {
    guard let value = node.attribute("dir") else { return }
    for direction: StaticString in ["ltr", "rtl", "auto"]
    where isEqual(value, direction) {
      attributes.append(" dir=\"")
      attributes.append(direction)
      attributes.append("\"")
    }
  }

  /// Keeps the class of a code element that names its language.
  private mutating func appendLanguage(_ node: HTMLNode) {
    guard let value = node.attribute("class") else { return }
    let prefix: StaticString = "language-"
    for name in value.split(separator: 0x20)
    where name.count > prefix.utf8CodeUnitCount
      && isEqual(UnsafeBufferPointer(rebasing: name.prefix(prefix.utf8CodeUnitCount)), prefix)
      && LanguageName.isPlain(
        UnsafeBufferPointer(rebasing: name.dropFirst(prefix.utf8CodeUnitCount))
      )
    {
      attributes.append(" class=\"")
      attributes.appendMarkupText(UnsafeBufferPointer(rebasing: name))
      attributes.append("\"")
      return
    }
  }

  private mutating func appendInteger(
    _ node: HTMLNode,
    _ name: StaticString,
    _ start: StaticString,
    in range: ClosedRange<Int>
  ) {
    guard let value = integer(node.attribute(name), in: range) else { return }
    attributes.append(start)
    attributes.append(decimal: value)
    attributes.append("\"")
  }

  /// A whole number of at most seven digits, with a sign or `px` allowed, within the range.
  private func integer(
    _ text: UnsafeBufferPointer<UInt8>?,
    in range: ClosedRange<Int>
  ) -> Int? {
    guard let text, let first = text.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var value = 0
    var digits = 0
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      guard 0x30...0x39 ~= byte, digits < 7 else {
        if byte == UInt8(ascii: "p") { break }
        return nil
      }
      value = value * 10 + Int(byte - 0x30)
      digits += 1
    }
    if isNegative { value = -value }
    return digits > 0 && range.contains(value) ? value : nil
  }

  private func isEqual(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    text.count == word.utf8CodeUnitCount
      && text.indices.allSatisfy { asciiLowered(text[$0]) == word.utf8Start[$0] }
  }

  private func asciiLowered(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
