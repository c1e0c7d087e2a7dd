/// A value on the parser's tape: three words, copied freely, valid until the next `parse`.
///
/// Tape words (simdjson `doc/tape.md`): type in the top 8 bits; for `{` and `[` the index after
/// the matching close in the low 32 bits and the count in the next 24; for strings the offset of
/// a 32-bit length and the bytes; for numbers the value in the word after.
public struct JSONValue {
  /// What a value is.
  public enum Kind: Sendable {
    case object
    case array
    case string
    /// A whole number of at most 64 bits.
    case integer
    case double
    case `true`
    case `false`
    case null
  }

  @usableFromInline
  let tape: UnsafePointer<UInt64>
  @usableFromInline
  let strings: UnsafePointer<UInt8>
  @usableFromInline
  let index: Int

  @inlinable
  init(tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int) {
    self.tape = tape
    self.strings = strings
    self.index = index
  }

  @inlinable
  @inline(__always)
  var word: UInt64 { tape[index] }

  @inlinable
  @inline(__always)
  var type: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

  @inlinable
  @inline(__always)
  func at(_ index: Int) -> JSONValue { JSONValue(tape: tape, strings: strings, index: index) }

  /// What the value is.
  @inlinable
  public var kind: Kind {
    switch type {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "t"): .true
    case UInt8(ascii: "f"): .false
    default: .null
    }
  }

  /// Whether the value is `null`.
  @inlinable
  public var isNull: Bool { type == UInt8(ascii: "n") }

  /// The unescaped UTF-8 of a string, else nil.
  @inlinable
  public var text: JSONText? { type == UInt8(ascii: "\"") ? stringHere : nil }

  /// A whole number that fits in 64 bits with sign, else nil.
  @inlinable
  public var integer: Int64? {
    switch type {
    case UInt8(ascii: "l"): Int64(bitPattern: tape[index + 1])
    case UInt8(ascii: "u"): Int64(exactly: tape[index + 1])
    default: nil
    }
  }

  /// A whole number that fits in 64 bits without sign, else nil.
  @inlinable
  public var unsigned: UInt64? {
    switch type {
    case UInt8(ascii: "l"): UInt64(exactly: Int64(bitPattern: tape[index + 1]))
    case UInt8(ascii: "u"): tape[index + 1]
    default: nil
    }
  }

  /// Any number as a double (whole numbers over 2^53 are rounded), else nil; never NaN or infinite.
  @inlinable
  public var double: Double? {
    switch type {
    case UInt8(ascii: "d"): Double(bitPattern: tape[index + 1])
    case UInt8(ascii: "l"): Double(Int64(bitPattern: tape[index + 1]))
    case UInt8(ascii: "u"): Double(tape[index + 1])
    default: nil
    }
  }

  /// `true` or `false`, else nil.
  @inlinable
  public var bool: Bool? {
    switch type {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The members of an object in their order, duplicates included; none for other kinds.
  @inlinable
  public var members: JSONMembers {
    guard type == UInt8(ascii: "{") else { return JSONMembers(cursor: self, end: index) }
    return JSONMembers(cursor: at(index + 1), end: indexAfter - 1)
  }

  /// The elements of an array in their order; none for other kinds.
  @inlinable
  public var elements: JSONElements {
    guard type == UInt8(ascii: "[") else { return JSONElements(cursor: self, end: index) }
    return JSONElements(cursor: at(index + 1), end: indexAfter - 1)
  }

  /// The number of members or elements, 0 for other kinds.
  public var count: Int {
    guard type == UInt8(ascii: "{") || type == UInt8(ascii: "[") else { return 0 }
    let counted = Int(truncatingIfNeeded: (word >> 32) & 0xFF_FFFF)
    // The tape's 24 bits saturate.
    guard counted == 0xFF_FFFF else { return counted }
    if type == UInt8(ascii: "[") { return elements.reduce(0) { count, _ in count + 1 } }
    return members.reduce(0) { count, _ in count + 1 }
  }

  /// The first member of that name, also where it is `null`.
  @inlinable
  public subscript(key: StaticString) -> JSONValue? {
    for member in members where member.key == key { return member.value }
    return nil
  }

  /// The first member of that name, as bytes.
  public subscript(key: [UInt8]) -> JSONValue? {
    for member in members where member.key == key { return member.value }
    return nil
  }

  @inlinable
  @inline(__always)
  var stringHere: JSONText {
    let start = strings + Int(truncatingIfNeeded: word & 0x00FF_FFFF_FFFF_FFFF)
    let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return JSONText(start: start + 4, count: Int(count))
  }

  /// The tape index of whatever follows this value.
  @inlinable
  @inline(__always)
  var indexAfter: Int {
    switch type {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(UInt32(truncatingIfNeeded: word))
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }

  /// How deep arrays and objects nest in this value: 0 for a scalar, 1 for `[]`.
  var depth: Int {
    let end = indexAfter
    var index = index
    var depth = 0
    var deepest = 0
    while index < end {
      let value = at(index)
      switch value.type {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        index += 1
      default: index = value.indexAfter
      }
    }
    return deepest
  }
}

/// The members of an object, walked on the tape.
public struct JSONMembers: Sequence, IteratorProtocol {
  @usableFromInline
  var cursor: JSONValue
  @usableFromInline
  let end: Int

  @inlinable
  init(cursor: JSONValue, end: Int) {
    self.cursor = cursor
    self.end = end
  }

  /// The next member.
  @inlinable
  public mutating func next() -> (key: JSONText, value: JSONValue)? {
    guard cursor.index < end else { return nil }
    let value = cursor.at(cursor.index + 1)
    defer { cursor = value.at(value.indexAfter) }
    return (cursor.stringHere, value)
  }
}

/// The elements of an array, walked on the tape.
public struct JSONElements: Sequence, IteratorProtocol {
  @usableFromInline
  var cursor: JSONValue
  @usableFromInline
  let end: Int

  @inlinable
  init(cursor: JSONValue, end: Int) {
    self.cursor = cursor
    self.end = end
  }

  /// The next element.
  @inlinable
  public mutating func next() -> JSONValue? {
    guard cursor.index < end else { return nil }
    defer { cursor = cursor.at(cursor.indexAfter) }
    return cursor
  }
}
