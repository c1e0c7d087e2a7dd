import Glibc

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

  private enum Phase {
    case start
    case values
    case array
    case finished
  }

  /// What the file turned out to be so far.
  public private(set) var layout = Layout.unknown
  /// Offset in the file of the first byte not yet cut.
  private(set) var position = 0
  private var line = 1
  private let format: Format
  private var phase = Phase.start
  /// In an array: no comma since the last record.
  private var wantsComma = false
  /// In an array: where the comma is that no record has followed yet.
  private var comma: (offset: Int, line: Int)?
  /// In no array: no value yet on this line.
  private var isLineStart = true
  /// Where this line begins, while only blanks have been passed on it.
  private var lineStart: Int? = 0
  private var hasDocument = false

  /// Begins a file.
  public init(_ format: Format = .automatic) { self.format = format }

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
      phase = .array
      hasDocument = true
      isLineStart = false
      (wantsComma, comma) = (false, nil)
      pass(to: position + 1)
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
      return structured(scan, from: start)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): return garbage(scan, from: start)
    default:
      if layout == .array || !isLineStart { return garbage(scan, from: start) }
      return lineRecord(scan, from: start)
    }
  }

  /// A value whose end its structure tells; the first one decides about lines.
  private mutating func structured(_ scan: JSONWindow, from start: Int) -> Step? {
    let lineEnd = endOfLine(scan, from: start)
    if layout == .unknown, format == .lines {
      guard let lineEnd else { return .needsMore }
      if !goesOn(scan.bytes[start..<lineEnd]) {
        layout = .lines
        return nil
      }
    }
    guard let (end, lines, isWhole) = structure(scan, from: start, isInArray: false) else {
      return .needsMore
    }
    if layout == .unknown {
      if lines > 0 || !isWhole {
        layout = .values
      } else {
        // On one line: JSON lines, if nothing else stands on that line.
        guard let lineEnd else { return .needsMore }
        if scan.bytes[end..<lineEnd].allSatisfy(JSONByte.isBlank) { layout = .lines }
      }
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

  /// Between two elements of an array.
  private mutating func element(_ scan: inout JSONWindow) -> Step? {
    skipBlanks(scan)
    let start = position - scan.base
    guard start < scan.bytes.count else {
      guard scan.isLast else { return .needsMore }
      phase = .finished
      return problem(.unclosedArray, at: position)
    }
    switch scan.bytes[start] {
    case UInt8(ascii: ","):
      if !wantsComma {
        comma = nil
        return run(of: UInt8(ascii: ","), .extraComma, scan)
      }
      comma = (position, line)
      wantsComma = false
      pass(to: position + 1)
      return nil
    case UInt8(ascii: "]"):
      if let comma {
        self.comma = nil
        let found = JSONProblem(kind: .trailingComma, offset: comma.offset, line: comma.line)
        return .piece(.problem(found))
      }
      pass(to: position + 1)
      phase = .values
      return nil
    case UInt8(ascii: "}"), UInt8(ascii: ":"):
      return run(of: scan.bytes[start], .garbage, scan)
    case UInt8(ascii: "/"):
      if let step = comment(scan, at: start) { return step }
    default: break
    }
    if wantsComma {
      wantsComma = false
      return problem(.missingComma, at: position)
    }
    return elementRecord(scan, from: start)
  }

  private mutating func elementRecord(_ scan: JSONWindow, from start: Int) -> Step? {
    switch scan.bytes[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      guard let (end, lines, isWhole) = structure(scan, from: start, isInArray: true) else {
        return .needsMore
      }
      if !isWhole, end == scan.bytes.count, scan.isLast { phase = .finished }
      wantsComma = isWhole
      comma = nil
      return record(start..<end, lines: lines, scan)
    default:
      var end = start + 1
      while end < scan.bytes.count, !JSONByte.endsScalar(scan.bytes[end]) { end += 1 }
      if end == scan.bytes.count, !scan.isLast { return .needsMore }
      wantsComma = true
      comma = nil
      return record(start..<end, lines: 0, scan)
    }
  }

  /// The end of the value that begins at `start`, or nil when more bytes are needed to tell.
  private func structure(
    _ scan: JSONWindow,
    from start: Int,
    isInArray: Bool
  ) -> (end: Int, lines: Int, isWhole: Bool)? {
    var place = JSONStructure.Place(isInArray: isInArray, indent: nil)
    var structure = JSONStructure(scan.bytes, isLast: scan.isLast)
    var end = structure.end(from: start, in: place)
    if end == .open {
      guard scan.isLast else { return nil }
      // It never ends: look for the place where the next record seems to begin.
      place.indent = lineStart.map { position - $0 }
      structure = JSONStructure(scan.bytes, isLast: true)
      end = structure.end(from: start, in: place)
    }
    switch end {
    case .closed(let end): return (end, structure.lines, true)
    case .broken(let end): return (end, structure.lines, false)
    case .open: return (scan.bytes.count, structure.lines, false)
    }
  }
}

extension JSONSplitter {
  private func problem(_ kind: JSONProblem.Kind, at offset: Int) -> Step {
    .piece(.problem(JSONProblem(kind: kind, offset: offset, line: line)))
  }

  /// Takes a record of these window indices, blanks at its end left out.
  private mutating func record(_ range: Range<Int>, lines: Int, _ scan: JSONWindow) -> Step {
    var end = range.upperBound
    while end > range.lowerBound, JSONByte.isBlank(scan.bytes[end - 1]) { end -= 1 }
    let found = JSONRecord(range: range.lowerBound + scan.base..<end + scan.base, line: line)
    pass(to: range.upperBound + scan.base)
    line += lines
    hasDocument = true
    return .piece(.record(found))
  }

  @inline(__always)
  private mutating func skipBlanks(_ scan: JSONWindow) {
    var index = position - scan.base
    while index < scan.bytes.count, JSONByte.isBlank(scan.bytes[index]) {
      if scan.bytes[index] == UInt8(ascii: "\n") {
        line += 1
        isLineStart = true
        lineStart = index + 1 + scan.base
      }
      index += 1
    }
    position = index + scan.base
  }

  /// Moves to an offset in the file, something other than blanks standing before it.
  @inline(__always)
  private mutating func pass(to offset: Int) {
    position = offset
    lineStart = nil
  }

  /// Passes over equal bytes and the blanks between them, as one problem.
  private mutating func run(
    of byte: UInt8,
    _ kind: JSONProblem.Kind,
    _ scan: JSONWindow
  ) -> Step {
    let step = problem(kind, at: position)
    let start = position - scan.base
    let rest = scan.bytes[start...]
    let end = rest.firstIndex { $0 != byte && !JSONByte.isBlank($0) } ?? scan.bytes.count
    if end == scan.bytes.count, !scan.isLast { return .needsMore }
    let last = scan.bytes[start..<end].lastIndex(of: byte) ?? start
    line += lineEnds(scan.bytes[start...last])
    pass(to: last + 1 + scan.base)
    return step
  }

  private func lineEnds(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }

  private func endOfLine(_ scan: JSONWindow, from start: Int) -> Int? {
    guard let base = scan.bytes.baseAddress else { return nil }
    if let found = memchr(base + start, Int32(UInt8(ascii: "\n")), scan.bytes.count - start) {
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
    return scan.isLast ? scan.bytes.count : nil
  }

  /// Whether a line ends as only the first line of a longer value does.
  private func goesOn(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    switch line.last(where: { !JSONByte.isBlank($0) }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// Passes over a comment and reports it; nil when there is none.
  private mutating func comment(_ scan: JSONWindow, at start: Int) -> Step? {
    let bytes = scan.bytes
    let step = problem(.comment, at: position)
    guard let end = JSONStructure.endOfComment(in: bytes, at: start) else {
      if !scan.isLast { return .needsMore }
      guard start + 1 < bytes.count else { return nil }
      pass(to: bytes.count + scan.base)
      return step
    }
    if end == start + 1 { return nil }
    line += lineEnds(bytes[start..<end])
    pass(to: end + scan.base)
    return step
  }

  /// Passes over the rest of a line.
  private mutating func garbage(_ scan: JSONWindow, from start: Int) -> Step? {
    guard let end = endOfLine(scan, from: start) else { return .needsMore }
    let step = problem(.garbage, at: position)
    pass(to: end + scan.base)
    return step
  }

  /// Gives up on a record that outgrew the limit.
  mutating func stopAtOversizeRecord() -> JSONPiece {
    phase = .finished
    return .problem(JSONProblem(kind: .recordTooLarge, offset: position, line: line))
  }
}

/// Tells UTF-16 and UTF-32 from UTF-8 by a mark or by where the zeros stand (RFC 4627, section 3).
enum JSONEncoding {
  static func isWide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 2 else { return false }
    if bytes[0] == 0xFF, bytes[1] == 0xFE { return true }
    if bytes[0] == 0xFE, bytes[1] == 0xFF { return true }
    return (bytes[0] == 0) != (bytes[1] == 0) || (bytes[0] == 0 && bytes[1] == 0)
  }
}
