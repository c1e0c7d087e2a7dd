import Bytes

/// Where a value lies: in the page's data or in the shared data.
struct Reference {
  var isShared: Bool
  var index: Int
}

/// The nodes and text of a `TemplateData`, borrowed for one rendering.
struct Tape: ~Escapable {
  let nodes: Span<TemplateData.Node>
  let text: Span<UInt8>

  @_lifetime(copy nodes, copy text)
  init(nodes: Span<TemplateData.Node>, text: Span<UInt8>) {
    self.nodes = nodes
    self.text = text
  }

  /// The index of an object's member, -1 if it has none of that name or is no object.
  ///
  /// Indexes are unchecked: a container's `place` is never past the end of the nodes.
  @inline(__always)
  func member(_ key: UInt16, of object: Int) -> Int {
    let node = nodes[unchecked: object]
    guard node.kind == .object else { return -1 }
    var index = object &+ 1
    while index < node.place {
      let child = nodes[unchecked: index]
      if child.key == key { return index }
      index = child.isContainer ? child.place : index &+ 1
    }
    return -1
  }

  /// The index after a value and all that is in it.
  @inline(__always)
  func end(of index: Int) -> Int {
    let node = nodes[index]
    return node.isContainer ? node.place : index &+ 1
  }

  /// A value's text; empty for flags, objects and arrays.
  @_lifetime(copy self)
  @inline(__always)
  func text(of node: TemplateData.Node) -> Span<UInt8> {
    switch node.kind {
    case .text, .number: text.extracting(node.place..<node.place &+ Int(node.count))
    case .object, .array, .yes, .no: text.extracting(first: 0)
    }
  }
}

/// All data of one rendering.
struct Tapes: ~Escapable {
  let page: Tape
  let shared: Tape

  @_lifetime(copy page, copy shared)
  init(page: borrowing Tape, shared: borrowing Tape) {
    self.page = copy page
    self.shared = copy shared
  }

  @inline(__always)
  func member(_ key: UInt16, of value: Reference) -> Reference? {
    let index =
      value.isShared
      ? shared.member(key, of: value.index) : page.member(key, of: value.index)
    return index < 0 ? nil : Reference(isShared: value.isShared, index: index)
  }

  @inline(__always)
  func node(_ value: Reference) -> TemplateData.Node {
    value.isShared ? shared.nodes[value.index] : page.nodes[value.index]
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
    case .array, .text: count > 0
    case .no: false
    }
  }
}
