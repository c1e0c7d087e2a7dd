import Glibc

/// Steps that all layouts share.
extension JSONSplitter {
  /// The end of the value that begins at `start`, or nil when more bytes are needed to tell.
  func structure(
    _ scan: JSONWindow,
    from start: Int,
    isInArray: Bool
  ) -> (end: Int, lines: Int, isWhole: Bool)? {
    let indent = lineStart.map { position - $0 }
    var place = JSONStructure.Place(isInArray: isInArray, indent: indent)
    var structure = JSONStructure(scan.bytes, isLast: scan.isLast)
    var end = structure.end(from: start, in: place)
    if end == .open {
      guard scan.isLast else { return nil }
      // It never ends: look for the place where the next record seems to begin.
      place.isOpenEnded = true
      structure = JSONStructure(scan.bytes, isLast: true)
      end = structure.end(from: start, in: place)
    }
    switch end {
    case .closed(let end): return (end, structure.lines, true)
    case .broken(let end): return (end, structure.lines, false)
    case .open: return (scan.bytes.count, structure.lines, false)
    }
  }

  func problem(_ kind: JSONProblem.Kind, at offset: Int) -> Step {
    .piece(.problem(JSONProblem(kind: kind, offset: offset, line: line)))
  }

  /// Takes a record of these window indices, blanks at its end left out.
  mutating func record(
    _ range: Range<Int>,
    lines: Int,
    _ scan: JSONWindow,
    key: Range<Int>? = nil
  ) -> Step {
    var end = range.upperBound
    while end > range.lowerBound, JSONByte.isBlank(scan.bytes[end - 1]) { end -= 1 }
    let place = range.lowerBound + scan.base..<end + scan.base
    let found = JSONRecord(range: place, line: line, key: key, level: level)
    pass(to: range.upperBound + scan.base)
    line += lines
    hasDocument = true
    return .piece(.record(found))
  }

  @inline(__always)
  mutating func skipBlanks(_ scan: JSONWindow) {
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
  mutating func pass(to offset: Int) {
    position = offset
    lineStart = nil
  }

  /// Passes over equal bytes and the blanks between them, as one problem.
  mutating func run(
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

  func lineEnds(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }

  func endOfLine(_ scan: JSONWindow, from start: Int) -> Int? {
    guard let base = scan.bytes.baseAddress else { return nil }
    if let found = memchr(base + start, Int32(UInt8(ascii: "\n")), scan.bytes.count - start) {
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
    return scan.isLast ? scan.bytes.count : nil
  }

  /// Whether a line ends as only the first line of a longer value does.
  func goesOn(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    switch line.last(where: { !JSONByte.isBlank($0) }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// Passes over a comment and reports it; nil when there is none.
  mutating func comment(_ scan: JSONWindow, at start: Int) -> Step? {
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
  mutating func garbage(_ scan: JSONWindow, from start: Int) -> Step? {
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
