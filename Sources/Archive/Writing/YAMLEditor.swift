import JSON

/// Changes a YAML document by splicing its bytes: comments, quotes, order and indentation of all
/// that an edit doesn't name stay.
struct YAMLEditor {
  private(set) var bytes: [UInt8]
  private var outline: YAMLOutline
  private let scalars: YAMLScalars

  init(_ bytes: [UInt8]) throws(SpliceError) {
    self.bytes = bytes
    outline = try Self.outline(bytes)
    scalars = YAMLScalars(lineEnd: Self.lineEnd(of: bytes))
  }

  private static func outline(_ bytes: [UInt8]) throws(SpliceError) -> YAMLOutline {
    do throws(YAMLError) {
      return try YAMLOutline(bytes)
    } catch {
      throw SpliceError("it isn't valid YAML: \(error.reason)")
    }
  }

  static func lineEnd(of bytes: [UInt8]) -> [UInt8] {
    guard let end = bytes.firstIndex(of: 0x0A), end > 0, bytes[end - 1] == 0x0D else {
      return [0x0A]
    }
    return [0x0D, 0x0A]
  }

  private mutating func splice(_ range: Range<Int>, _ text: [UInt8]) throws(SpliceError) {
    bytes.replaceSubrange(range, with: text)
    outline = try Self.outline(bytes)
  }

  private func node(at path: ArraySlice<JSONStep>) throws(SpliceError) -> Int? {
    guard var node = outline.root else { return nil }
    for step in path {
      switch step {
      case .member(let name):
        guard let member = outline.member(name, of: node) else { return nil }
        node = member.value
      case .element(let index):
        let found = outline.nodes[node]
        guard found.kind == .sequence, found.children.indices.contains(index) else { return nil }
        node = found.children[index]
      case .record, .offset: throw SpliceError("YAML has no records")
      }
    }
    if outline.nodes[node].kind == .alias { throw SpliceError("an alias stands there") }
    return node
  }

  /// Replaces the value of a member, or adds it as the mapping's last.
  mutating func set(_ json: [UInt8], at path: [JSONStep]) throws {
    guard case .member(let name)? = path.last else { throw SpliceError("no member is named") }
    let parent = try node(at: path.dropLast())
    guard let parent else {
      guard path.count == 1, outline.root == nil else { throw SpliceError("there is no mapping") }
      return try addFirst(json, named: name)
    }
    guard outline.nodes[parent].kind == .mapping else {
      let isNull = outline.nodes[parent].text.isEmpty && outline.nodes[parent].range.isEmpty
      if path.count == 1, isNull { return try addFirst(json, named: name) }
      throw SpliceError("it is no mapping")
    }
    guard let member = outline.member(name, of: parent) else {
      return try add(json, named: name, to: parent)
    }
    try replace(member.value, key: member.key, with: json, isInFlow: outline.nodes[parent].isFlow)
  }

  private mutating func replace(
    _ value: Int,
    key: Int,
    with json: [UInt8],
    isInFlow: Bool
  ) throws {
    let old = outline.nodes[value]
    if old.hasAnchor { throw SpliceError("an anchor stands there, which other values may use") }
    let indent = self.indent(of: outline.nodes[key].range.lowerBound)
    let end = old.range.upperBound
    // A block needs the rest of the line: no comment may stand there.
    let hasLine = bytes[end..<endOfLine(end)].allSatisfy(isBlankByte)
    let text = try JSONLiteral.read(json) { json in
      if !isInFlow, hasLine, let text = json.text?.array,
        old.style != .double || old.kind != .scalar,
        let block = scalars.block(text, indent: indent + Array("  ".utf8))
      {
        return block
      }
      let style = old.kind == .scalar && old.style != .plain ? old.style : nil
      return scalars.inline(json, isInFlow: isInFlow, like: style)
    }
    var range = old.range
    // A block collection begins on a line of its own, which gives way too.
    if old.kind == .sequence || old.kind == .mapping, !old.isFlow {
      range = afterColon(outline.nodes[key].range.upperBound)..<range.upperBound
    }
    let needsBlank = range.lowerBound > 0 && bytes[range.lowerBound - 1] == UInt8(ascii: ":")
    try splice(range, (needsBlank ? [0x20] : []) + text)
  }

  private mutating func addFirst(_ json: [UInt8], named name: [UInt8]) throws {
    let member = try JSONLiteral.read(json) { scalars.member(name, $0, indent: []) }
    let end = bytes.count
    let needsLine = end > 0 && bytes[end - 1] != 0x0A
    try splice(end..<end, (needsLine ? scalars.lineEnd : []) + member + scalars.lineEnd)
  }

  private mutating func add(_ json: [UInt8], named name: [UInt8], to parent: Int) throws {
    let mapping = outline.nodes[parent]
    let last = mapping.children.last.map { outline.nodes[$0].range.upperBound }
    if mapping.isFlow {
      let text = try JSONLiteral.read(json) { json in
        scalars.scalar(name, isInFlow: true) + Array(": ".utf8)
          + scalars.inline(json, isInFlow: true)
      }
      let place = last ?? mapping.range.lowerBound + 1
      return try splice(place..<place, (last == nil ? [] : Array(", ".utf8)) + text)
    }
    guard let first = mapping.children.first, let last else { throw SpliceError("it is empty") }
    let indent = self.indent(of: outline.nodes[first].range.lowerBound)
    let text = try JSONLiteral.read(json) { scalars.member(name, $0, indent: indent) }
    let place = endOfLine(last)
    try splice(place..<place, scalars.lineEnd + indent + text)
  }

