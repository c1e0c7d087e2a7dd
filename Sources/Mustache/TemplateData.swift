import Bytes

/// What a template sees, as a flat tape: an append-only array of 16-byte nodes and a text buffer.
///
/// The idea is simdjson's tape: an object or array knows where it ends, so that a lookup steps over
/// its members without entering them, and nothing is allocated per object. `removeAll()` keeps the
/// memory for the next page.
///
/// ```swift
/// data.beginObject()
/// data.set(keys.title, "Hello")
/// data.beginArray(keys.tags)
/// data.set(nil, "swift")
/// data.endArray()
/// data.endObject()
/// ```
/// An absent name is looked up further out; `false` and `""` are falsey and hide an outer value.
/// Of two members with one name the first counts.
public struct TemplateData: ~Copyable, Sendable {
  @usableFromInline
  package var nodes: PlainArray<Node>
  /// For objects of many members, the highest key, then for each key up to that the member's node,
  /// or 0.
  var tables: PlainArray<UInt32>
  @usableFromInline
  package var text: ByteBuffer
  /// The innermost container that isn't closed, whose `place` holds the one around it; or -1.
  @usableFromInline
  var open = -1

  /// Makes an empty tape with room for so many values and bytes of text; a template sees no
  /// variables in it.
  public init(values: Int = 64, bytes: Int = 4096) {
    nodes = PlainArray(capacity: values)
    tables = PlainArray(capacity: values)
    text = ByteBuffer(capacity: bytes)
  }

  /// Forgets all values and keeps the memory.
  public mutating func removeAll() {
    nodes.removeAll()
    tables.removeAll()
    text.removeAll()
    open = -1
  }

  /// Whether nothing has been set.
  public var isEmpty: Bool { nodes.isEmpty }

  // MARK: Containers

  /// Begins an object; `key` is nil inside an array and for the root.
  public mutating func beginObject(_ key: KeyID? = nil) { begin(.object, key) }

  /// Ends the object begun last.
  public mutating func endObject() { end(.object) }

  /// Begins an array; `key` is nil inside an array and for the root.
  public mutating func beginArray(_ key: KeyID? = nil) { begin(.array, key) }

  /// Ends the array begun last.
  public mutating func endArray() { end(.array) }

  // MARK: Values: with a key inside an object, without inside an array

  /// Sets text.
  public mutating func set(_ key: KeyID?, _ text: String) {
    text.withBytes { set(key, buffer: $0) }
  }

  /// Sets a literal.
  public mutating func set(_ key: KeyID?, _ text: StaticString) {
    text.withUTF8Buffer { set(key, buffer: $0) }
  }

  /// Sets text given as UTF-8.
  public mutating func set(_ key: KeyID?, bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { set(key, buffer: $0) }
  }

  /// Sets a whole number; zero is truthy, as the Mustache specification has it.
  public mutating func set(_ key: KeyID?, _ number: Int) {
    let start = text.count
    text.append(decimal: number)
    appendText(.number, key, from: start)
  }

  /// Sets a flag.
  public mutating func set(_ key: KeyID?, _ flag: Bool) {
    countChild()
    nodes.append(Node(kind: flag ? .yes : .no, key: key, count: 0, place: text.count))
  }

  /// Sets text that `body` appends to the tape's own buffer, which saves a copy.
  ///
  /// When `body` throws, nothing is set. It must only append.
  @inlinable
  public mutating func write<E: Error>(
    _ key: KeyID?,
    _ body: (inout ByteBuffer) throws(E) -> Void
  ) throws(E) {
    let start = text.count
    do throws(E) {
      try body(&text)
    } catch {
      text.truncate(to: start)
      throw error
    }
    appendText(.text, key, from: start)
  }

  /// Sets text in which nothing has to be escaped for HTML, such as a percent-encoded address, and
  /// which templates then write as it is: escaping each time it is written costs more.
  ///
  /// It must only append; debug builds check what it appended.
  @inlinable
  public mutating func writePlain(_ key: KeyID?, _ body: (inout ByteBuffer) -> Void) {
    let start = text.count
    body(&text)
    assert(text.isPlainHTML(from: start), "text that has to be escaped was set as plain")
    appendText(.plain, key, from: start)
  }

