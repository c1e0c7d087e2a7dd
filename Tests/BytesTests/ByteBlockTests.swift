import Bytes
import Testing

/// The first byte of a block that `test` marks, 16 if there is none.
private func first(_ bytes: [UInt8], _ test: (ByteBlock) -> ByteBlock.Marks) -> Int {
  bytes.withUnsafeBytes { memory in
    guard let base = memory.baseAddress, memory.count >= ByteBlock.count else { return -1 }
    let marks = test(ByteBlock(base))
    return marks.isEmpty ? ByteBlock.count : marks.first
  }
}

/// Every byte in every place, before and after bytes of all kinds that no test marks.
@Test(arguments: [UInt8(ascii: "a"), 0x80, 0xA2, 0xBC, 0xFF])
func blocksMarkJustWhatTheySay(_ filler: UInt8) {
  for byte in UInt8.min...UInt8.max {
    for place in 0..<ByteBlock.count {
      var bytes = [UInt8](repeating: filler, count: ByteBlock.count)
      bytes[place] = byte
      let isMarked = byte < 0x20 || byte == 0x22 || byte | 2 == 0x3E || 0x5B...0x60 ~= byte
      let expected = isMarked || byte == 0xEF ? place : ByteBlock.count
      let found = first(bytes) { block in
        block.below80(
          block.less(than: 0x20) | block.equals(0x22) | block.equals(0x3E, with: 2)
            | block.isIn(0x5B...0x60),
          or: block.equalsHigh(0xEF)
        )
      }
      #expect(found == expected, "\(byte) at \(place)")
      if found != expected { return }
    }
  }
}

@Test
func theFirstMarkCounts() {
  var bytes = [UInt8](repeating: 0x61, count: ByteBlock.count)
  for place in bytes.indices.reversed() {
    bytes[place] = 0x22
    #expect(first(bytes) { $0.below80($0.equals(0x22)) } == place)
  }
}

/// The end of a text is followed by blanks, and nothing is read outside of it.
@Test
func blocksOfTheEndOfAText() {
  for length in 0..<40 {
    let text = (0..<length).map { UInt8($0 + 0x41) }
    for index in 0...length {
      let expected = (text[index...] + Array(repeating: 0x20, count: ByteBlock.count))
        .prefix(ByteBlock.count)
      var buffer = ByteBuffer(capacity: 16)
      text.withUnsafeBufferPointer {
        buffer.append(ByteBlock($0, from: index), count: ByteBlock.count)
      }
      #expect(buffer.array == Array(expected), "\(length) bytes from \(index)")
    }
  }
}

@Test
func marksBeforeAPlace() {
  for place in 0..<ByteBlock.count {
    var bytes = [UInt8](repeating: 0x61, count: ByteBlock.count)
    bytes[place] = 0x22
    for count in -16...32 {
      let found = first(bytes) { $0.below80($0.equals(0x22)).before(count) }
      #expect(found == (place < count ? place : ByteBlock.count), "\(place) before \(count)")
    }
  }
}
