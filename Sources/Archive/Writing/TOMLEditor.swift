import JSON

/// Changes a TOML document by splicing its bytes: comments, quotes, order and blanks of all that an
/// edit doesn't name stay.
///
/// Top-level keys and keys of a `[table]` can be set.
struct TOMLEditor {
  private struct Pair {
    /// The table's name as written between the brackets; empty at the top.
    var table: [UInt8]
    var key: [UInt8]
    /// From the key to the end of the value.
    var range: Range<Int>
    var value: Range<Int>
  }

  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Replaces a value, or adds the key as the last of its table.
  mutating func set(_ json: [UInt8], at path: [JSONStep], isBareDate: Bool = false) throws {
    let (table, key) = try Self.names(path)
    let text = isBareDate ? Self.unquoted(json) : try JSONLiteral.read(json, Self.value)
    let pairs = self.pairs()
    if let pair = pairs.first(where: { $0.table == table && $0.key == key }) {
      bytes.replaceSubrange(pair.value, with: text)
      return
    }
    let lineEnd = YAMLEditor.lineEnd(of: bytes)
    let line = Self.key(key) + Array(" = ".utf8) + text
    if let last = pairs.last(where: { $0.table == table }) {
      var end = last.range.upperBound
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      if end > 0, end < bytes.count, bytes[end - 1] == 0x0D { end -= 1 }
      bytes.replaceSubrange(end..<end, with: lineEnd + line)
    } else if table.isEmpty {
      bytes.replaceSubrange(0..<0, with: line + lineEnd)
    } else {
      throw SpliceError("there is no table '\(String(decoding: table, as: UTF8.self))'")
    }
  }

  /// Removes a key with its value and its line.
  mutating func remove(_ path: [JSONStep]) throws {
    let (table, key) = try Self.names(path)
    guard let pair = pairs().first(where: { $0.table == table && $0.key == key }) else {
      throw SpliceError("there is nothing to remove")
    }
    var start = pair.range.lowerBound
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    var end = pair.range.upperBound
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    bytes.removeSubrange(start..<min(end + 1, bytes.count))
  }

  /// Whether the value of a top-level key is a date without quotes.
  func hasBareDate(_ key: [UInt8]) -> Bool {
    pairs().contains { pair in
      pair.table.isEmpty && pair.key == key && !pair.value.isEmpty
        && (0x30...0x39).contains(bytes[pair.value.lowerBound])
        && bytes[pair.value].contains(UInt8(ascii: "-"))
    }
  }

  private static func names(_ path: [JSONStep]) throws(SpliceError) -> ([UInt8], [UInt8]) {
    var names: [[UInt8]] = []
    for step in path {
      guard case .member(let name) = step else { throw SpliceError("it is part of a TOML list") }
      names.append(name)
    }
    guard let key = names.popLast(), names.count <= 1 else {
      throw SpliceError("it stands deeper than a TOML table")
    }
    return (names.first ?? [], key)
  }

  private static func key(_ key: [UInt8]) -> [UInt8] {
    let isBare = key.allSatisfy { byte in
      let lower = byte | 0x20
      return (0x61...0x7A).contains(lower) || (0x30...0x39).contains(byte) || byte == 0x5F
        || byte == 0x2D
    }
    return isBare && !key.isEmpty ? key : YAMLScalars.quoted(key)
  }

  private static func unquoted(_ json: [UInt8]) -> [UInt8] { Array(json.dropFirst().dropLast()) }

  private static func value(_ json: JSONValue) throws -> [UInt8] {
    if let text = json.text?.array { return YAMLScalars.quoted(text) }
    switch json.kind {
    case .array:
      let items = try json.elements.map { try value($0) }
      return Array("[".utf8) + Array(items.joined(separator: Array(", ".utf8))) + Array("]".utf8)
    case .object:
      let members = try json.members.map { key, json in
        key.array.isEmpty ? [] : Self.key(key.array) + Array(" = ".utf8) + (try value(json))
      }
      return Array("{ ".utf8) + Array(members.joined(separator: Array(", ".utf8)))
        + Array(" }".utf8)
    case .null: throw SpliceError("TOML has no null")
    case .string, .integer, .double, .true, .false: return JSONLiteral.text(json)
    }
  }
}

