/// Cuts a file into its records: the elements of an array, JSON lines, or one object.
///
/// It looks at brackets and strings alone (about a gigabyte a second), so that records can be
/// parsed one by one, in batches, by several workers, and a broken record fails alone: in JSON
/// lines the next line begins the next record, in an array the structure tells (a `{` where none
/// can stand, else a line that begins like the broken record's own). A byte order mark, CRLF,
/// blank lines and a missing last line end are fine.
///
/// For a whole file call ``next(in:)`` until it is nil; for blocks see ``JSONBlockSplitter``.
public struct JSONSplitter: Sendable {
  /// How the file is laid out.
  public enum Format: Sendable {
    /// An array or an object, over any number of lines; or JSON lines, when the first record ends
    /// on the line it begins on. For `.json`.
    case automatic
    /// A record a line, unless the first line opens an array or an object that goes on. For
    /// `.jsonl` and `.ndjson`.
    case lines
  }

  /// What the file turned out to be; an editor and the caller's messages need it.
  public enum Layout: Sendable {
    case unknown
    case array
    case lines
    /// One object or several, over several lines.
    case values
  }

  /// No record may be longer, in bytes; it bounds the memory of a file with a missing quote.
  public static let maximumRecord = 64 << 20

  enum Step {
    case piece(JSONPiece)
    case needsMore
    case end
  }

  enum Phase {
    case start
    case values
    case array
    /// In an object on the way to the array that the path names.
    case object
    case finished
  }

  /// What the file turned out to be so far.
  public private(set) var layout = Layout.unknown
  /// Offset in the file of the first byte not yet cut.
  var position = 0
  var line = 1
  private let format: Format
  var phase = Phase.start
  /// In an array: no comma since the last record.
  var wantsComma = false
  /// In an array: where the comma is that no record has followed yet.
  var comma: (offset: Int, line: Int)?
  /// In no array: no value yet on this line.
  var isLineStart = true
  /// Where this line begins, while only blanks have been passed on it.
  var lineStart: Int? = 0
  var hasDocument = false

  /// What the path names, and how far down it the scan is.
  let path: [[UInt8]]
  /// The phases to go back to, outermost first.
  var outer: [(phase: Phase, level: Int)] = []
  /// How many names of the path have been found.
  var level = 0

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - format: what the file's name says about it.
  ///   - path: for a file that is one object around its records, as many exports are: the names
  ///     that lead to their array, arrays between them passed through. The records are then that
  ///     array's elements, and the other members on the way come as records with a ``JSONRecord/key``.
  public init(_ format: Format = .automatic, inside path: [String] = []) {
    self.format = format
    self.path = path.map { Array($0.utf8) }
  }

  /// Goes on in the middle of a file of JSON lines.
  ///
  /// - Parameter offset: where a line begins, in bytes from the start of the file; that line is
  ///   counted as the first.
  public init(inLinesAt offset: Int) {
    self.init(.lines)
    phase = .values
    layout = .lines
    hasDocument = true
    position = offset
    lineStart = offset
  }

  /// Offset in the file of the first byte not yet passed.
  public var offset: Int { position }

  /// The line of that byte, counted from 1.
  public var currentLine: Int { line }

  /// The next record or problem of a part of a file.
  ///
  /// - Parameters:
  ///   - part: some bytes of the file, from a point on that is not behind ``offset``.
  ///   - base: where they begin, in bytes from the start of the file.
  ///   - isLast: whether the file ends with them.
  /// - Returns: nil where the part ends, or where it takes what follows to tell; ``offset`` then
  ///   stands at the first byte that belongs to no record of the part.
  public mutating func next(in part: Span<UInt8>, at base: Int, isLast: Bool) -> JSONPiece? {
    part.withUnsafeBufferPointer { window in
      switch step(in: window, at: base, isLast: isLast) {
      case .piece(let piece): piece
      case .needsMore, .end: nil
      }
    }
  }

  /// The next record or problem of a file that is wholly in memory; nil at its end.
  public mutating func next(in bytes: Span<UInt8>) -> JSONPiece? {
    bytes.withUnsafeBufferPointer { window in
      switch step(in: window, at: 0, isLast: true) {
      case .piece(let piece): piece
      case .needsMore, .end: nil
      }
    }
  }

