import Bytes

enum JSONText {
  static func appendString(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    output.append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): output.append("\\\"")
      case UInt8(ascii: "\\"): output.append("\\\\")
      case 0x0A: output.append("\\n")
      case 0..<0x20:
        output.append("\\u00")
        output.append(hexadecimal: UInt64(byte), digits: 2)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
