import Bytes
import Testing

@Suite
struct HTMLEscapingTests {
  /// Byte by byte, as plainly as it can be said.
  private func reference(_ text: [UInt8]) -> [UInt8] {
    text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: ">"): Array("&gt;".utf8)
      case UInt8(ascii: "\""): Array("&quot;".utf8)
      case UInt8(ascii: "'"): Array("&#39;".utf8)
      case 0x09, 0x0A, 0x0D: [byte]
      case 0..<0x20, 0x7F: Array("\u{FFFD}".utf8)
      default: [byte]
      }
    }
  }

  private func escaped(_ text: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.appendEscaped(text.span)
    return buffer.array
  }

  @Test
  func everyByteAtEveryPlaceInABlock() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<19 {
        var text = [UInt8](repeating: UInt8(ascii: "x"), count: 19)
        text[place] = byte
        #expect(escaped(text) == reference(text), "byte \(byte) at \(place)")
      }
      let run = [UInt8](repeating: byte, count: 16)
      #expect(escaped(run) == reference(run), "byte \(byte) repeated")
    }
  }

  @Test
  func neighboursInABlock() {
    let bytes: [UInt8] = [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x26, 0x27, 0x28, 0x3C, 0x3D, 0x3E]
    for first in bytes + [0x7E, 0x7F, 0x80, 0xFF] {
      for second in bytes + [0x7E, 0x7F, 0x80, 0xFF] {
        let text = [first, second, 0x61, second, first, 0x80, second, second, first]
        #expect(escaped(text) == reference(text), "bytes \(first), \(second)")
      }
    }
  }
}
