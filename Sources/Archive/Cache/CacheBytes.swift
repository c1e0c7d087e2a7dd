import Bytes

/// Writes numbers and text compactly: numbers in groups of seven bits, low ones first (LEB128).
extension ByteBuffer {
  @inline(__always)
  mutating func append(number value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  mutating func append(number value: Int) {
    append(number: UInt64(truncatingIfNeeded: value))
  }

  @inline(__always)
  mutating func append(number value: UInt32) { append(number: UInt64(value)) }

  /// A number near zero, of either sign.
  @inline(__always)
  mutating func append(signed value: Int64) {
    append(number: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Eight bytes, the low one first.
  mutating func append(fixed value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// Bytes with their number before them.
  mutating func append(counted bytes: UnsafeBufferPointer<UInt8>) {
    append(number: bytes.count)
    append(bytes)
  }

  /// Text with the number of its bytes before it.
  mutating func append(counted text: String) {
    text.withBytes { append(counted: $0) }
  }
}

/// Reads what `ByteBuffer` wrote, from bytes that nobody vouches for.
///
/// Once something can't be, `isBroken` is set and everything reads as zero: nothing traps, and no
/// count is larger than what the bytes can hold.
struct CacheCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private(set) var isBroken = false

  /// - Parameter bytes: Must outlive the cursor.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// Notes that what was read can't be.
  mutating func fail() {
    isBroken = true
    position = bytes.count
  }

  @inline(__always)
  mutating func number() -> UInt64 {
    if position < bytes.count, bytes[position] < 0x80 {
      position += 1
      return UInt64(bytes[position - 1])
    }
    return longNumber()
  }

  private mutating func longNumber() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      if shift == 63, byte > 1 { break }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    fail()
    return 0
  }

  /// A number that is at most `limit`.
  @inline(__always)
  mutating func number(upTo limit: Int) -> Int {
    let value = number()
    guard let found = Int(exactly: value), found <= limit else {
      fail()
      return 0
    }
    return found
  }

  /// A position among `count` things; 0 where it is none.
  @inline(__always)
  mutating func index(below count: Int) -> UInt32 {
    let value = number()
    guard value < UInt64(count), let found = UInt32(exactly: value) else {
      fail()
      return 0
    }
    return found
  }

  /// The number of things that follow, each of one byte at least.
  mutating func count() -> Int {
    let value = number()
    // What is left once the number itself is read.
    guard value <= UInt64(bytes.count - position) else {
      fail()
      return 0
    }
    return Int(value)
  }

  @inline(__always)
  mutating func signed() -> Int64 {
    let value = number()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  @inline(__always)
  mutating func fixed() -> UInt64 {
    guard bytes.count - position >= 8, let base = bytes.baseAddress else {
      fail()
      return 0
    }
    position += 8
    let value = UnsafeRawPointer(base + position - 8).loadUnaligned(as: UInt64.self)
    return UInt64(littleEndian: value)
  }

  mutating func flag() -> Bool { number(upTo: 1) == 1 }

  mutating func countedBytes() -> UnsafeBufferPointer<UInt8> {
    let count = count()
    position += count
    return UnsafeBufferPointer(rebasing: bytes[position - count..<position])
  }

  mutating func countedText() -> String { countedBytes().string }

  /// A range of a text of `count` bytes.
  @inline(__always)
  mutating func range(in count: Int) -> TextRange {
    let length = number(upTo: count)
    if length == 0 { return .empty }
    let offset = number(upTo: count - length)
    return TextRange(
      offset: UInt32(truncatingIfNeeded: offset),
      length: UInt32(truncatingIfNeeded: length)
    )
  }
}

extension ByteBuffer {
  mutating func append(range: TextRange) {
    append(number: range.length)
    if !range.isEmpty { append(number: range.offset) }
  }
}
