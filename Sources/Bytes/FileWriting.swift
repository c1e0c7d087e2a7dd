import Glibc
import Synchronization

extension FileSystem {
  /// Replaces a file as one step: the bytes go to a temporary file beside it, which is then renamed.
  ///
  /// An existing file's permission bits are kept. After an error the old content stands.
  public static func write(_ bytes: Span<UInt8>, to path: String) throws(FileError) {
    let (folder, name) = split(path)
    let directory = try Folder(opening: folder)
    _ = try directory.replace(name, with: bytes, isDurable: false, path: path) { _ in true }
  }

  /// Replaces a file as one step, like ``write(_:to:)``.
  public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write(bytes.span, to: path)
  }

  /// Replaces a file as one step and waits until file and folder are on the disk.
  public static func writeDurably(_ bytes: Span<UInt8>, to path: String) throws(FileError) {
    let (folder, name) = split(path)
    let directory = try Folder(opening: folder)
    _ = try directory.replace(name, with: bytes, isDurable: true, path: path) { _ in true }
  }

  /// Replaces a file as one step by what `content` writes, piece by piece.
  ///
  /// - Parameters:
  ///   - path: Of the file.
  ///   - isDurable: Whether to wait until file and folder are on the disk.
  ///   - content: Is handed the new file.
  /// - Throws: What `content` throws, or where the system refuses; then the old content stands.
  public static func write(
    to path: String,
    isDurable: Bool,
    content: (inout NewFile) throws(FileError) -> Void
  ) throws(FileError) {
    let (folder, name) = split(path)
    let directory = try Folder(opening: folder)
    _ = try directory.replace(
      name,
      isDurable: isDurable,
      path: path,
      mayReplace: { _ in true },
      content: content
    )
  }

  /// Replaces a file as one step and waits until file and folder are on the disk.
  public static func writeDurably(_ bytes: [UInt8], to path: String) throws(FileError) {
    try writeDurably(bytes.span, to: path)
  }

  /// Replaces a file unless it holds just these bytes; returns whether it wrote.
  @discardableResult
  public static func writeIfChanged(
    _ bytes: Span<UInt8>,
    to path: String
  ) throws(FileError) -> Bool {
    let (folder, name) = split(path)
    let directory = try Folder(opening: folder)
    return try directory.writeIfChanged(bytes, to: name) != .unchanged
  }

  /// Replaces a file unless it holds just these bytes; returns whether it wrote.
  @discardableResult
  public static func writeIfChanged(_ bytes: [UInt8], to path: String) throws(FileError) -> Bool {
    try writeIfChanged(bytes.span, to: path)
  }

  /// Whether a name is one that our own temporary files have; such files are never content.
  public static func isTemporaryName(_ name: String) -> Bool {
    name.utf8.starts(with: temporaryPrefix.utf8)
  }

  /// Removes the temporary files that killed processes left in a folder; those of running ones stay.
  ///
  /// For when this process writes nothing there: what bears its own number is left over, too.
  public static func removeAbandonedFiles(
    in folder: String,
    followsLinks: Bool = true
  ) throws(FileError) {
    for entry in try list(folder, followsLinks: followsLinks)
    where entry.kind == .file && isTemporaryName(entry.name) {
      let digits = entry.name.utf8.dropFirst(temporaryPrefix.utf8.count)
        .prefix { (0x30...0x39).contains($0) }
      guard let process = pid_t(String(decoding: Array(digits), as: UTF8.self)) else { continue }
      if process == getpid() || (kill(process, 0) != 0 && errno == ESRCH) {
        try removeFile("\(folder)/\(entry.name)")
      }
    }
  }

  static let temporaryPrefix = ".stillfeed-tmp-"
  private static let temporaryNumber = Atomic<UInt64>(0)

  /// A name that no other thread of this process uses.
  static func temporaryName() -> String {
    let number = temporaryNumber.wrappingAdd(1, ordering: .relaxed).newValue
    return "\(temporaryPrefix)\(getpid())-\(number)"
  }

  /// Folder and name of a path; `.` and the path where it has no separator.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastSlash else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
  }
}
