import Testing

@testable import Archive

/// Bytes that nobody vouches for: whatever they are, nothing is read beyond them.
@Suite("Reading kept bytes")
struct CacheCursorTests {
  /// Every sequence of up to four of these: ends, counts that just fit and just don't, long numbers.
  private static let sequences: [[UInt8]] = {
    let alphabet: [UInt8] = [0, 1, 2, 3, 4, 0x7F, 0x80, 0x81, 0xFF]
    var all: [[UInt8]] = [[]]
    var last = all
    for _ in 0..<4 {
      last = last.flatMap { start in alphabet.map { start + [$0] } }
      all += last
    }
    return all
  }()

  /// What one call reads of some bytes; nil where they are broken.
  private func read<Value>(
    _ bytes: [UInt8],
    _ body: (inout CacheCursor) -> Value
  ) -> (value: Value, isAtEnd: Bool)? {
    bytes.withUnsafeBufferPointer {
      var cursor = CacheCursor($0)
      let value = body(&cursor)
      return cursor.isBroken ? nil : (value, cursor.isAtEnd)
    }
  }

  @Test("Counted bytes are those after the number, or broken")
  func counted() {
    for bytes in Self.sequences {
      let found = read(bytes) { Array($0.countedBytes()) }
      let length = bytes.prefix { $0 >= 0x80 }.count + 1
      guard length <= bytes.count else {
        #expect(found == nil, "\(bytes)")
        continue
      }
      let number = bytes[..<length].reversed().reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      if number <= bytes.count - length {
        #expect(found?.value == Array(bytes[length..<length + number]), "\(bytes)")
        #expect(found?.isAtEnd == (length + number == bytes.count), "\(bytes)")
      } else {
        #expect(found == nil, "\(bytes)")
      }
    }
  }

  @Test("A count is at most what is left, a range within its text, and fixed numbers are whole")
  func bounds() {
    for bytes in Self.sequences {
      if let found = read(bytes, { $0.count() }) { #expect(found.value < bytes.count, "\(bytes)") }
      if let found = read(bytes, { $0.range(in: 3) }) {
        #expect(Int(found.value.offset) + Int(found.value.length) <= 3, "\(bytes)")
      }
      #expect(read(bytes) { $0.fixed() } == nil, "\(bytes)")
    }
  }

  @Test("Once broken, everything is zero and at the end")
  func broken() {
    [UInt8]([1, 2, 3]).withUnsafeBufferPointer {
      var cursor = CacheCursor($0)
      cursor.fail()
      #expect(cursor.isBroken && cursor.isAtEnd)
      #expect(cursor.number() == 0 && cursor.count() == 0 && cursor.fixed() == 0)
      #expect(cursor.signed() == 0 && cursor.index(below: 9) == 0 && cursor.countedBytes().isEmpty)
      #expect(cursor.isBroken && cursor.isAtEnd)
    }
  }
}
