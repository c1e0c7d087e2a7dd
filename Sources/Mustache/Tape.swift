import Bytes

/// Where a value lies, in the page's data or in the shared data, or that there is none: one word,
/// since the renderer keeps many.
struct Reference: Equatable {
  /// Twice the index, and 1 more for shared data; negative for none.
  private let code: Int

  /// No value.
  static let none = Reference(code: -1)

  private init(code: Int) { self.code = code }

  @inline(__always)
  init(isShared: Bool, index: Int) { code = index &<< 1 | (isShared ? 1 : 0) }

  @inline(__always)
  var isNone: Bool { code < 0 }

  @inline(__always)
  var isShared: Bool { code & 1 != 0 }

  @inline(__always)
  var index: Int { code &>> 1 }
}

/// The nodes and text of a `TemplateData`, borrowed for one rendering.
///
/// Indexes are unchecked: only containers that were ended are asked for, and their `place` is never
/// past the end of the nodes; nor does a node's text end past the text, for it is appended before
/// the node is and stays.
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

  /// Whether a value is an object that has a table of its members.
  @inline(__always)
  func hasTable(_ value: Int) -> Bool {
    let node = nodes[unchecked: value]
    return node.kind == .object && node.count > 0
  }

  /// The index of an object's member, -1 if it has none of that name or is no object.
  func member(_ key: UInt16, of object: Int) -> Int {
    let node = nodes[unchecked: object]
    guard node.kind == .object else { return -1 }
    if node.count > 0 {
      let table = Int(node.count) &- 1
      if UInt32(key) > tables[unchecked: table] { return -1 }
      let index = tables[unchecked: table &+ 1 &+ Int(key)]
      return index == 0 ? -1 : Int(index)
    }
    let end = end(of: object)
    var index = firstMember(of: object)
    while index < end {
      if self.key(of: index) == key { return index }
      index = self.end(of: index)
    }
    return -1
  }

  /// The index of an object's first member, its end if it has none; past a value that is no object.
  @inline(__always)
  func firstMember(of object: Int) -> Int { object &+ 1 }

  @inline(__always)
  func key(of index: Int) -> UInt16 { nodes[unchecked: index].key }

  /// The index after a value and all that is in it.
  @inline(__always)
  func end(of index: Int) -> Int {
    let node = nodes[unchecked: index]
    return node.isContainer ? node.place : index &+ 1
  }

  /// A value's text; empty for flags, objects and arrays.
  @_lifetime(copy self)
  func text(of node: TemplateData.Node) -> Span<UInt8> {
    node.isText ? text.extracting(unchecked: node.range) : text.extracting(first: 0)
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

  /// A member of an object; `.none` if it has none of that name or is no object.
  func member(_ key: UInt16, of value: Reference) -> Reference {
    let index =
      value.isShared
      ? shared.member(key, of: value.index) : page.member(key, of: value.index)
    return index < 0 ? .none : Reference(isShared: value.isShared, index: index)
  }

  @inline(__always)
  func hasTable(_ value: Reference) -> Bool {
    value.isShared ? shared.hasTable(value.index) : page.hasTable(value.index)
  }

  @inline(__always)
  func node(_ value: Reference) -> TemplateData.Node {
    value.isShared ? shared.nodes[unchecked: value.index] : page.nodes[unchecked: value.index]
  }

  @inline(__always)
  func end(of value: Reference) -> Int {
    value.isShared ? shared.end(of: value.index) : page.end(of: value.index)
  }

  /// The bytes that a value's text is a part of.
  @_lifetime(copy self)
  @inline(__always)
  func bytes(behind value: Reference) -> Span<UInt8> { value.isShared ? shared.text : page.text }

  @_lifetime(copy self)
  func text(of value: Reference) -> Span<UInt8> {
    let node = node(value)
    return value.isShared ? shared.text(of: node) : page.text(of: node)
  }
}

extension TemplateData.Node {
  /// Whether `range` holds what the value is written as.
  @inline(__always)
  var isText: Bool {
    switch kind {
    case .text, .plain, .number: true
    case .object, .array, .yes, .no: false
    }
  }

  /// Where in the tape's bytes the text stands.
  @inline(__always)
  var range: Range<Int> { Range(uncheckedBounds: (place, place &+ Int(count))) }

  /// Whether a section of this value shows: all but false, `""` and `[]`.
  @inline(__always)
  var isTruthy: Bool {
    switch kind {
    case .object, .number, .yes: true
    case .array, .text, .plain: count > 0
    case .no: false
    }
  }
}
