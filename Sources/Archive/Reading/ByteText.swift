import Bytes
import Glibc

/// Whether both hold the same bytes.
@inline(__always)
func equalBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  guard let first = left.baseAddress, let second = right.baseAddress else { return true }
  return memcmp(first, second, left.count) == 0
}

/// Whether `left` sorts before `right`, byte by byte.
@inline(__always)
func precedes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  let shared = min(left.count, right.count)
  if shared > 0, let first = left.baseAddress, let second = right.baseAddress {
    let order = memcmp(first, second, shared)
    if order != 0 { return order < 0 }
  }
  return left.count < right.count
}

/// Whether `left` sorts before `right`, by UTF-8 bytes (a `String` comparison normalises, which is
/// quadratic on hostile text).
func precedes(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8)
}

extension UnsafeBufferPointer<UInt8> {
  /// Without blanks, tabs and line ends around it.
  var trimmed: UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = count
    while start < end, isBlankByte(self[start]) { start += 1 }
    while end > start, isBlankByte(self[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: self[start..<end])
  }

  /// Whether these are the bytes of a literal, upper and lower case of ASCII letters being one.
  func equalsIgnoringCase(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count {
      let byte = self[index]
      let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      if lower != word.utf8Start[index] { return false }
    }
    return true
  }

  /// At most `length` bytes, cut between scalars.
  func cut(to length: Int) -> UnsafeBufferPointer<UInt8> {
    guard count > length else { return self }
    var end = length
    while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: self[..<end])
  }

  var string: String { String(decoding: self, as: UTF8.self) }
}

@inline(__always)
func isBlankByte(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

/// Ids, keys and names are cut to this many bytes: their cost stays bounded.
let longestName = 1024

extension ByteBuffer {
  /// The bytes, valid until the buffer changes: for callees that don't keep them, while other parts
  /// of the buffer's owner change.
  var unsafeBytes: UnsafeBufferPointer<UInt8> {
    withUnsafeBytes { $0.assumingMemoryBound(to: UInt8.self) }
  }
}
