/// The position of an entry in `Archive.entries`.
///
/// Entries of one container stand together in time order, so that a neighbour is one step away.
public struct EntryID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The position; the largest number is no position.
  public let rawValue: UInt32
  /// A position by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// A position in an array.
  public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  /// For subscripts.
  public var index: Int { Int(rawValue) }
  /// No entry.
  public static let none = Self(rawValue: .max)
  /// By position.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a person in `Archive.people`.
public struct PersonID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The position; the largest number is no position.
  public let rawValue: UInt32
  /// A position by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// A position in an array.
  public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  /// For subscripts.
  public var index: Int { Int(rawValue) }
  /// Nobody: the record names no author.
  public static let none = Self(rawValue: .max)
  /// By position.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a file in `Archive.files`.
public struct FileID: RawRepresentable, Hashable, Sendable {
  /// The position; the largest number is no position.
  public let rawValue: UInt32
  /// A position by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// A position in an array.
  public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  /// For subscripts.
  public var index: Int { Int(rawValue) }
}

/// A run of bytes in `Archive.text`.
public struct TextRange: Hashable, Sendable {
  /// Bytes.
  public var offset: UInt32
  /// Bytes.
  public var length: UInt32

  /// A run of `length` bytes at `offset`.
  public init(offset: UInt32, length: UInt32) {
    self.offset = offset
    self.length = length
  }
  /// No bytes.
  public static let empty = Self(offset: 0, length: 0)
  /// Whether there are no bytes.
  public var isEmpty: Bool { length == 0 }
}
