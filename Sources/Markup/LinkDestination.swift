import Bytes

/// What a link's destination is, judged as a browser would read it.
enum LinkDestination {
  /// No scheme and no host: a path, query or fragment.
  case relative
  /// `http` or `https`.
  case web
  /// `mailto`.
  case mail
  /// Any other scheme, or a host without one (`//host`, also with backslashes).
  case refused

  /// Reads the scheme of `destination`; tabs and line ends are dropped and leading characters up
  /// to U+0020 stripped first, as the WHATWG URL parser does.
  init(_ destination: Span<UInt8>) { self = Self.judge(destination) }

  private static func judge(_ destination: Span<UInt8>) -> LinkDestination {
    var scheme: UInt64 = 0  // the last eight bytes, lower case
    var length = 0
    var slashes = 0
    for index in destination.indices {
      let byte = destination[index]
      if byte == 9 || byte == 10 || byte == 13 || (length == 0 && slashes == 0 && byte <= 0x20) {
        continue
      }
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        if length > 0 { return .relative }
        slashes += 1
        if slashes == 2 { return .refused }
      case UInt8(ascii: ":"):
        return slashes > 0 ? .relative : kind(of: scheme, length: length)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        if slashes > 0 { return .relative }
        scheme = scheme << 8 | UInt64(byte | 0x20)
        length += 1
      default:
        // No scheme holds this byte. After a control character a colon further on in the first
        // segment is refused all the same: a lenient reader may see a scheme (`java\0script:`).
        return hasColon(destination, from: index) ? .refused : .relative
      }
    }
    return .relative
  }

  private static func kind(of scheme: UInt64, length: Int) -> LinkDestination {
    switch (scheme, length) {
    case (0x6874_7470, 4), (0x68_7474_7073, 5): .web
    case (0x6D61_696C_746F, 6): .mail
    default: .refused
    }
  }

  /// Whether a colon comes before the first `/`, `?` or `#` from `start` on, in text that begins
  /// with a control character.
  private static func hasColon(_ text: Span<UInt8>, from start: Int) -> Bool {
    guard text[start] < 0x20 || text[start] == 0x7F else { return false }
    for index in start..<text.count {
      switch text[index] {
      case UInt8(ascii: ":"): return true
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return false
      default: continue
      }
    }
    return false
  }
}

extension ByteBuffer {
  /// Appends a URL for a double-quoted attribute, the same bytes as cmark 0.30 writes.
  ///
  /// Bytes that a URL cannot hold are percent-encoded (an existing `%` stays), `&` and `'` are
  /// written as references.
  mutating func appendHref(_ url: Span<UInt8>) {
    reserve(url.count)
    var copied = 0
    for index in url.indices {
      let byte = url[index]
      if HrefByte.isSafe(byte) { continue }
      append(url.extracting(copied..<index))
      copied = index + 1
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "'"): append("&#x27;")
      default:
        append(UInt8(ascii: "%"))
        append(hexadecimal: UInt64(byte >> 4), uppercase: ())
        append(hexadecimal: UInt64(byte & 15), uppercase: ())
      }
    }
    append(url.extracting(copied..<url.count))
  }

  private mutating func append(hexadecimal nibble: UInt64, uppercase: Void) {
    let value = UInt8(truncatingIfNeeded: nibble)
    append(value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "A"))
  }
}

/// The bytes that stand for themselves in an `href`: letters, digits and ``-_.+!*(),%#@?=;:/$~``.
private enum HrefByte {
  @inline(__always)
  static func isSafe(_ byte: UInt8) -> Bool {
    guard byte < 0x80 else { return false }
    let bits = byte < 0x40 ? below64 : above64
    return bits & (1 << UInt64(byte & 0x3F)) != 0
  }

  /// `0…9` and ``! # $ % ( ) * + , - . / : ; = ?``.
  private static let below64: UInt64 = 0xAFFF_FF3A_0000_0000
  /// `A…Z`, `a…z` and `@ _ ~`.
  private static let above64: UInt64 = 0x47FF_FFFE_87FF_FFFF
}