  /// Sets all members of another tape's object, each a text, a number or a flag, in the object that
  /// is open: what many objects have in common is written once and copied.
  public mutating func setMembers(of other: borrowing TemplateData) {
    precondition(other.open < 0 && !other.isEmpty && other.nodes[0].kind == .object)
    guard open >= 0, nodes[open].kind == .object else { return }
    let start = text.count
    text.append(other.text.bytes)
    for index in 1..<other.nodes.count {
      var node = other.nodes[index]
      precondition(!node.isContainer, "an object or array among members that are copied")
      node.place &+= start
      countChild()
      nodes.append(node)
    }
  }
}

extension TemplateData {
  /// Notes for each text whether escaping would change it, which templates then need not find out
  /// each time they write it: for data that many pages share.
  public mutating func notePlainTexts() {
    for index in 0..<nodes.count where nodes[index].kind == .text {
      if text.isSurelyPlainHTML(nodes[index].range) { nodes[index].kind = .plain }
    }
  }

  /// One value of the tape.
  @usableFromInline
  package struct Node: BitwiseCopyable, Sendable {
    /// What a node holds.
    @usableFromInline
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
      case object
      case array
      case text
      /// Text that escaping for HTML would not change.
      case plain
      case number
      case yes
      case no
    }

    @usableFromInline
    package var kind: Kind
    /// The member's name, or `KeyID.none`.
    @usableFromInline
    package var key: UInt16
    /// The number of children, or of bytes of text; of an object that was ended, where its table
    /// begins in `tables`, counted from 1, or 0 without one.
    @usableFromInline
    package var count: UInt32
    /// A container's end (the index after its last descendant), or where the text starts.
    @usableFromInline
    package var place: Int

    @inlinable
    @inline(__always)
    init(kind: Kind, key: KeyID?, count: UInt32, place: Int) {
      self.kind = kind
      self.key = key?.rawValue ?? KeyID.none
      self.count = count
      self.place = place
    }

    /// Whether the node has children.
    package var isContainer: Bool { kind.rawValue <= Kind.array.rawValue }
  }

  private mutating func begin(_ kind: Node.Kind, _ key: KeyID?) {
    countChild()
    nodes.append(Node(kind: kind, key: key, count: 0, place: open))
    open = nodes.count - 1
  }

  private mutating func end(_ kind: Node.Kind) {
    assert(open >= 0 && nodes[open].kind == kind, "an end without its begin")
    guard open >= 0 else { return }
    let outer = nodes[open].place
    nodes[open].place = nodes.count
    if kind == .object {
      nodes[open].count = nodes[open].count < Self.manyMembers ? 0 : writeTable(of: open)
    }
    open = outer
  }

  /// Objects of that many members get a table.
  private static let manyMembers = 24

  /// Notes where each member of an object is; keys are small numbers, so the table is short.
  ///
  /// Returns where it begins, counted from 1, or 0 if there is none.
  private mutating func writeTable(of object: Int) -> UInt32 {
    let first = object + 1
    let end = nodes[object].place
    var highest: UInt16 = 0
    var index = first
    while index < end {
      highest = max(highest, nodes[index].key)
      index = nodes[index].isContainer ? nodes[index].place : index + 1
    }
    guard highest < 2048, let start = UInt32(exactly: tables.count + 1) else { return 0 }
    tables.append(UInt32(highest))
    for _ in 0...highest { tables.append(0) }
    index = first
    while index < end, let place = UInt32(exactly: index) {
      let slot = tables.count - 1 - Int(highest - nodes[index].key)
      if tables[slot] == 0 { tables[slot] = place }
      index = nodes[index].isContainer ? nodes[index].place : index + 1
    }
    return start
  }

  @inlinable
  @inline(__always)
  mutating func countChild() {
    if open >= 0 { nodes[open].count &+= 1 }
  }

  private mutating func set(_ key: KeyID?, buffer: UnsafeBufferPointer<UInt8>) {
    let start = text.count
    text.append(buffer)
    appendText(.text, key, from: start)
  }

  /// Ends a value whose bytes were appended from `start` on; bytes past 4 GiB are dropped.
  @inlinable
  @inline(__always)
  mutating func appendText(_ kind: Node.Kind, _ key: KeyID?, from start: Int) {
    countChild()
    let count = UInt32(clamping: text.count &- start)
    nodes.append(Node(kind: kind, key: key, count: count, place: start))
  }
}
