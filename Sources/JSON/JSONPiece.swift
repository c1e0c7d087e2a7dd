/// What ``JSONSplitter`` finds: a record, or something wrong between records.
public enum JSONPiece: Equatable, Sendable {
  /// One record; whether it is JSON, the parser tells.
  case record(JSONRecord)
  /// Something wrong outside the records, which are kept.
  case problem(JSONProblem)
}

/// Where a record stands in its file.
public struct JSONRecord: Equatable, Sendable {
  /// Byte offsets in the file.
  public let range: Range<Int>
  /// The line it begins on, counted from 1.
  public let line: Int
  /// The member's name with its quotes, for a value on the way to the array that a path names.
  public let key: Range<Int>?
  /// How many names of the path lead here; 0 without a path.
  public let level: Int

  init(range: Range<Int>, line: Int, key: Range<Int>? = nil, level: Int = 0) {
    self.range = range
    self.line = line
    self.key = key
    self.level = level
  }

  /// The line of a byte of this record, for a ``JSONError/offset``.
  ///
  /// - Parameters:
  ///   - offset: bytes from the start of the record.
  ///   - record: the record's own bytes.
  /// - Returns: the line in the file, counted from 1.
  public func line(ofOffset offset: Int, in record: Span<UInt8>) -> Int {
    var line = line
    for index in 0..<min(max(offset, 0), record.count) where record[index] == UInt8(ascii: "\n") {
      line += 1
    }
    return line
  }
}

/// Something wrong between the records of a file.
public struct JSONProblem: Equatable, Sendable {
  /// What is wrong.
  public enum Kind: Equatable, Sendable {
    /// UTF-16 or UTF-32; nothing more is read.
    case notUTF8
    /// A comma before `]`.
    case trailingComma
    /// A comma with no record before it.
    case extraComma
    /// Two records of an array without a comma between them.
    case missingComma
    /// A comma between records that are in no array.
    case commaOutsideArray
    /// `//` or `/*` between records.
    case comment
    /// A second document after the end of the first, its records are read too.
    case secondDocument
    /// Something that is no record, passed over.
    case garbage
    /// The file ends before the array's `]`.
    case unclosedArray
    /// A record over the limit; nothing more is read.
    case recordTooLarge
  }

  /// What is wrong.
  public let kind: Kind
  /// Byte offset in the file.
  public let offset: Int
  /// The line, counted from 1.
  public let line: Int

  /// What is wrong, as a sentence without a full stop.
  public var reason: String {
    switch kind {
    case .notUTF8: "this file is UTF-16 or UTF-32; save it as UTF-8"
    case .trailingComma: "a comma before the closing bracket"
    case .extraComma: "a comma without a record before it"
    case .missingComma: "no comma between two records"
    case .commaOutsideArray: "a comma between records that stand in no array"
    case .comment: "JSON has no comments"
    case .secondDocument: "a second JSON document begins here"
    case .garbage: "something here is no JSON record"
    case .unclosedArray: "the file ends before the array's closing bracket"
    case .recordTooLarge: "a record is larger than \(JSONSplitter.maximumRecord >> 20) MiB"
    }
  }
}
