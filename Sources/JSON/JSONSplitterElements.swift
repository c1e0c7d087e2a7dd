/// The elements of an array, and the members on the way to it.
extension JSONSplitter {
  /// Between two elements of an array.
  mutating func element(_ scan: inout JSONWindow) -> Step? {
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
      leave()
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

  mutating func elementRecord(_ scan: JSONWindow, from start: Int) -> Step? {
    switch scan.bytes[start] {
    case UInt8(ascii: "{") where level < path.count:
      enter(.object, at: start, scan)
      return nil
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      guard let (end, lines, isWhole) = structure(scan, from: start, isInArray: true) else {
        return .needsMore
      }
      if scan.bytes[start] == UInt8(ascii: "\"") {
        guard let isKey = isFollowedByColon(scan, from: end) else { return .needsMore }
        if isKey { return tornTail(scan, from: start) }
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

  /// Whether a colon follows; nil when more bytes are needed to tell.
  private func isFollowedByColon(_ scan: JSONWindow, from start: Int) -> Bool? {
    let next = scan.bytes[start...].first { !JSONByte.isBlank($0) }
    guard let next else { return scan.isLast ? false : nil }
    return next == UInt8(ascii: ":")
  }

  /// Passes over members that stand in no object: the rest of a record that was closed too early.
  ///
  /// Else what is nested in them would pass for records.
  private mutating func tornTail(_ scan: JSONWindow, from start: Int) -> Step? {
    var structure = JSONStructure(scan.bytes, isLast: scan.isLast)
    let place = JSONStructure.Place(isInArray: true, indent: nil)
    let end: Int
    switch structure.end(from: start, in: place, startsInObject: true) {
    case .closed(let index): (end, wantsComma) = (index, true)
    case .broken(let index): (end, wantsComma) = (index, false)
    case .open:
      guard scan.isLast else { return .needsMore }
      end = scan.bytes.count
    }
    let step = problem(.garbage, at: position)
    line += structure.lines
    comma = nil
    pass(to: end + scan.base)
    return step
  }

  /// Between two members of an object on the path.
  mutating func member(_ scan: inout JSONWindow) -> Step? {
    skipBlanks(scan)
    let start = position - scan.base
    guard start < scan.bytes.count else {
      guard scan.isLast else { return .needsMore }
      phase = .finished
      return problem(.unclosedArray, at: position)
    }
    switch scan.bytes[start] {
    case UInt8(ascii: ","):
      pass(to: position + 1)
      return nil
    case UInt8(ascii: "}"):
      leave()
      return nil
    case UInt8(ascii: "\""): return namedValue(scan, from: start)
    default:
      let step = problem(.garbage, at: position)
      var end = start + 1
      while end < scan.bytes.count, scan.bytes[end] != UInt8(ascii: "\""),
        scan.bytes[end] != UInt8(ascii: "}")
      {
        end += 1
      }
      if end == scan.bytes.count, !scan.isLast { return .needsMore }
      line += lineEnds(scan.bytes[start..<end])
      pass(to: end + scan.base)
      return step
    }
  }

  /// A member: gone into when the path names it, else a record with a key.
  private mutating func namedValue(_ scan: JSONWindow, from start: Int) -> Step? {
    guard let (key, keyLines, _) = structure(scan, from: start, isInArray: false) else {
      return .needsMore
    }
    var value = key
    while value < scan.bytes.count,
      JSONByte.isBlank(scan.bytes[value]) || scan.bytes[value] == UInt8(ascii: ":")
    {
      value += 1
    }
    guard value < scan.bytes.count else {
      if !scan.isLast { return .needsMore }
      phase = .finished
      return problem(.unclosedArray, at: position)
    }
    let before = keyLines + lineEnds(scan.bytes[key..<value])
    let isNamed =
      level < path.count && key - start > 1
      && scan.bytes[start + 1..<key - 1].elementsEqual(path[level])
    let first = scan.bytes[value]
    if isNamed, first == UInt8(ascii: "[") || first == UInt8(ascii: "{") && level + 1 < path.count {
      line += before
      enter(first == UInt8(ascii: "[") ? .array : .object, at: value, scan)
      level += 1
      return nil
    }
    guard let (end, lines) = valueEnd(scan, from: value) else { return .needsMore }
    line += before
    return record(value..<end, lines: lines, scan, key: start + scan.base..<key + scan.base)
  }

  private func valueEnd(_ scan: JSONWindow, from start: Int) -> (end: Int, lines: Int)? {
    switch scan.bytes[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      return structure(scan, from: start, isInArray: false).map { ($0.end, $0.lines) }
    default:
      var end = start
      while end < scan.bytes.count, !JSONByte.endsScalar(scan.bytes[end]) { end += 1 }
      return end == scan.bytes.count && !scan.isLast ? nil : (max(end, start), 0)
    }
  }

  /// Goes into the container that opens at this window index.
  mutating func enter(_ inner: Phase, at index: Int, _ scan: JSONWindow) {
    outer.append((phase, level))
    phase = inner
    (wantsComma, comma) = (false, nil)
    pass(to: index + 1 + scan.base)
  }

  /// Goes out past the closing bracket here.
  private mutating func leave() {
    pass(to: position + 1)
    if let (outerPhase, outerLevel) = outer.popLast() {
      (phase, level) = (outerPhase, outerLevel)
    } else {
      phase = .values
    }
    (wantsComma, comma) = (phase == .array, nil)
    isLineStart = false
  }
}
