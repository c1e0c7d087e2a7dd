import Glibc

/// Files by path.
///
/// Errors carry the path; every call is restarted after a signal.
public enum FileSystem {
  /// The whole content of an ordinary file; over `limit` bytes is EFBIG.
  public static func read(
    _ path: String,
    limit: Int = .max,
    followsLinks: Bool = true
  ) throws(FileError) -> [UInt8] {
    let file = try FileDescriptor(reading: path, followsLinks: followsLinks)
    var wanted = try file.sizeToRead(limit: limit)
    var bytes: [UInt8] = []
    // One byte more than the size, so that the end shows itself. A file of /proc says 0 and a growing
    // one too little: go on until it ends.
    while true {
      let block = try file.read(count: wanted + 1, at: bytes.count)
      if bytes.isEmpty { bytes = block } else { bytes += block }
      guard bytes.count <= limit else {
        throw FileError(path: path, operation: "read", code: EFBIG)
      }
      if block.count <= wanted { return bytes }
      wanted = 64 * 1024
    }
  }

  /// Appends the whole content of an ordinary file to `buffer`.
  public static func read(
    _ path: String,
    into buffer: inout ByteBuffer,
    limit: Int = .max,
    followsLinks: Bool = true
  ) throws(FileError) {
    let file = try FileDescriptor(reading: path, followsLinks: followsLinks)
    var wanted = try file.sizeToRead(limit: limit)
    var done = 0
    while true {
      let got = try buffer.appendUninitialized(wanted + 1) { memory throws(FileError) in
        try file.read(into: memory, at: done)
      }
      done += got
      guard done <= limit else { throw FileError(path: path, operation: "read", code: EFBIG) }
      if got <= wanted { return }
      wanted = 64 * 1024
    }
  }

  /// The names in a folder, sorted by bytes, without `.` and `..`.
  public static func list(
    _ path: String,
    followsLinks: Bool = true
  ) throws(FileError) -> [DirectoryEntry] {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let number = try withPath(path, "list") { path in
      retryingInterrupted { Glibc.open(path, flags) }
    }
    guard number >= 0 else { throw FileError(path: path, operation: "list", code: errno) }
    return try DirectoryReader.entries(takingOver: number, path: path)
  }

  /// What stands at `path`, nil if nothing does or the system doesn't say; a symbolic link is itself
  /// (`lstat`).
  public static func status(_ path: String) -> FileStatus? {
    (try? existing(path, followsLinks: false)) ?? nil
  }

  /// What stands at `path` or where the link there leads to, nil if nothing does or the system doesn't
  /// say.
  public static func statusFollowingLinks(_ path: String) -> FileStatus? {
    (try? existing(path)) ?? nil
  }

  /// What stands at `path`, nil only if nothing does: for what must not be taken for missing because
  /// the system fails.
  public static func existing(
    _ path: String,
    followsLinks: Bool = true
  ) throws(FileError) -> FileStatus? {
    var raw = stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    guard let result = try? withPath(path, "read", { fstatat(AT_FDCWD, $0, &raw, flags) })
    else { return nil }
    if result == 0 { return FileStatus(raw) }
    let error = FileError(path: path, operation: "read", code: errno)
    if error.isFailure { throw error }
    return nil
  }

  /// Whether a folder, or a link to one, stands at `path`.
  public static func isDirectory(_ path: String) -> Bool {
    statusFollowingLinks(path)?.kind == .directory
  }

  /// As ``isDirectory(_:)``, for what must not be taken for missing because the system fails.
  public static func directoryExists(_ path: String) throws(FileError) -> Bool {
    try existing(path)?.kind == .directory
  }

  /// Makes a folder and the folders above it; what is already there is fine.
  public static func makeDirectories(_ path: String) throws(FileError) {
    // Most often the folder is there, or only the last one is missing.
    var missing: [String] = []
    var current = path
    while true {
      let result = try withPath(current, "create") { mkdir($0, 0o777) }
      if result == 0 || (errno == EEXIST && isDirectory(current)) { break }
      guard errno == ENOENT, let parent = parent(of: current) else {
        throw FileError(path: current, operation: "create", code: errno == EEXIST ? ENOTDIR : errno)
      }
      missing.append(current)
      current = parent
    }
    for folder in missing.reversed() {
      let result = try withPath(folder, "create") { mkdir($0, 0o777) }
      guard result == 0 || (errno == EEXIST && isDirectory(folder)) else {
        throw FileError(path: folder, operation: "create", code: errno)
      }
    }
  }

  /// The path before the last component, nil where there is none.
  private static func parent(of path: String) -> String? {
    var bytes = path.utf8[...]
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    bytes = bytes[..<slash]
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(Substring(bytes))
  }

  /// Removes a file or a link; nothing there is fine.
  public static func removeFile(_ path: String) throws(FileError) {
    try check(path, "remove", ignoring: ENOENT) { unlink($0) }
  }

  /// Removes a folder if it is empty; returns whether it is gone.
  @discardableResult
  public static func removeEmptyDirectory(_ path: String) throws(FileError) -> Bool {
    let result = try withPath(path, "remove") { rmdir($0) }
    if result == 0 || errno == ENOENT { return true }
    if errno == ENOTEMPTY || errno == EEXIST { return false }
    throw FileError(path: path, operation: "remove", code: errno)
  }

  /// Gives a file or folder another name, in place of what has that name.
  public static func rename(_ path: String, to newPath: String) throws(FileError) {
    let code = try withPath(path, "rename") { old in
      Result { () throws(FileError) in
        try withPath(newPath, "rename") { Glibc.rename(old, $0) == 0 ? 0 : errno }
      }
    }.get()
    guard code == 0 else { throw FileError(path: path, operation: "rename", code: code) }
  }

  private static func check(
    _ path: String,
    _ operation: StaticString,
    ignoring ignored: Int32 = 0,
    _ call: (UnsafePointer<CChar>) -> Int32
  ) throws(FileError) {
    guard try withPath(path, operation, call) != 0, errno != ignored else { return }
    throw FileError(path: path, operation: "\(operation)", code: errno)
  }
}

extension FileDescriptor {
  /// The file's size, or EFBIG if it is over `limit`.
  fileprivate func sizeToRead(limit: Int) throws(FileError) -> Int {
    let size = try status().size
    guard size <= limit else { throw FileError(path: path, operation: "read", code: EFBIG) }
    return size
  }
}

extension ByteBuffer {
  /// Makes room for `count` bytes and has `fill` write the first of them; it returns how many.
  public mutating func appendUninitialized<Failure: Error>(
    _ count: Int,
    _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    reserve(count)
    let memory = UnsafeMutableRawBufferPointer(start: base + length, count: count)
    let filled = min(max(try fill(memory), 0), count)
    length += filled
    return filled
  }
}
