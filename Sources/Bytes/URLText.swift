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
    reserve(text.count)
    text.withUnsafeBufferPointer { bytes in
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
