import Bytes

/// Folders of which it is known that they are there, by hashes of their paths.
///
/// A site may have a million: a later one takes the place of an earlier one in the table. What is
/// forgotten is made once more, to which the system says that it is there.
struct KnownFolders: Sendable {
  private static let places = 1 << 15

  private var hashes = [UInt64](repeating: 0, count: places)

  /// The bytes at the beginning of a folder's path that name one which is known; nil where the whole
  /// does.
  func knownLength(of path: String) -> Int? {
    if contains(Fingerprint.of(path)) { return nil }
    var above = path[...]
    while let slash = above.utf8.lastIndex(of: UInt8(ascii: "/")) {
      above = above[..<slash]
      if contains(Fingerprint.of(String(above))) { return above.utf8.count }
    }
    return 0
  }

  /// Notes that a folder is there, and so are those above it.
  mutating func note(_ path: String) {
    var path = path
    while true {
      let hash = Fingerprint.of(path)
      if contains(hash) { return }
      hashes[Self.place(of: hash)] = hash
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
      path = String(path[..<slash])
    }
  }

  private func contains(_ hash: UInt64) -> Bool { hashes[Self.place(of: hash)] == hash }

  private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (places - 1) }
}
