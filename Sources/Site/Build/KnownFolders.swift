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
    path.withBytes { path in
      var length = path.count
      while !contains(Self.hash(of: path, upTo: length)) {
        guard let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else { return 0 }
        length = slash
      }
      return length == path.count ? nil : length
    }
  }

  /// Notes that a folder is there, and so are those above it.
  mutating func note(_ path: String) {
    path.withBytes { path in
      var length = path.count
      while true {
        let hash = Self.hash(of: path, upTo: length)
        if contains(hash) { return }
        hashes[Self.place(of: hash)] = hash
        guard let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else { return }
        length = slash
      }
    }
  }

  private static func hash(of path: UnsafeBufferPointer<UInt8>, upTo length: Int) -> UInt64 {
    Fingerprint.of(UnsafeBufferPointer(rebasing: path[..<length]))
  }

  private func contains(_ hash: UInt64) -> Bool { hashes[Self.place(of: hash)] == hash }

  private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (places - 1) }
}
