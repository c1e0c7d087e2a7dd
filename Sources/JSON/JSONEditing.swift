/// Works out an edit of the bytes of a file.
struct JSONEditing {
  let bytes: UnsafeBufferPointer<UInt8>
  let format: JSONSplitter.Format
  let style: JSONStyle

  init(bytes: UnsafeBufferPointer<UInt8>, format: JSONSplitter.Format) {
    self.bytes = bytes
    self.format = format
    style = JSONStyle(of: bytes)
  }

  func range(of path: [JSONStep]) throws(JSONEditError) -> Range<Int> {
    var range: Range<Int>?
    for step in path {
      switch step {
      case .record(let number):
        guard range == nil else { throw .wrongKind }
        let records = JSONRecords(of: bytes, format, upTo: number)
        guard number >= 0, number < records.ranges.count else { throw .notFound }
        range = records.ranges[number]
      case .offset(let offset):
        guard range == nil else { throw .wrongKind }
        guard offset >= bodyStart, offset < bytes.count else { throw .notFound }
        range = try JSONOutline.value(bytes, at: offset)
      case .member, .element:
        let outline = try outline(at: try whole(range))
        range = outline.items[try index(of: step, in: outline)].value
      }
    }
    return try whole(range)
  }

  private func whole(_ range: Range<Int>?) throws(JSONEditError) -> Range<Int> {
    if let range { return range }
    return try document()
  }

  /// Behind the byte order mark, if there is one.
  private var bodyStart: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  private func document() throws(JSONEditError) -> Range<Int> {
    var start = bodyStart
    while start < bytes.count, JSONByte.isBlank(bytes[start]) { start += 1 }
    return try JSONOutline.value(bytes, at: start)
  }

  private func outline(at range: Range<Int>) throws(JSONEditError) -> JSONOutline {
    let first = bytes[range.lowerBound]
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { throw .wrongKind }
    return try JSONOutline.read(bytes, at: range.lowerBound)
  }

  private func index(
    of step: JSONStep,
    in outline: JSONOutline
  ) throws(JSONEditError) -> Int {
    switch step {
    case .member(let name):
      guard outline.isObject else { throw .wrongKind }
      guard let index = outline.item(named: name, in: bytes) else { throw .notFound }
      return index
    case .element(let index):
      guard !outline.isObject else { throw .wrongKind }
      guard index >= 0, index < outline.items.count else { throw .notFound }
      return index
    case .record(let index):
      guard index >= 0, index < outline.items.count else { throw .notFound }
      return index
    case .offset(let offset):
      let found = outline.items.firstIndex { $0.value.lowerBound == offset }
      guard let found else { throw .notFound }
      return found
    }
  }
}

extension JSONEditing {
  func setting(_ value: [UInt8], at path: [JSONStep]) throws(JSONEditError) -> JSONEdit {
    if case .member(let name)? = path.last {
      let outline = try outline(at: try range(of: Array(path.dropLast())))
      guard outline.isObject else { throw .wrongKind }
      guard outline.item(named: name, in: bytes) != nil else {
        return adding(value, named: name, to: outline, at: outline.items.count)
      }
    }
    let old = try range(of: path)
    let isOnOneLine = !bytes[old].contains(0x0A)
    // An empty one says nothing about lines.
    let wasContainer = isContainer(old) && old.count > 2
    let indent = lineIndent(at: old.lowerBound)
    let isInLines =
      isOnOneLine
      && (wasContainer || isRecord(path) || !isFirstOnLineOrMember(old.lowerBound))
    let replacement = formatted(value, indent: isInLines ? nil : indent)
    return JSONEdit(range: old, replacement: replacement)
  }

  private func isRecord(_ path: [JSONStep]) -> Bool {
    switch path.last {
    case .record, .offset, nil: true
    case .member, .element: false
    }
  }

  /// Whether the line holds one member or element: then a container may be written over lines.
  func isFirstOnLineOrMember(_ start: Int) -> Bool {
    var line = start
    while line > 0, bytes[line - 1] != 0x0A { line -= 1 }
    guard line > 0 else { return false }
    var index = line
    while index < start, JSONByte.isBlank(bytes[index]) { index += 1 }
    if index == start { return true }
    guard bytes[index] == UInt8(ascii: "\""), let key = try? JSONOutline.value(bytes, at: index)
    else { return false }
    return bytes[key.upperBound..<start].allSatisfy {
      JSONByte.isBlank($0) || $0 == UInt8(ascii: ":")
    }
  }