  /// The next step over a window that begins `base` bytes into the file.
  mutating func step(
    in window: UnsafeBufferPointer<UInt8>,
    at base: Int,
    isLast: Bool
  ) -> Step {
    var scan = JSONWindow(bytes: window, base: base, isLast: isLast)
    while true {
      let step: Step?
      switch phase {
      case .start: step = begin(&scan)
      case .values: step = value(&scan)
      case .array: step = element(&scan)
      case .object: step = member(&scan)
      case .finished: step = .end
      }
      if let step { return step }
    }
  }
}

/// The part of a file at hand.
struct JSONWindow {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Offset in the file of the first byte.
  let base: Int
  /// Whether the file ends with these bytes.
  let isLast: Bool
}

extension JSONSplitter {
  private mutating func begin(_ scan: inout JSONWindow) -> Step? {
    let bytes = scan.bytes
    if bytes.count < 4, !scan.isLast { return .needsMore }
    phase = .values
    if JSONEncoding.isWide(bytes) {
      phase = .finished
      return problem(.notUTF8, at: 0)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      lineStart = 3
    }
    return nil
  }

  /// Between two values that are in no array.
  private mutating func value(_ scan: inout JSONWindow) -> Step? {
    skipBlanks(scan)
    let start = position - scan.base
    guard start < scan.bytes.count else { return scan.isLast ? .end : .needsMore }
    switch scan.bytes[start] {
    case UInt8(ascii: "["):
      if layout == .lines { return lineRecord(scan, from: start) }
      if hasDocument, layout == .array || !isLineStart {
        layout = .unknown
        hasDocument = false
        return problem(.secondDocument, at: start + scan.base)
      }
      layout = .array
      hasDocument = true
      isLineStart = false
      enter(.array, at: start, scan)
      // Its elements are the records, whatever the path says.
      level = path.count
      return nil
    case UInt8(ascii: ","):
      isLineStart = true
      return run(of: UInt8(ascii: ","), .commaOutsideArray, scan)
    case UInt8(ascii: "/"):
      if let step = comment(scan, at: start) { return step }
      return garbage(scan, from: start)
    case UInt8(ascii: "{"), UInt8(ascii: "\""):
      if hasDocument, layout == .array {
        (layout, hasDocument) = (.unknown, false)
        return problem(.secondDocument, at: position)
      }
      if layout == .lines { return lineRecord(scan, from: start) }
      if hasDocument, !isLineStart {
        isLineStart = true
        return problem(.secondDocument, at: position)
      }
      if !path.isEmpty, scan.bytes[start] == UInt8(ascii: "{") {
        (layout, hasDocument) = (.values, true)
        enter(.object, at: start, scan)
        return nil
      }
      return structured(scan, from: start)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): return garbage(scan, from: start)
    default:
      if layout == .array || !isLineStart { return garbage(scan, from: start) }
      return lineRecord(scan, from: start)
    }
  }

  /// A value whose end its structure tells; the first one decides about lines.
  private mutating func structured(_ scan: JSONWindow, from start: Int) -> Step? {
    if layout == .unknown, format == .lines {
      guard let lineEnd = endOfLine(scan, from: start) else { return .needsMore }
      if !goesOn(scan.bytes[start..<lineEnd]) {
        layout = .lines
        return nil
      }
    }
    guard let (end, lines, isWhole) = structure(scan, from: start, isInArray: false) else {
      return .needsMore
    }
    if layout == .unknown {
      // JSON lines, if it is alone on its line.
      let next = scan.bytes[end...].first { !JSONByte.isBlank($0) || $0 == UInt8(ascii: "\n") }
      if next == nil, !scan.isLast { return .needsMore }
      let isAlone = next == nil || next == UInt8(ascii: "\n")
      layout = isWhole && lines == 0 && isAlone ? .lines : .values
    }
    isLineStart = !isWhole
    return record(start..<end, lines: lines, scan)
  }

  /// A record that ends with its line.
  private mutating func lineRecord(_ scan: JSONWindow, from start: Int) -> Step? {
    guard let end = endOfLine(scan, from: start) else { return .needsMore }
    isLineStart = false
    return record(start..<end, lines: 0, scan)
  }
}
