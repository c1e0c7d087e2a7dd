import Bytes

/// The path that a site stands under, in one spelling.
struct BasePath: Hashable, Sendable {
  /// As addresses write it, with a slash at either end.
  let address: String
  /// Decoded, without the first slash: empty or `archive/`.
  let bytes: [UInt8]

  /// Reads `/archive/`, `archive` or `/`; empty, `.` and `..` segments are dropped.
  init(_ text: String) {
    let decoded = URLText.percentDecode(Array(text.utf8).span)
    let segments = decoded.split(separator: UInt8(ascii: "/")).filter { segment in
      !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
        && !segment.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
    }
    let bytes: [UInt8] = segments.reduce(into: []) { $0 += $1 + [UInt8(ascii: "/")] }
    self.bytes = bytes
    var address = ByteBuffer()
    address.append("/")
    address.append(percentEncodedPath: bytes.span)
    self.address = address.string
  }
}
