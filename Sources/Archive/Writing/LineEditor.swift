import JSON

/// Changes `key: value` lines at the left margin: Pelican's headers, and front matter that YAML
/// can't read but that is understood line by line.
struct LineEditor {
  private(set) var bytes: [UInt8]
  /// Pelican's values have no quotes at all.
  let isQuoted: Bool

  init(_ bytes: [UInt8], isQuoted: Bool) {
    self.bytes = bytes
    self.isQuoted = isQuoted
  }

  mutating func set(_ json: [UInt8], at path: [JSONStep]) throws {
    let key = try Self.key(path)
    let text = try JSONLiteral.read(json, text)
    if let line = find(key) {
      bytes.replaceSubrange(line.value, with: [0x20] + text)
      return
    }
    let lineEnd = YAMLEditor.lineEnd(of: bytes)
    let needsLine = !bytes.isEmpty && bytes.last != 0x0A
    // Pelican writes its keys with a capital.
    let isCapital = !isQuoted && bytes.first.map { (0x41...0x5A).contains($0) } ?? false
    let name = isCapital ? [key[0] & ~0x20] + key.dropFirst() : key
    bytes += (needsLine ? lineEnd : []) + name + Array(": ".utf8) + text + lineEnd
  }

  mutating func remove(_ path: [JSONStep]) throws {
    guard let line = find(try Self.key(path)) else { throw SpliceError("nothing to remove") }
    bytes.removeSubrange(line.whole)
  }

  private static func key(_ path: [JSONStep]) throws(SpliceError) -> [UInt8] {
    guard path.count == 1, case .member(let key) = path[0], let first = key.first,
      (0x41...0x7A).contains(first)
    else { throw SpliceError("it stands in no line of its own") }
    return key
  }

  private func text(_ value: JSONValue) throws -> [UInt8] {
    if value.kind == .array {
      let parts = value.elements.map { $0.text?.array ?? JSONLiteral.text($0) }
      let joined = JSONLiteral.string(Array(parts.joined(separator: Array(", ".utf8))))
      return try JSONLiteral.read(joined) { try text($0) }
    }
    if isQuoted { return YAMLScalars().inline(value, isInFlow: false) }
    guard let text = value.text?.array else { return JSONLiteral.text(value) }
    if text.contains(where: { $0 < 0x20 }) { throw SpliceError("a header has one line") }
    return text
  }

  private func find(_ key: [UInt8]) -> (value: Range<Int>, whole: Range<Int>)? {
    bytes.withUnsafeBufferPointer { bytes in
      var position = 0
      while position < bytes.count {
        let line = FrontMatter.line(bytes, from: position)
        position = line.end
        guard let found = FrontMatter.headerKey(bytes[line.text]),
          found.elementsEqual(key)
            || (!isQuoted && found.map { $0 | 0x20 } == key.map { $0 | 0x20 })
        else { continue }
        var end = line
        // Indented lines go on with the value.
        while end.end < bytes.count {
          let next = FrontMatter.line(bytes, from: end.end)
          guard let first = bytes[next.text].first, isBlankByte(first) else { break }
          end = (next.text, next.end)
        }
        return (found.endIndex + 1..<end.text.upperBound, line.text.lowerBound..<end.end)
      }
      return nil
    }
  }
}