  /// Appends a value to the list at `path`, which is made if there is none.
  mutating func append(_ json: [UInt8], to path: [JSONStep]) throws {
    guard let place = try node(at: path[...]), outline.nodes[place].kind == .sequence else {
      if path.isEmpty {
        guard outline.root == nil else { throw SpliceError("it is no list") }
        let item = try JSONLiteral.read(json) { scalars.item($0, indent: []) }
        let needsLine = !bytes.isEmpty && bytes.last != 0x0A
        let end = bytes.count
        return try splice(end..<end, (needsLine ? scalars.lineEnd : []) + item + scalars.lineEnd)
      }
      return try set(JSONLiteral.array([json]), at: path)
    }
    let sequence = outline.nodes[place]
    let last = sequence.children.last.map { outline.nodes[$0].range.upperBound }
    if sequence.isFlow {
      if last == nil, !path.isEmpty { return try set(JSONLiteral.array([json]), at: path) }
      let text = try JSONLiteral.read(json) { scalars.inline($0, isInFlow: true) }
      let end = last ?? sequence.range.lowerBound + 1
      return try splice(end..<end, (last == nil ? [] : Array(", ".utf8)) + text)
    }
    let indent = self.indent(of: sequence.range.lowerBound)
    let text = try JSONLiteral.read(json) { scalars.item($0, indent: indent) }
    let end = endOfLine(last ?? sequence.range.upperBound)
    try splice(end..<end, scalars.lineEnd + indent + text)
  }

  /// Removes a member or an element.
  mutating func remove(_ path: [JSONStep]) throws {
    guard let step = path.last, let parent = try node(at: path.dropLast()) else {
      throw SpliceError("there is nothing to remove")
    }
    let node = outline.nodes[parent]
    switch step {
    case .member(let name):
      guard let member = outline.member(name, of: parent),
        let place = node.children.firstIndex(of: member.key)
      else { throw SpliceError("there is nothing to remove") }
      try checkAnchors(below: member.value)
      let start = outline.nodes[member.key].range.lowerBound
      let end = outline.nodes[member.value].range.upperBound
      let next = node.children.dropFirst(place + 2).first.map { outline.nodes[$0].range.lowerBound }
      let previous = place > 0 ? outline.nodes[node.children[place - 1]].range.upperBound : nil
      try remove(start..<end, of: node, previous: previous, next: next)
    case .element(let index):
      guard node.kind == .sequence, node.children.indices.contains(index) else {
        throw SpliceError("there is nothing to remove")
      }
      try checkAnchors(below: node.children[index])
      let range = outline.nodes[node.children[index]].range
      let start = node.isFlow ? range.lowerBound : dash(before: range.lowerBound)
      let next = node.children.dropFirst(index + 1).first.map { child in
        let start = outline.nodes[child].range.lowerBound
        return node.isFlow ? start : dash(before: start)
      }
      let previous = index > 0 ? outline.nodes[node.children[index - 1]].range.upperBound : nil
      try remove(start..<range.upperBound, of: node, previous: previous, next: next)
    case .record, .offset: throw SpliceError("YAML has no records")
    }
  }

  private mutating func remove(
    _ range: Range<Int>,
    of node: YAMLOutline.Node,
    previous: Int?,
    next: Int?
  ) throws(SpliceError) {
    if previous == nil, next == nil {
      let empty = Array((node.kind == .mapping ? "{}" : "[]").utf8)
      if node.isFlow { return try splice(node.range, empty) }
      return try splice(range, empty)
    }
    if node.isFlow {
      if let previous { return try splice(previous..<range.upperBound, []) }
      return try splice(range.lowerBound..<(next ?? range.upperBound), [])
    }
    let line = startOfLine(range.lowerBound)
    let isFirstOnLine = bytes[line..<range.lowerBound].allSatisfy { isBlankByte($0) }
    if !isFirstOnLine {
      // `- id: x`: what comes next moves up behind the dash.
      guard let next else { throw SpliceError("it shares its line") }
      return try splice(range.lowerBound..<next, [])
    }
    let end = endOfLine(range.upperBound)
    if end < bytes.count { return try splice(line..<nextLine(end), []) }
    var start = line
    if start > 0 { start -= 1 }
    if start > 0, start < line, bytes[start - 1] == 0x0D { start -= 1 }
    try splice(start..<end, [])
  }

  private func checkAnchors(below node: Int) throws(SpliceError) {
    var open = [node]
    while let node = open.popLast() {
      if outline.nodes[node].hasAnchor {
        throw SpliceError("an anchor stands there, which other values may use")
      }
      open += outline.nodes[node].children
    }
  }
}

extension YAMLEditor {
  private func startOfLine(_ index: Int) -> Int {
    var start = index
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    return start
  }

  /// The end of the line without its line end.
  private func endOfLine(_ index: Int) -> Int {
    var end = index
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    if end > index, bytes[end - 1] == 0x0D { end -= 1 }
    return end
  }

  private func nextLine(_ index: Int) -> Int {
    var end = index
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    return min(end + 1, bytes.count)
  }

  /// As many blanks as characters stand before `index` on its line.
  private func indent(of index: Int) -> [UInt8] {
    let line = bytes[startOfLine(index)..<index]
    let start = line.starts(with: [0xEF, 0xBB, 0xBF]) ? 1 : 0
    return Array(repeating: 0x20, count: line.count { $0 & 0xC0 != 0x80 } - start)
  }

  private func afterColon(_ index: Int) -> Int {
    var end = index
    while end < bytes.count, bytes[end] != UInt8(ascii: ":") { end += 1 }
    return min(end + 1, bytes.count)
  }

  private func dash(before index: Int) -> Int {
    var place = index
    while place > 0, bytes[place - 1] != UInt8(ascii: "-") { place -= 1 }
    return max(place - 1, 0)
  }
}
