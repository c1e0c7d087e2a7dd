/// Which links a page may carry, judged as a browser reads them (WHATWG URL, 4.4) and a little more
/// strictly.
///
/// Give it the value after character references are decoded, and write the value escaped.
public enum SafeURL {
  /// What a browser takes a link for.
  public enum Kind: Hashable, Sendable {
    /// Stays on the site: a path, a query, a fragment or nothing.
    case relative
    /// `http:`.
    case http
    /// `https:`.
    case https
    /// `mailto:`.
    case mailto
    /// Another scheme, another host without a scheme (`//host`), or something that looks like it.
    case forbidden
  }

  /// Whether a page may carry the link: `http`, `https`, `mailto` or relative.
  public static func isAllowed(_ link: Span<UInt8>) -> Bool { kind(of: link) != .forbidden }

  /// Whether a page may carry the link: `http`, `https`, `mailto` or relative.
  public static func isAllowed(_ link: String) -> Bool { isAllowed(Array(link.utf8).span) }

  /// What a browser takes the link for.
  ///
  /// Leading controls and blanks, and tabs and line ends anywhere, don't count. A link with a colon
  /// before its first slash, `?` or `#` names a scheme, however odd the name.
  public static func kind(of link: Span<UInt8>) -> Kind {
    var scheme = SchemeName()
    var slashes = 0
    var isLeading = true
    for index in link.indices {
      let byte = link[index]
      switch byte {
      case 0x09, 0x0A, 0x0D: continue
      case 0...0x20 where isLeading && slashes == 0: continue
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        // A second one right after the first starts a host.
        guard isLeading, slashes == 0 else {
          return slashes == 1 && isLeading ? .forbidden : .relative
        }
        slashes = 1
      case _ where slashes > 0: return .relative
      case UInt8(ascii: "?"), UInt8(ascii: "#"): return .relative
      case UInt8(ascii: ":"): return scheme.kind
      default:
        scheme.append(byte)
        isLeading = false
      }
    }
    return .relative
  }
}

/// The first letters of a scheme, lower-case; longer ones are not allowed anyway.
private struct SchemeName {
  private var letters: UInt64 = 0
  private var count = 0

  mutating func append(_ byte: UInt8) {
    if count < 8 { letters = letters << 8 | UInt64(UnicodeText.lowercased(byte)) }
    count += 1
  }

  private func isEqual(to name: StaticString) -> Bool {
    let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return count == bytes.count && letters == bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  var kind: SafeURL.Kind {
    if isEqual(to: "https") { return .https }
    if isEqual(to: "http") { return .http }
    return isEqual(to: "mailto") ? .mailto : .forbidden
  }
}