  func removing(_ path: [JSONStep]) throws(JSONEditError) -> JSONEdit {
    guard let last = path.last else { throw .onlyValue }
    switch last {
    case .record, .offset:
      guard path.count == 1 else { throw .wrongKind }
      let records = JSONRecords(of: bytes, format)
      guard let outline = records.outline else { return try removingLine(last, of: records) }
      return try removing(try index(of: last, in: outline), from: outline)
    case .member, .element:
      let outline = try outline(at: try range(of: Array(path.dropLast())))
      return try removing(try index(of: last, in: outline), from: outline)
    }
  }

  private func removing(
    _ index: Int,
    from outline: JSONOutline
  ) throws(JSONEditError) -> JSONEdit {
    let items = outline.items
    let range: Range<Int>
    if items.count == 1 {
      range = outline.open + 1..<outline.close
      try checkGap(outline.open + 1..<items[0].start, commas: 0)
      try checkGap(items[0].end..<outline.close, commas: 0)
    } else if index == 0 {
      range = items[0].start..<items[1].start
      try checkGap(items[0].end..<items[1].start, commas: 1)
    } else {
      range = items[index - 1].end..<items[index].end
      try checkGap(items[index - 1].end..<items[index].start, commas: 1)
    }
    return JSONEdit(range: range, replacement: [])
  }

  /// Between two records there must be one comma and blanks: else the file is broken right here.
  private func checkGap(_ range: Range<Int>, commas: Int) throws(JSONEditError) {
    var commas = commas
    for index in range where !JSONByte.isBlank(bytes[index]) {
      commas -= bytes[index] == UInt8(ascii: ",") ? 1 : 2
      if commas < 0 { throw .malformed(offset: index) }
    }
    if commas != 0 { throw .malformed(offset: range.lowerBound) }
  }

  func inserting(_ value: [UInt8], at path: [JSONStep]) throws(JSONEditError) -> JSONEdit {
    switch path.last {
    case .element(let number):
      let outline = try outline(at: try range(of: Array(path.dropLast())))
      guard !outline.isObject else { throw .wrongKind }
      guard number >= 0, number <= outline.items.count else { throw .notFound }
      return adding(value, named: nil, to: outline, at: number)
    case .record(let number):
      guard path.count == 1 else { throw .wrongKind }
      let records = JSONRecords(of: bytes, format)
      guard number >= 0, number <= records.ranges.count else { throw .notFound }
      if let outline = records.outline {
        return adding(value, named: nil, to: outline, at: number)
      }
      if number == records.ranges.count { return appendingLine(value) }
      let start = startOfLine(records.ranges[number].lowerBound)
      return JSONEdit(
        range: start..<start,
        replacement: formatted(value, indent: nil) + style.lineEnd
      )
    case .member, .offset, nil: throw .wrongKind
    }
  }

  func appending(_ value: [UInt8], to path: [JSONStep]) throws(JSONEditError) -> JSONEdit {
    if path.isEmpty {
      guard let outline = JSONRecords(of: bytes, format).outline else {
        return appendingLine(value)
      }
      return adding(value, named: nil, to: outline, at: outline.items.count)
    }
    let outline = try outline(at: try range(of: path))
    guard !outline.isObject else { throw .wrongKind }
    return adding(value, named: nil, to: outline, at: outline.items.count)
  }

  func appendingLine(_ value: [UInt8]) -> JSONEdit {
    let line = formatted(value, indent: nil)
    let end = bytes.count
    let isBare = end == 0 || (end == 3 && bytes[0] == 0xEF)
    if isBare || bytes[end - 1] == 0x0A {
      return JSONEdit(range: end..<end, replacement: line + style.lineEnd)
    }
    return JSONEdit(range: end..<end, replacement: style.lineEnd + line)
  }

  private func removingLine(
    _ step: JSONStep,
    of records: JSONRecords
  ) throws(JSONEditError) -> JSONEdit {
    let found: Int? =
      switch step {
      case .record(let number): records.ranges.indices.contains(number) ? number : nil
      case .offset(let offset): records.ranges.firstIndex { $0.lowerBound == offset }
      case .member, .element: nil
      }
    guard let found else { throw .notFound }
    if records.ranges.count == 1, records.layout != .lines { throw .onlyValue }
    let record = records.ranges[found]
    var end = record.upperBound
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    let start = startOfLine(record.lowerBound)
    try checkGap(start..<record.lowerBound, commas: 0)
    try checkGap(record.upperBound..<end, commas: 0)
    if end < bytes.count { return JSONEdit(range: start..<end + 1, replacement: []) }
    // The last line has no line end, nor should the new last line have one.
    var before = start
    if before > 3, bytes[before - 1] == 0x0A { before -= 1 }
    if before < start, before > 0, bytes[before - 1] == 0x0D { before -= 1 }
    return JSONEdit(range: before..<end, replacement: [])
  }
}