extension TOMLEditor {
  /// The pairs at the top and in tables; those with dotted keys are left out.
  private func pairs() -> [Pair] {
    var pairs: [Pair] = []
    var table: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let start = skipBlanks(index)
      index = start
      guard start < bytes.count else { break }
      if bytes[start] == UInt8(ascii: "[") {
        let line = endOfLine(start)
        let name = bytes[start..<line].drop { $0 == UInt8(ascii: "[") || $0 == 0x20 }
        let isList = bytes[start..<line].starts(with: Array("[[".utf8))
        table = isList ? [0] : Array(name.prefix { $0 != UInt8(ascii: "]") && $0 != 0x20 })
        index = line
      } else if bytes[start] == UInt8(ascii: "#") || bytes[start] == 0x0A || bytes[start] == 0x0D {
        index = endOfLine(start)
      } else {
        let keyEnd = endOfKey(start)
        let equals = skipBlanks(keyEnd)
        guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else {
          // A dotted key.
          let line = endOfLine(start)
          let sign = bytes[start..<line].firstIndex(of: UInt8(ascii: "="))
          index = sign.map { endOfValue(skipBlanks($0 + 1)) } ?? line
          continue
        }
        let value = skipBlanks(equals + 1)
        let end = endOfValue(value)
        var key = Array(bytes[start..<keyEnd])
        if key.count >= 2, key[0] == 0x22 || key[0] == 0x27 { key = Array(key[1..<key.count - 1]) }
        pairs.append(Pair(table: table, key: key, range: start..<end, value: value..<end))
        index = endOfLine(end)
      }
      index += 1
    }
    return pairs
  }

  private func skipBlanks(_ start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    return index
  }

  private func endOfLine(_ start: Int) -> Int {
    bytes[min(start, bytes.count)...].firstIndex(of: 0x0A) ?? bytes.count
  }

  private func endOfKey(_ start: Int) -> Int {
    if bytes[start] == 0x22 || bytes[start] == 0x27 { return endOfString(start) }
    var index = start
    while index < bytes.count, !isBlankByte(bytes[index]), !"=.".utf8.contains(bytes[index]) {
      index += 1
    }
    return index
  }

  /// The end of a value: strings and brackets are passed over, comments too.
  private func endOfValue(_ start: Int) -> Int {
    var depth = 0
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case 0x22, 0x27:
        index = endOfString(index)
        if depth == 0 { return index }
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth <= 0 { return index + 1 }
      case UInt8(ascii: "#"):
        if depth == 0 { return trimmedEnd(start, index) }
        index = endOfLine(index)
        continue
      case 0x0A: if depth == 0 { return trimmedEnd(start, index) }
      default: break
      }
      index += 1
    }
    return trimmedEnd(start, index)
  }

  private func trimmedEnd(_ start: Int, _ end: Int) -> Int {
    var end = min(end, bytes.count)
    while end > start, isBlankByte(bytes[end - 1]) { end -= 1 }
    return end
  }

  /// The end of a string of any of TOML's four kinds.
  private func endOfString(_ start: Int) -> Int {
    let mark = bytes[start]
    let triple = [mark, mark, mark]
    let isLong = bytes[start...].starts(with: triple)
    var index = start + (isLong ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), mark == 0x22 {
        index += 2
      } else if isLong, bytes[index...].starts(with: triple) {
        index += 3
        while index < bytes.count, bytes[index] == mark { index += 1 }
        return index
      } else if !isLong, bytes[index] == mark {
        return index + 1
      } else {
        index += 1
      }
    }
    return bytes.count
  }
}
