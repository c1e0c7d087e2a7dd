import Bytes

/// One finished build: which files the site has, and under which names their bytes are kept.
///
/// It never changes; a newer one takes its place. A request path that is no key here leads nowhere, so
/// nothing outside the site can be reached by spelling.
final class Snapshot: Sendable {
  /// A file as the build left it.
  struct File: Hashable, Sendable {
    /// Its name in the store's folder.
    let number: Int
    /// Bytes.
    let size: Int
    /// Nanoseconds since 1970.
    let modified: Int64
    /// The inode it was linked from.
    let inode: UInt64
    /// The file system of that inode.
    let device: UInt64

    /// Whether `other` is the same file with the same content.
    func isSame(as other: FileStatus) -> Bool {
      inode == other.inode && device == other.device && modified == other.modified
        && size == other.size
    }

    /// An entity tag's value (RFC 9110, 8.8.3), without quotes.
    var tag: String {
      var hash = Fingerprint.mix(inode, UInt64(bitPattern: modified))
      hash = Fingerprint.mix(hash, UInt64(truncatingIfNeeded: size))
      return String(Fingerprint.mix(hash, device), radix: 36)
    }
  }

  /// What a path means.
  enum Answer: Hashable {
    case file(Path, File)
    /// A folder with an index page, asked for without its slash.
    case folder
    case missing
  }

  /// Counts published builds.
  let version: Int
  /// Where the site stands.
  let base: BasePath
  private let files: [Path: File]

  init(version: Int, base: BasePath, files: [Path: File]) {
    self.version = version
    self.base = base
    self.files = files
  }

  var count: Int { files.count }

  /// Looks up a path below the base path, without a first slash.
  func answer(to path: [UInt8]) -> Answer {
    if path.isEmpty || path.last == UInt8(ascii: "/") {
      let index = Path(path + Array("index.html".utf8))
      return files[index].map { .file(index, $0) } ?? .missing
    }
    let key = Path(path)
    if let file = files[key] { return .file(key, file) }
    return files[Path(path + Array("/index.html".utf8))] == nil ? .missing : .folder
  }

  func file(_ path: String) -> (Path, File)? {
    let key = Path(Array(path.utf8))
    return files[key].map { (key, $0) }
  }

  /// The addresses under which pages and files differ from an older snapshot's, sorted by bytes; nil if
  /// there are more than `limit`.
  func addresses(changedSince old: Snapshot, limit: Int) -> [String]? {
    var changed: [Path] = []
    for (path, file) in files where old.files[path] != file {
      changed.append(path)
      if changed.count > limit { return nil }
    }
    for path in old.files.keys where files[path] == nil {
      changed.append(path)
      if changed.count > limit { return nil }
    }
    return changed.map(address).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The address of a file: an index page's is its folder's.
  private func address(of path: Path) -> String {
    var bytes = path.bytes[...]
    let index = Array("index.html".utf8)
    if bytes == index[...] || bytes.suffix(index.count + 1) == [UInt8(ascii: "/")] + index {
      bytes = bytes.dropLast(index.count)
    }
    var address = ByteBuffer(capacity: bytes.count + 16)
    address.append(text: base.address)
    address.append(percentEncodedPath: Array(bytes).span)
    return address.string
  }
}

/// A path inside the site, as bytes: two names that differ only in normalisation stay two.
struct Path: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
