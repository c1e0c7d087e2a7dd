import JSON

/// Walks the entries of one record in the order in which they are written.
///
/// First the record itself, then its first nested comment, that comment's first reply, and so on.
/// Scanning and reading details use the same walk, so that an ordinal means the same entry in both.
/// Explicit stack, no allocation per record once it has grown.
struct RecordWalk: ~Copyable {
  /// One entry of the record.
  struct Visit {
    /// Position among the entries of the record.
    var ordinal: UInt32
    /// What `push` was given for the entry that holds this one; nil for the record itself.
    var parent: UInt32?
    /// Whether it stands in `comments` (else `replies`) of its parent.
    var isComment: Bool
  }

  private struct Frame {
    var elements: JSONElements
    var parent: UInt32
    var isComment: Bool
  }

  private var stack: [Frame] = []
  private var root: JSONValue?
  private var ordinal: UInt32 = 0
  private let values: UnsafeMutablePointer<JSONValue>
  /// The fields of the object being visited that are there and not null.
  private(set) var seen: FieldSet = []
  /// The second name of a field that a record gives twice.
  private(set) var duplicate: JSONText?
  private(set) var hasUnknown = false
  /// Nested entries that are no objects, passed over.
  private(set) var strays = 0
  /// The object being visited.
  private(set) var object: JSONValue?

  init() { values = .allocate(capacity: Field.count) }

  deinit { values.deallocate() }

  /// Begins a record; `root` must be an object.
  mutating func begin(_ root: JSONValue) {
    stack.removeAll(keepingCapacity: true)
    self.root = root
    ordinal = 0
    strays = 0
  }

  /// The next entry, its fields read, nil at the end; `push` may be called once after it.
  mutating func next(_ table: borrowing FieldTable) -> Visit? {
    if let root {
      self.root = nil
      read(root, table)
      return Visit(ordinal: 0, parent: nil, isComment: false)
    }
    while let last = stack.indices.last {
      guard let element = stack[last].elements.next() else {
        stack.removeLast()
        continue
      }
      guard element.kind == .object else {
        if element.kind != .null { strays += 1 }
        continue
      }
      ordinal &+= 1
      let frame = stack[last]
      read(element, table)
      return Visit(ordinal: ordinal, parent: frame.parent, isComment: frame.isComment)
    }
    return nil
  }

  /// Goes on into the entries nested in the one just visited; they will name `parent`.
  mutating func push(_ parent: UInt32) {
    if let replies = self[.replies], replies.kind == .array {
      stack.append(Frame(elements: replies.elements, parent: parent, isComment: false))
    }
    if let comments = self[.comments], comments.kind == .array {
      stack.append(Frame(elements: comments.elements, parent: parent, isComment: true))
    }
  }

  /// Goes to one object, its fields read, without a walk.
  mutating func visit(_ object: JSONValue, _ table: borrowing FieldTable) {
    begin(object)
    root = nil
    read(object, table)
  }

  /// A field of the entry visited last; nil where it is missing or null.
  @inline(__always)
  subscript(_ field: Field) -> JSONValue? {
    seen.contains(field) ? values[Int(field.rawValue)] : nil
  }

  private mutating func read(_ object: JSONValue, _ table: borrowing FieldTable) {
    self.object = object
    seen = []
    duplicate = nil
    hasUnknown = false
    for member in object.members {
      guard let field = table[member.key] else {
        hasUnknown = true
        continue
      }
      if member.value.isNull { continue }
      guard seen.insert(field) else {
        if duplicate == nil { duplicate = member.key }
        continue
      }
      (values + Int(field.rawValue)).initialize(to: member.value)
    }
  }
}
