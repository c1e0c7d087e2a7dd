import Bytes

/// How a file is laid out, so that what an edit adds looks like the rest.
struct JSONStyle {
  /// `\n` or `\r\n`.
  var lineEnd: [UInt8] = [0x0A]
  /// One level of indent.
  var unit: [UInt8] = [0x20, 0x20]
  /// What stands between a key and its value: `:`, `: `, or ` : ` as Swift's encoder writes.
  var colon: [UInt8] = Array(": ".utf8)
  /// What stands inside the braces of an object on one line: nothing, or a blank as in `{ "a": 1 }`.
  var padding: [UInt8] = []
  /// What stands between two values on one line.
  var comma: [UInt8] { colon.last == 0x20 ? Array(", ".utf8) : Array(",".utf8) }

  /// Reads the style off a file: its first line end, first indented line and first colon.
  init(of bytes: UnsafeBufferPointer<UInt8>) {
    if let end = bytes.firstIndex(of: 0x0A), end > 0, bytes[end - 1] == 0x0D {
      lineEnd = [0x0D, 0x0A]
    }
    unit = Self.firstIndent(in: bytes) ?? unit
    colon = Self.firstColon(in: bytes) ?? colon
    padding = Self.padding(in: bytes)
  }

  /// As in the first object that goes on behind its brace.
  private static func padding(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var index = 0
    while index + 2 < bytes.count, let open = bytes[index...].firstIndex(of: UInt8(ascii: "{")) {
      index = open + 1
      guard index + 1 < bytes.count else { break }
      if bytes[index] == UInt8(ascii: "\"") { return [] }
      if bytes[index] == 0x20, bytes[index + 1] == UInt8(ascii: "\"") { return [0x20] }
    }
    return []
  }

  private static func firstIndent(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var index = 0
    while let end = bytes[index...].firstIndex(of: 0x0A) {
      let start = end + 1
      index = start
      while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
      if index > start, index < bytes.count, !JSONByte.isBlank(bytes[index]) {
        return Array(bytes[start..<index])
      }
    }
    return nil
  }

  private static func firstColon(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let open = bytes.firstIndex(of: UInt8(ascii: "{")),
      let key = bytes[open...].firstIndex(of: UInt8(ascii: "\"")),
      let name = try? JSONOutline.value(bytes, at: key)
    else { return nil }
    var end = name.upperBound
    while end < bytes.count, JSONByte.isBlank(bytes[end]) || bytes[end] == UInt8(ascii: ":") {
      end += 1
    }
    let text = Array(bytes[name.upperBound..<end])
    return text.contains(UInt8(ascii: ":")) && !text.contains(0x0A) ? text : nil
  }

  /// A value written anew: over several lines from `indent` on, or on one line where it is nil.
  ///
  /// - Parameters:
  ///   - value: JSON that the parser has accepted.
  ///   - indent: the blanks at the start of the line where the value begins.
  /// - Returns: the same tokens with this style's blanks between them.
  func format(_ value: UnsafeBufferPointer<UInt8>, indent: [UInt8]?) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(value.count * 2)
    var depth = 0
    var index = 0
    func breakLine() {
      guard let indent else { return }
      output += lineEnd + indent
      for _ in 0..<depth { output += unit }
    }
    while index < value.count {
      let byte = value[index]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        index += 1
        while index < value.count, JSONByte.isBlank(value[index]) { index += 1 }
        if index < value.count, value[index] == byte + 2 {
          output.append(byte + 2)
          index += 1
          continue
        }
        depth += 1
        breakLine()
        if indent == nil, byte == UInt8(ascii: "{") { output += padding }
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        breakLine()
        if indent == nil, byte == UInt8(ascii: "}") { output += padding }
        output.append(byte)
      case UInt8(ascii: ","):
        output += indent == nil ? comma : [byte]
        breakLine()
      case UInt8(ascii: ":"): output += colon
      case UInt8(ascii: "\""):
        let end = Self.endOfString(value, from: index)
        output += value[index..<end]
        index = end
        continue
      default: if !JSONByte.isBlank(byte) { output.append(byte) }
      }
      index += 1
    }
    return output
  }

  private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start + 1
    while let stop = JSONStructure.stringStop(in: bytes, from: index) {
      if bytes[stop] == UInt8(ascii: "\"") { return stop + 1 }
      index = stop + (bytes[stop] == UInt8(ascii: "\\") ? 2 : 1)
    }
    return bytes.count
  }
}
