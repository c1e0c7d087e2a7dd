import Bytes

@testable import Mustache

/// JSON as a tree, for the specification's files: a test's reader, not for hostile input.
indirect enum JSONTree: Equatable {
  case object([(key: String, value: JSONTree)])
  case array([JSONTree])
  case string(String)
  case number(String)
  case flag(Bool)
  case null

  struct Unreadable: Error { let offset: Int }

  init(_ json: [UInt8]) throws {
    var reader = JSONTreeReader(bytes: json)
    self = try reader.value()
    reader.skipSpace()
    if reader.index != json.count { throw Unreadable(offset: reader.index) }
  }

  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    case (.array(let left), .array(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.flag(let left), .flag(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }

  subscript(key: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }

  var members: [(key: String, value: JSONTree)] {
    if case .object(let members) = self { members } else { [] }
  }

  /// Sets the value as Stillfeed's own code would; null is absent.
  func fill(_ data: inout TemplateData, _ key: KeyID? = nil, keys: inout KeyTable) {
    switch self {
    case .object(let members):
      data.beginObject(key)
      for member in members {
        member.value.fill(&data, keys.intern(member.key), keys: &keys)
      }
      data.endObject()
    case .array(let elements):
      data.beginArray(key)
      for element in elements { element.fill(&data, keys: &keys) }
      data.endArray()
    case .string(let text): data.set(key, text)
    case .number(let digits):
      if let number = Int(digits) { data.set(key, number) } else { data.set(key, digits) }
    case .flag(let flag): data.set(key, flag)
    case .null: break
    }
  }
}

private struct JSONTreeReader {
  let bytes: [UInt8]
  var index = 0

  mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
  }

  mutating func take(_ byte: Character) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == byte.asciiValue else { return false }
    index += 1
    return true
  }

  mutating func need(_ byte: Character) throws {
    if !take(byte) { throw JSONTree.Unreadable(offset: index) }
  }

  mutating func word(_ word: String) -> Bool {
    guard bytes[index...].starts(with: word.utf8) else { return false }
    index += word.utf8.count
    return true
  }

  mutating func value() throws -> JSONTree {
    skipSpace()
    guard index < bytes.count else { throw JSONTree.Unreadable(offset: index) }
    if take("{") {
      var members: [(key: String, value: JSONTree)] = []
      if take("}") { return .object([]) }
      repeat {
        skipSpace()
        let key = try string()
        try need(":")
        members.append((key, try value()))
      } while take(",")
      try need("}")
      return .object(members)
    }
    if take("[") {
      var elements: [JSONTree] = []
      if take("]") { return .array([]) }
      repeat { elements.append(try value()) } while take(",")
      try need("]")
      return .array(elements)
    }
    if bytes[index] == UInt8(ascii: "\"") { return .string(try string()) }
    if word("true") { return .flag(true) }
    if word("false") { return .flag(false) }
    if word("null") { return .null }
    let start = index
    while index < bytes.count, "+-.0123456789eE".utf8.contains(bytes[index]) { index += 1 }
    if start == index { throw JSONTree.Unreadable(offset: index) }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  mutating func string() throws -> String {
    try need("\"")
    var units: [UInt16] = []
    var run: [UInt8] = []
    var text = ""
    func flushed(_ run: inout [UInt8], _ units: inout [UInt16]) -> String {
      defer {
        run = []
        units = []
      }
      return String(decoding: run, as: UTF8.self) + String(decoding: units, as: UTF16.self)
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return text + flushed(&run, &units) }
      if byte != UInt8(ascii: "\\") {
        if !units.isEmpty { text += flushed(&run, &units) }
        run.append(byte)
        continue
      }
      guard index < bytes.count else { break }
      let escape = bytes[index]
      index += 1
      if escape == UInt8(ascii: "u") {
        if !run.isEmpty { text += flushed(&run, &units) }
        let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        guard let unit = UInt16(digits, radix: 16) else { break }
        units.append(unit)
        index += 4
        continue
      }
      if !units.isEmpty { text += flushed(&run, &units) }
      let plain: [UInt8: UInt8] = [0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9]
      run.append(plain[escape] ?? escape)
    }
    throw JSONTree.Unreadable(offset: index)
  }
}
