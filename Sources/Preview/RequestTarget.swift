/// The target of a request line (RFC 9112, 3.2), taken apart.
struct RequestTarget: Hashable, Sendable {
  /// Why a target means nothing here.
  enum Refusal: Error, Hashable {
    /// 400: not a path, a broken escape, a control character, `.` or `..`.
    case malformed
    /// 414.
    case tooLong
  }

  /// Longer ones get a 414.
  static let limit = 8 * 1024

  /// The decoded path without its first slash: `posts/rain/`.
  ///
  /// Its segments hold no slash, no backslash, no control character, and none is `.` or `..`; some may
  /// be empty.
  let path: [UInt8]
  /// What follows the first `?`, as it came.
  let query: [UInt8]
  /// The authority of an absolute target: `http://host:port/…`.
  let authority: [UInt8]?

  init(_ target: [UInt8]) throws(Refusal) {
    guard target.count <= Self.limit else { throw .tooLong }
    var rest = target[...]
    if let (authority, path) = Self.absoluteForm(target) {
      self.authority = authority
      rest = path
    } else {
      authority = nil
    }
    guard rest.first == UInt8(ascii: "/") || (authority != nil && rest.isEmpty) else {
      throw .malformed
    }
    let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    query = Array(rest[mark...].dropFirst())
    guard !query.contains(where: Self.isControl) else { throw .malformed }
    path = try Self.decoded(rest[..<mark].dropFirst())
  }

  /// The authority and the rest of `http://authority/rest`.
  private static func absoluteForm(_ target: [UInt8]) -> ([UInt8], ArraySlice<UInt8>)? {
    let scheme = Array("http://".utf8)
    guard target.count > scheme.count,
      zip(target, scheme).allSatisfy({ $0 == $1 || ($0 | 0x20 == $1 && $1 >= UInt8(ascii: "a")) })
    else { return nil }
    let rest = target[scheme.count...]
    let ends = [UInt8(ascii: "/"), UInt8(ascii: "?")]
    let end = rest.firstIndex(where: ends.contains) ?? rest.endIndex
    return (Array(rest[..<end]), rest[end...])
  }

  /// The path with its escapes read; each segment is judged by what it means, not by how it is spelt.
  private static func decoded(_ path: ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(path.count)
    var start = 0
    var index = path.startIndex
    while index < path.endIndex {
      var byte = path[index]
      index += 1
      if byte == UInt8(ascii: "/") {
        guard !isDots(result[start...]) else { throw .malformed }
        result.append(byte)
        start = result.count
        continue
      }
      if byte == UInt8(ascii: "%") {
        guard index + 1 < path.endIndex, let high = hexadecimal(path[index]),
          let low = hexadecimal(path[index + 1])
        else { throw .malformed }
        byte = high << 4 | low
        index += 2
      }
      guard !isControl(byte), byte != UInt8(ascii: "/"), byte != UInt8(ascii: "\\"),
        byte != UInt8(ascii: "#") || path[index - 1] != byte
      else { throw .malformed }
      result.append(byte)
    }
    guard !isDots(result[start...]) else { throw .malformed }
    return result
  }

  private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
    (1...2).contains(segment.count) && segment.allSatisfy { $0 == UInt8(ascii: ".") }
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The value of one field of the query, as it came.
  func queryValue(_ name: String) -> [UInt8]? {
    let start = Array((name + "=").utf8)
    return query.split(separator: UInt8(ascii: "&")).first { $0.starts(with: start) }.map {
      Array($0.dropFirst(start.count))
    }
  }
}
