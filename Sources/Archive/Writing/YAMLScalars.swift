import Bytes
import JSON

/// Writes JSON values as YAML that reads back the same, the way a person would write it.
struct YAMLScalars {
  /// `\n` or `\r\n`.
  var lineEnd: [UInt8] = [0x0A]

  /// A value that stands on one line, in a flow collection or not.
  func inline(_ value: JSONValue, isInFlow: Bool, like style: YAMLOutline.Style? = nil) -> [UInt8] {
    if let text = value.text?.array { return scalar(text, isInFlow: isInFlow, like: style) }
    switch value.kind {
    case .array:
      let items = value.elements.map { inline($0, isInFlow: true) }
      return Array("[".utf8) + Array(items.joined(separator: Array(", ".utf8))) + Array("]".utf8)
    case .object:
      let members = value.members.map { key, value in
        scalar(key.array, isInFlow: true) + Array(": ".utf8) + inline(value, isInFlow: true)
      }
      return Array("{".utf8) + Array(members.joined(separator: Array(", ".utf8))) + Array("}".utf8)
    case .string, .integer, .double, .true, .false, .null:
      var buffer = ByteBuffer()
      buffer.appendJSON(value)
      return buffer.array
    }
  }

  /// A member of a block mapping, from its key on; further lines are indented by `indent` and more.
  func member(_ key: [UInt8], _ value: JSONValue, indent: [UInt8]) -> [UInt8] {
    let start = scalar(key, isInFlow: false) + Array(":".utf8)
    let deeper = indent + Array("  ".utf8)
    if value.kind == .array, value.count > 0, value.elements.allSatisfy({ $0.kind == .object }) {
      return value.elements.reduce(start) { $0 + lineEnd + deeper + item($1, indent: deeper) }
    }
    if value.kind == .object, value.count > 0 {
      let members = value.members.map { member($0.key.array, $0.value, indent: deeper) }
      return start + lineEnd + deeper + Array(members.joined(separator: lineEnd + deeper))
    }
    if let text = value.text?.array, let block = block(text, indent: deeper) {
      return start + Array(" ".utf8) + block
    }
    return start + Array(" ".utf8) + inline(value, isInFlow: false)
  }

  /// An item of a block sequence, from its dash on.
  func item(_ value: JSONValue, indent: [UInt8]) -> [UInt8] {
    let dash = Array("- ".utf8)
    guard value.kind == .object, value.count > 0 else {
      return dash + inline(value, isInFlow: false)
    }
    let deeper = indent + Array("  ".utf8)
    let members = value.members.map { member($0.key.array, $0.value, indent: deeper) }
    return dash + Array(members.joined(separator: lineEnd + deeper))
  }

  /// A literal block (`|-`) for text over several lines that can stand in one.
  func block(_ text: [UInt8], indent: [UInt8]) -> [UInt8]? {
    guard text.contains(0x0A), let first = text.first, !isBlankByte(first), let last = text.last,
      last != 0x0A, Self.isPrintable(text, allowing: [0x0A, 0x09])
    else { return nil }
    var output = Array("|-".utf8)
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      output += lineEnd
      if !line.isEmpty { output += indent + line }
    }
    return output
  }

  /// Text as a plain scalar where that reads back as the same text, else in quotes.
  ///
  /// `style` is how the text that it replaces was written, which is kept where it can.
  func scalar(
    _ text: [UInt8],
    isInFlow: Bool,
    like style: YAMLOutline.Style? = nil
  ) -> [UInt8] {
    switch style {
    case .double: return Self.quoted(text)
    case .single where Self.isPrintable(text, allowing: []):
      let doubled = text.flatMap { $0 == 0x27 ? [0x27, 0x27] : [$0] }
      return [0x27] + doubled + [0x27]
    case .single, .plain, .block, nil: break
    }
    return Self.isPlain(text, isInFlow: isInFlow) ? text : Self.quoted(text)
  }

  /// Whether text can stand without quotes and is still that text, here and for YAML 1.1 readers.
  static func isPlain(_ text: [UInt8], isInFlow: Bool) -> Bool {
    guard let first = text.first, let last = text.last, !isBlankByte(first), !isBlankByte(last),
      isPrintable(text, allowing: []), !"-?:,[]{}#&*!|>'\"%@`=~".utf8.contains(first),
      last != UInt8(ascii: ":")
    else { return false }
    let type = text.withUnsafeBufferPointer { CoreSchema.type(of: $0) }
    guard case .text = type, !isOldBoolean(text) else { return false }
    for index in text.indices.dropLast() {
      let (byte, next) = (text[index], text[index + 1])
      if byte == UInt8(ascii: ":"), isBlankByte(next) || isInFlow { return false }
      if byte == 0x20, next == UInt8(ascii: "#") { return false }
    }
    return !isInFlow || !text.contains { ",[]{}:".utf8.contains($0) }
  }

  private static func isOldBoolean(_ text: [UInt8]) -> Bool {
    guard text.count <= 5 else { return false }
    let lower = text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return ["y", "n", "yes", "no", "on", "off", "null", "true", "false"].contains {
      $0.utf8.elementsEqual(lower)
    }
  }

  /// Whether all characters may stand in YAML as they are (YAML 1.2 section 5.1), line ends aside.
  private static func isPrintable(_ text: [UInt8], allowing allowed: [UInt8]) -> Bool {
    String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
      isPrintable(scalar) || (scalar.isASCII && allowed.contains(UInt8(scalar.value)))
    }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
      0x10000...0x10FFFF:
      true
    default: false
    }
  }

  /// A double-quoted scalar: JSON's escapes, and what YAML doesn't allow escaped as well.
  static func quoted(_ text: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.append(0x22)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": buffer.append("\\\"")
      case "\\": buffer.append("\\\\")
      case "\n": buffer.append("\\n")
      case "\r": buffer.append("\\r")
      case "\t": buffer.append("\\t")
      case _ where isPrintable(scalar): buffer.append(text: String(scalar))
      default:
        buffer.append("\\u")
        buffer.append(hexadecimal: UInt64(scalar.value), digits: 4)
      }
    }
    buffer.append(0x22)
    return buffer.array
  }
}
