/// A variable's name as a small number, so that looking it up compares two integers.
public struct KeyID: Hashable, Sendable {
  @usableFromInline
  package let rawValue: UInt16

  @usableFromInline
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Stands in the tape where a value has no name; no lookup asks for it.
  @usableFromInline
  package static let none: UInt16 = 0xFFFF

  /// What `KeyTable.intern` answers once the table is full; no lookup finds it.
  @usableFromInline
  package static let overflow: UInt16 = 0xFFFE
}

/// The names of variables, interned before templates are compiled.
///
/// Names are kept and compared as UTF-8 bytes: `String` treats canonically equal names as one and
/// hashes some of them in quadratic time.
public struct KeyTable: Sendable {
  /// How many names fit.
  public static let capacity = 65_534

  private var names: [[UInt8]] = []
  private var ids: [[UInt8]: UInt16] = [:]

  /// Makes an empty table.
  public init() {}

  /// The number of names.
  public var count: Int { names.count }

  /// Whether `intern` can't take another new name.
  public var isFull: Bool { names.count >= Self.capacity }

  /// The key of `name`, the same for every call.
  ///
  /// A full table answers a key that never finds a value; `TemplateSet` reports it.
  public mutating func intern(_ name: String) -> KeyID { intern(bytes: Array(name.utf8)) }

  /// The name behind a key of this table, empty for a key of another one.
  public func name(of key: KeyID) -> String { String(decoding: bytes(of: key), as: UTF8.self) }

  /// The key of a name, if it was interned.
  public func key(named name: String) -> KeyID? {
    ids[Array(name.utf8)].map { KeyID(rawValue: $0) }
  }

  mutating func intern(bytes name: [UInt8]) -> KeyID {
    if let id = ids[name] { return KeyID(rawValue: id) }
    guard !isFull, let id = UInt16(exactly: names.count) else {
      return KeyID(rawValue: KeyID.overflow)
    }
    names.append(name)
    ids[name] = id
    return KeyID(rawValue: id)
  }

  func bytes(of key: KeyID) -> [UInt8] {
    let index = Int(key.rawValue)
    return index < names.count ? names[index] : []
  }
}
