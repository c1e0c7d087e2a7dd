/// Percent-encoding (RFC 3986, 2.1).
public enum URLText {
  /// Whether a byte stands for itself in every part of a URL: `ALPHA DIGIT - . _ ~`.
  @inlinable
  @inline(__always)
  public static func isUnreserved(_ byte: UInt8) -> Bool {
    if byte < 0x40 { return (0x03FF_6000_0000_0000 as UInt64) >> UInt64(byte) & 1 != 0 }
    if byte < 0x80 { return (0x47FF_FFFE_87FF_FFFE as UInt64) >> UInt64(byte & 0x3F) & 1 != 0 }
    return false
  }

  /// Whether a path surely stands for itself in a URL; false says nothing.
  public static func isPlainPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    PlainPath.holds(bytes)
  }

  /// The bytes with each `%HH` replaced by the byte it stands for; a `%` without two hexadecimal
  /// digits stays.
  public static func percentDecode(_ text: Span<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
        let high = hexadecimal(text[index + 1]), let low = hexadecimal(text[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(text[index])
        index += 1
      }
    }
    return decoded
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension ByteBuffer {
  /// Appends one path segment, everything but unreserved characters percent-encoded.
  public mutating func append(percentEncoded segment: Span<UInt8>) {
    append(percentEncoded: segment, keepingSlashes: false)
  }

  /// Appends a relative path, its segments percent-encoded and its slashes kept.
  public mutating func append(percentEncodedPath path: Span<UInt8>) {
    append(percentEncoded: path, keepingSlashes: true)
  }

  private mutating func append(percentEncoded text: Span<UInt8>, keepingSlashes: Bool) {
    text.withUnsafeBufferPointer { bytes in
      if keepingSlashes, PlainPath.holds(bytes) { return append(bytes) }
      reserve(bytes.count &* 3)
      for byte in bytes {
        if URLText.isUnreserved(byte) || (keepingSlashes && byte == UInt8(ascii: "/")) {
          append(byte)
        } else {
          append(UInt8(ascii: "%"))
          append(upperHexadecimal: byte >> 4)
          append(upperHexadecimal: byte & 15)
        }
      }
    }
  }

  /// RFC 3986 (2.1) wants capital letters.
  private mutating func append(upperHexadecimal nibble: UInt8) {
    append(nibble < 10 ? nibble + UInt8(ascii: "0") : nibble - 10 + UInt8(ascii: "A"))
  }
}

/// Paths in which no byte has to be encoded: nearly all.
private enum PlainPath {
  /// Whether at least eight bytes are all of `A–Z a–z 0–9 - . _ /`, looked at eight at a time.
  static func holds(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 8 else { return false }
    let memory = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index < bytes.count {
      // The last word overlaps the one before it.
      index = min(index, bytes.count &- 8)
      if !isPlain(memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return false }
      index &+= 8
    }
    return true
  }

  /// Adding 0x80 - n to a byte below 0x80 sets its top bit if it is n or more, without a carry.
  @inline(__always)
  private static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    if word & tops != 0 { return false }
    let lower = word | (0x20 &* ones)
    let letters = (lower &+ 0x1F &* ones) & ~(lower &+ 0x05 &* ones)  // a to z
    let others = (word &+ 0x53 &* ones) & ~(word &+ 0x46 &* ones)  // - . / 0 to 9
    let notLine = (word ^ (0x5F &* ones)) &+ 0x7F &* ones
    return (letters | others | ~notLine) & tops == tops
  }
}
