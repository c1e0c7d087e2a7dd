/// The content of a TZif file (RFC 9636, versions 1 to 4).
struct TZifContent {
  var transitions: [Int64] = []
  var typeAfter: [UInt8] = []
  var types: [LocalTimeType] = []
  var footer: PosixZoneRule?

  struct Malformed: Error { let reason: String }

  init(_ file: [UInt8]) throws(Malformed) {
    var cursor = TZifCursor(bytes: file)
    let first = try TZifHeader(&cursor)
    guard first.version >= 2 else {
      try readBlock(first, timeSize: 4, &cursor)
      return
    }
    // Version 1's block only repeats in 32 bits what the next says in 64.
    try cursor.skip(first.blockSize(timeSize: 4))
    let header = try TZifHeader(&cursor)
    try readBlock(header, timeSize: 8, &cursor)
    try readFooter(&cursor)
  }

  private mutating func readBlock(
    _ header: TZifHeader,
    timeSize: Int,
    _ cursor: inout TZifCursor
  ) throws(Malformed) {
    guard header.leapCount == 0 else { throw Malformed(reason: "it counts leap seconds") }
    guard header.typeCount > 0 else { throw Malformed(reason: "it names no local time type") }
    guard cursor.remaining >= header.blockSize(timeSize: timeSize) else { throw .truncated }
    for _ in 0..<header.timeCount {
      let time = try timeSize == 8 ? cursor.int64() : Int64(cursor.int32())
      if let last = transitions.last, time <= last {
        throw Malformed(reason: "its transitions are out of order")
      }
      transitions.append(time)
    }
    for _ in 0..<header.timeCount {
      let type = try cursor.byte()
      guard type < header.typeCount else { throw Malformed(reason: "a transition has no type") }
      typeAfter.append(type)
    }
    var described: [(offset: Int, name: Int)] = []
    for _ in 0..<header.typeCount {
      let offset = try Int(cursor.int32())
      _ = try cursor.byte()
      guard (-93_600...93_600).contains(offset) else {
        throw Malformed(reason: "an offset is too large")
      }
      described.append((offset, Int(try cursor.byte())))
    }
    let names = try cursor.take(header.nameBytes)
    types = described.map { type in
      let name = names.dropFirst(type.name).prefix { $0 != 0 }
      return LocalTimeType(offset: type.offset, abbreviation: String(decoding: name, as: UTF8.self))
    }
    try cursor.skip(header.standardCount + header.universalCount)
  }

  /// The footer is a POSIX TZ string between newlines, empty where no rule is known.
  private mutating func readFooter(_ cursor: inout TZifCursor) throws(Malformed) {
    guard try cursor.byte() == UInt8(ascii: "\n") else {
      throw Malformed(reason: "it has no footer")
    }
    let line = cursor.rest.prefix { $0 != UInt8(ascii: "\n") }
    guard line.count < cursor.remaining else { throw .truncated }
    if line.isEmpty { return }
    guard let rule = PosixZoneRule(line) else {
      throw Malformed(reason: "its footer is not a POSIX TZ string")
    }
    footer = rule
  }
}

extension TZifContent.Malformed {
  fileprivate static var truncated: Self { Self(reason: "it ends too early") }
}

/// The 44 bytes before each data block: magic, version and six counts.
private struct TZifHeader {
  let version: UInt8
  let universalCount, standardCount, leapCount, timeCount, typeCount, nameBytes: Int

  init(_ cursor: inout TZifCursor) throws(TZifContent.Malformed) {
    guard try Array(cursor.take(4)) == Array("TZif".utf8) else {
      throw TZifContent.Malformed(reason: "it is not a TZif file")
    }
    let mark = try cursor.byte()
    version = mark == 0 ? 1 : mark &- UInt8(ascii: "0")
    try cursor.skip(15)
    universalCount = try cursor.count()
    standardCount = try cursor.count()
    leapCount = try cursor.count()
    timeCount = try cursor.count()
    typeCount = try cursor.count()
    nameBytes = try cursor.count()
  }

  func blockSize(timeSize: Int) -> Int {
    timeCount * (timeSize + 1) + typeCount * 6 + nameBytes + leapCount * (timeSize + 4)
      + standardCount + universalCount
  }
}

/// Reads big-endian numbers from a file; every read is checked against its end.
private struct TZifCursor {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var remaining: Int { bytes.count - position }
  var rest: ArraySlice<UInt8> { bytes[position...] }

  mutating func take(_ count: Int) throws(TZifContent.Malformed) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw .truncated }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) throws(TZifContent.Malformed) { _ = try take(count) }

  mutating func byte() throws(TZifContent.Malformed) -> UInt8 {
    try take(1).first ?? 0
  }

  mutating func int32() throws(TZifContent.Malformed) -> Int32 {
    Int32(bitPattern: try take(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  mutating func int64() throws(TZifContent.Malformed) -> Int64 {
    Int64(bitPattern: try take(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  mutating func count() throws(TZifContent.Malformed) -> Int {
    Int(UInt32(bitPattern: try int32()))
  }
}
