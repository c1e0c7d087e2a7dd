/// How the compiler reads the names of tags.
extension Compiler {
  func bytes(_ range: Range<Int>) -> [UInt8] { Array(unit.bytes[range]) }

  /// The name of `{{>*name}}` without its asterisk.
  func dynamicName(_ range: Range<Int>) -> Range<Int> {
    let rest = unit.bytes[range].dropFirst().drop(while: TemplateByte.isSpace)
    return rest.startIndex..<rest.endIndex
  }

  /// A name as it's compared with its closing tag's: `* name` and `*name` are one.
  func normalized(_ range: Range<Int>) -> [UInt8] {
    unit.bytes[range].filter { !TemplateByte.isSpace($0) }
  }

  mutating func block(_ token: Token) -> UInt32 {
    let name = bytes(token.name)
    if let number = blocks[name] { return number }
    let number = UInt32(blocks.count)
    blocks[name] = number
    return number
  }

  mutating func setName(_ operation: inout Operation, _ name: Range<Int>, _ token: Token) {
    let name = bytes(name)
    if name == [UInt8(ascii: ".")] || name.isEmpty { return }
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if parts.contains(where: \.isEmpty) || parts.count > 256 {
      report(
        "Name '\(text(name))' has an empty part",
        at: token.range.lowerBound,
        suggestion: "write 'a.b', or '.' for the current value"
      )
      return
    }
    let names = parts.map { keys.intern(bytes: Array($0)).rawValue }
    if names.contains(KeyID.overflow) { reportFullTable(token) }
    operation.name = slot(of: names[0])
    operation.restCount = UInt8(parts.count - 1)
    if names.count == 2 {
      operation.rest = UInt32(slot(of: names[1]))
    } else {
      operation.rest = UInt32(program.paths.count)
      program.paths += names.dropFirst()
    }
    guard freeDepth == 0, let documented, let unknown = documented.firstUnknown(in: parts) else {
      return
    }
    reportUnknown(Array(unknown), among: documented, token)
  }

  private mutating func slot(of key: UInt16) -> UInt16 {
    guard key != KeyID.overflow, let slot = UInt16(exactly: Slot.of(key)) else {
      return Slot.empty
    }
    program.slots = max(program.slots, Int(slot) + 1)
    return slot
  }
}
