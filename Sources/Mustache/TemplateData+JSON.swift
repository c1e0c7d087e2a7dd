import Bytes

extension TemplateData {
  /// Appends the whole tape as indented JSON, members in the order they were set.
  ///
  /// Indentation stops growing at depth 64. An empty tape is `null`.
  public func writeJSON(keys: KeyTable, into output: inout ByteBuffer) {
    guard !nodes.isEmpty else {
      output.append("null\n")
      return
    }
    var ends: [(place: Int, isObject: Bool)] = []
    var index = 0
    var isFirst = true
    repeat {
      let node = nodes[index]
      index += 1
      if !isFirst { output.append(UInt8(ascii: ",")) }
      if !ends.isEmpty { output.appendLine(depth: ends.count) }
      if let container = ends.last, container.isObject {
        output.appendJSON(keys.bytes(of: KeyID(rawValue: node.key)).span)
        output.append(": ")
      }
      isFirst = false
      switch node.kind {
      case .object, .array:
        output.append(node.kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        ends.append((min(node.place, nodes.count), node.kind == .object))
        isFirst = true
      case .text, .plain: output.appendJSON(text.bytes.extracting(range(of: node)))
      case .number: output.append(text.bytes.extracting(range(of: node)))
      case .yes: output.append("true")
      case .no: output.append("false")
      }
      while let container = ends.last, container.place <= index {
        ends.removeLast()
        if !isFirst { output.appendLine(depth: ends.count) }
        output.append(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        isFirst = false
      }
    } while !ends.isEmpty && index < nodes.count
    output.append(UInt8(ascii: "\n"))
  }

  private func range(of node: Node) -> Range<Int> {
    node.place..<min(node.place + Int(node.count), text.count)
  }
}

extension ByteBuffer {
  fileprivate mutating func appendLine(depth: Int) {
    append(UInt8(ascii: "\n"))
    for _ in 0..<min(depth, 64) { append("  ") }
  }

  /// Appends a JSON string (RFC 8259 section 7) of well-formed UTF-8.
  fileprivate mutating func appendJSON(_ text: Span<UInt8>) {
    append(UInt8(ascii: "\""))
    for index in text.indices {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\t"): append("\\t")
      case UInt8(ascii: "\r"): append("\\r")
      case 0..<0x20:
        append("\\u")
        append(hexadecimal: UInt64(byte), digits: 4)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
