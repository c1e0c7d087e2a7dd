/// One change of a file: `range` of the old bytes gives way to `replacement`; the rest stays.
public struct JSONEdit: Equatable, Sendable {
  /// Bytes of the file before the edit.
  public let range: Range<Int>
  /// What stands there afterwards.
  public let replacement: [UInt8]
}

/// Why an edit can't be made; the file is unchanged.
public enum JSONEditError: Error, Equatable, Sendable {
  /// No such record, member or element.
  case notFound
  /// The step asks for a member of something other than an object, or an element of no array.
  case wrongKind
  /// The file is not JSON here.
  case malformed(offset: Int)
  /// The value to write is not JSON.
  case badValue(JSONError)
  /// The only value of a file can't be removed, only the file.
  case onlyValue
}

/// One step from a file to a value in it.
public enum JSONStep: Hashable, Sendable {
  /// The record of that number, counted from 0: an element of the file's array, or a line, or the
  /// file's one object. Only as the first step.
  case record(Int)
  /// The record that begins at that byte offset. Only as the first step.
  case offset(Int)
  /// The first member of that name.
  case member([UInt8])
  /// The element of that number, counted from 0.
  case element(Int)

  /// The first member of that name.
  public static func member(_ name: String) -> JSONStep { .member(Array(name.utf8)) }
}
