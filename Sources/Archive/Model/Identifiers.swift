/// The position of an entry in `Archive.entries`. Entries of one container stand together in time
/// order, so that a neighbour is one step away.
public struct EntryID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  public var index: Int { Int(rawValue) }
  /// No entry.
  public static let none = Self(rawValue: .max)
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a person in `Archive.people`.
public struct PersonID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  public var index: Int { Int(rawValue) }
  /// Nobody: the record names no author.
  public static let none = Self(rawValue: .max)
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a file in `Archive.files`.
public struct FileID: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  public var index: Int { Int(rawValue) }
}

/// A run of bytes in `Archive.text`.
public struct TextRange: Hashable, Sendable {
  public var offset: UInt32
  public var length: UInt32
  public init(offset: UInt32, length: UInt32) {
    self.offset = offset
    self.length = length
  }
  public static let empty = Self(offset: 0, length: 0)
  public var isEmpty: Bool { length == 0 }
}
