import Bytes
import JSON

/// The core schema of YAML 1.2.2 (section 10.3.2) for plain scalars, without octal, hexadecimal,
/// infinity and NaN, which JSON cannot hold and nobody writes in front matter: those stay text.
enum CoreSchema {
  enum ScalarType {
    case null
    case boolean(Bool)
    case number
    case text
  }

  static func type(of bytes: UnsafeBufferPointer<UInt8>) -> ScalarType {
    switch bytes.count {
    case 0: return .null
    case 1 where bytes[0] == UInt8(ascii: "~"): return .null
    case 4 where equals(bytes, "null", "Null", "NULL"): return .null
    case 4 where equals(bytes, "true", "True", "TRUE"): return .boolean(true)
    case 5 where equals(bytes, "false", "False", "FALSE"): return .boolean(false)
    default: return isNumber(bytes) ? .number : .text
    }
  }

  /// Appends a plain scalar as JSON.
  static func append(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    switch type(of: bytes) {
    case .null: output.append("null")
    case .boolean(let value): output.append(value ? "true" : "false")
    case .number: appendNumber(bytes, into: &output)
    case .text: output.appendJSON(string: bytes)
    }
  }

  /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`, at most 300 bytes, and
  /// no integer with a leading zero (`007` and phone numbers stay text).
  private static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= 300 else { return false }
    var index = 0
    if bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+") { index = 1 }
    let whole = skipDigits(bytes, from: index)
    if whole - index > 1, bytes[index] == UInt8(ascii: "0") { return false }
    var digits = whole - index
    index = whole
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      let fraction = skipDigits(bytes, from: index + 1)
      digits += fraction - index - 1
      index = fraction
    }
    guard digits > 0 else { return false }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")
      {
        index += 1
      }
      let exponent = skipDigits(bytes, from: index)
      if exponent == index { return false }
      index = exponent
    }
    return index == bytes.count
  }

  /// Appends a number that `type(of:)` recognised in JSON's grammar: no plus, digits on both sides
  /// of the point.
  static func appendNumber(
    _ bytes: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) {
    var previousIsDigit = false
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "+") where index == 0: continue
      case UInt8(ascii: "."):
        if !previousIsDigit { output.append(UInt8(ascii: "0")) }
        output.append(byte)
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        if !isDigit(next) { output.append(UInt8(ascii: "0")) }
      default: output.append(byte)
      }
      previousIsDigit = isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func skipDigits(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return index
  }

  private static func equals(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ words: StaticString...
  ) -> Bool {
    words.contains { word in
      bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
  }
}
