import Bytes

/// Where a value lies: in the page's data or in the shared data.
struct Reference {
  var isShared: Bool
  var index: Int
}

/// The nodes and text of a `TemplateData`, borrowed for one rendering.
///
/// Indexes are unchecked: only containers that were ended are asked for, and their `place` is never
/// past the end of the nodes.
struct Tape: ~Escapable {
  let nodes: Span<TemplateData.Node>
  let tables: Span<UInt32>
  let text: Span<UInt8>

  @_lifetime(borrow data)
  init(_ data: borrowing TemplateData) {
    nodes = data.nodes.span
    tables = data.tables.span
    text = data.text.bytes
  }

  /// The names of an object's members, a bit each; none for other values.
  @inline(__always)
  func names(of value: Int) -> UInt64 {
    guard nodes[unchecked: value].kind == .object else { return 0 }
    return UInt64(UInt(bitPattern: nodes[unchecked: value &+ 1].place))
  }

  /// The index of an object's member, -1 if it has none of that name or is no object.
  @inline(__always)
  func member(_ key: UInt16, of object: Int) -> Int {
    let names = names(of: object)
    return names & TemplateData.Node.nameBit(key) == 0 ? -1 : likelyMember(key, of: object)
  }

  /// The index of a member of an object that has one whose name shares the key's bit, -1 if it is
  /// another.
  @inline(__always)
  func likelyMember(_ key: UInt16, of object: Int) -> Int {
    let names = nodes[unchecked: object &+ 1]
    if names.count > 0 {
      if key > names.key { return -1 }
      let index = tables[unchecked: Int(names.count) &- 1 &+ Int(key)]
      return index == 0 ? -1 : Int(index)
    }
    let end = nodes[unchecked: object].place
    var index = object &+ 2
    while index < end {
      let child = nodes[unchecked: index]
      if child.key == key { return index }
      index = child.isContainer ? child.place : index &+ 1
    }
    return -1
  }

  /// The index after a value and all that is in it.
  @inline(__always)
  func end(of index: Int) -> Int {
    let node = nodes[unchecked: index]
    return node.isContainer ? node.place : index &+ 1
  }

  /// A value's text; empty for flags, objects and arrays.
  @_lifetime(copy self)
  @inline(__always)
  func text(of node: TemplateData.Node) -> Span<UInt8> {
    switch node.kind {
    case .text, .plain, .number: text.extracting(node.place..<node.place &+ Int(node.count))
    case .object, .array, .yes, .no, .names: text.extracting(first: 0)
    }
  }
}

/// All data of one rendering.
struct Tapes: ~Copyable, ~Escapable {
  let page: Tape
  let shared: Tape

  @_lifetime(copy page, copy shared)
  init(page: borrowing Tape, shared: borrowing Tape) {
    self.page = copy page
    self.shared = copy shared
  }

  @inline(__always)
  func names(of value: Reference) -> UInt64 {
    value.isShared ? shared.names(of: value.index) : page.names(of: value.index)
  }

  @inline(__always)
  func member(_ key: UInt16, of value: Reference) -> Reference? {
    let index =
      value.isShared
      ? shared.member(key, of: value.index) : page.member(key, of: value.index)
    return index < 0 ? nil : Reference(isShared: value.isShared, index: index)
  }

  @inline(__always)
  func likelyMember(_ key: UInt16, of value: Reference) -> Reference? {
    let index =
      value.isShared
      ? shared.likelyMember(key, of: value.index) : page.likelyMember(key, of: value.index)
    return index < 0 ? nil : Reference(isShared: value.isShared, index: index)
  }

  @inline(__always)
  func node(_ value: Reference) -> TemplateData.Node {
    value.isShared ? shared.nodes[unchecked: value.index] : page.nodes[unchecked: value.index]
  }

  @inline(__always)
  func end(of value: Reference) -> Int {
    value.isShared ? shared.end(of: value.index) : page.end(of: value.index)
  }

  @_lifetime(copy self)
  @inline(__always)
  func text(of value: Reference) -> Span<UInt8> {
    let node = node(value)
    return value.isShared ? shared.text(of: node) : page.text(of: node)
  }
}

extension TemplateData.Node {
  /// Whether a section of this value shows: all but false, `""` and `[]`.
  @inline(__always)
  var isTruthy: Bool {
    switch kind {
    case .object, .number, .yes: true
    case .array, .text, .plain: count > 0
    case .no, .names: false
    }
  }
}
