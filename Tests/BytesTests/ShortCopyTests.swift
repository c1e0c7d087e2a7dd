import Bytes
import Testing

@Suite
struct ShortCopyTests {
  /// Short pieces are copied by words, longer ones by `memmove`: every length around the limits.
  @Test
  func everyLength() {
    for length in 0..<70 {
      let piece = (0..<length).map { UInt8($0 + 1) }
      var buffer = ByteBuffer(capacity: 16)
      var expected: [UInt8] = []
      for _ in 0..<5 {
        buffer.append(piece.span)
        buffer.append(0xFF)
        expected += piece + [0xFF]
      }
      #expect(buffer.array == expected, "\(length) bytes")
    }
  }

  /// A part that begins and ends anywhere, also where less than a step is left behind its beginning.
  @Test
  func everyPart() {
    let source = (0..<100).map { UInt8($0 + 1) }
    for start in 0...100 {
      for end in start...100 {
        var buffer = ByteBuffer(capacity: 16)
        buffer.append(start..<end, of: source.span)
        buffer.append(0xFF)
        #expect(buffer.array == source[start..<end] + [0xFF], "\(start) to \(end)")
      }
    }
  }
}
