import Glibc

/// An open folder: files in it are reached without resolving the path above it again, and stay
/// inside it even if that path is moved meanwhile.
///
/// `name` may be a relative path of several components, none of them empty, `.` or `..` (EINVAL). The
/// last component is never followed when it
/// is a symbolic link; folders on the way that ``makeFolders(_:)`` made or checked are no links.
public struct Folder: ~Copyable, Sendable {
  let descriptor: FileDescriptor

  /// What a write came to.
  public enum Outcome: Hashable, Sendable {
    case created
    case replaced
    case unchanged
  }

  /// Opens an existing folder.
  public init(opening path: String, followsLinks: Bool = true) throws(FileError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let number = try withPath(path, "open") { path in
      retryingInterrupted { Glibc.open(path, flags) }
    }
    guard number >= 0 else { throw FileError(path: path, operation: "open", code: errno) }
    descriptor = FileDescriptor(owning: number, path: path)
  }

  /// The path it was opened by.
  public var path: String { descriptor.path }

  /// Calls `body` with a relative path that stays inside the folder.
  @inline(__always)
  private func withName<Result>(
    _ name: String,
    _ operation: StaticString,
    _ body: (UnsafePointer<CChar>) -> Result
  ) throws(FileError) -> Result {
    guard name.withBytes(Self.staysInside) else { throw failure(name, "\(operation)", EINVAL) }
    return name.withCString(body)
  }

  /// Whether a relative path has no empty component, no `.`, no `..` and no NUL.
  private static func staysInside(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    var length = 0
    var points = 0
    for byte in path {
      if byte == UInt8(ascii: "/") {
        if length == points, length <= 2 { return false }
        length = 0
        points = 0
      } else {
        if byte == 0 { return false }
        length &+= 1
        if byte == UInt8(ascii: ".") { points &+= 1 }
      }
    }
    return length != points || length > 2
  }

  private func fullPath(_ name: String) -> String { "\(descriptor.path)/\(name)" }

  private func failure(_ name: String, _ operation: String, _ code: Int32) -> FileError {
    FileError(path: fullPath(name), operation: operation, code: code)
  }

  /// What stands at `name`, nil if nothing does or the system doesn't say; a symbolic link is itself.
  public func status(_ name: String) -> FileStatus? { (try? existing(name)) ?? nil }

  /// What stands at `name`, nil only if nothing does; a symbolic link is itself.
  public func existing(_ name: String) throws(FileError) -> FileStatus? {
    var raw = stat()
    // Nothing stands at a name that leads out of the folder.
    let result = try? withName(name, "read") {
      fstatat(descriptor.number, $0, &raw, AT_SYMLINK_NOFOLLOW)
    }
    guard let result else { return nil }
    if result == 0 { return FileStatus(raw) }
    let error = failure(name, "read", errno)
    if error.isFailure { throw error }
    return nil
  }

  /// Makes the folders of a relative path one by one; a symbolic link on the way is an error.
  ///
  /// The first `known` bytes of the path name a folder that was made or checked before.
  public func makeFolders(_ relativePath: String, known: Int = 0) throws(FileError) {
    let length = relativePath.utf8.count
    var start = known > 0 ? min(known + 1, length) : 0
    while start < length {
      let end = relativePath.withBytes { $0[start...].firstIndex(of: UInt8(ascii: "/")) } ?? length
      let prefix = end < length ? relativePath.prefix(bytes: end) : relativePath
      start = end + 1
      let result = try withName(prefix, "create") { mkdirat(descriptor.number, $0, 0o777) }
      if result == 0 { continue }
      guard errno == EEXIST else { throw failure(prefix, "create", errno) }
      guard try existing(prefix)?.kind == .directory else {
        throw failure(prefix, "create", ENOTDIR)
      }
    }
  }

  /// Writes a file that is not there yet; returns false, and writes nothing, if there is one.
  ///
  /// Four system calls. The file has its name from the start, so a crash can leave it cut short:
  /// for what nobody sees before all of it is there.
  public func create(_ name: String, with bytes: Span<UInt8>) throws(FileError) -> Bool {
    try make(name, with: bytes) != nil
  }

  /// Does what ``create(_:with:)`` does; returns what the system knows about the new file.
  private func make(_ name: String, with bytes: Span<UInt8>) throws(FileError) -> FileStatus? {
    let number = try withName(name, "write") { name in
      retryingInterrupted {
        openat(descriptor.number, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
    }
    if number < 0, errno == EEXIST { return nil }
    guard number >= 0 else { throw failure(name, "write", errno) }
    var code = bytes.withUnsafeBytes { writeAll($0, to: number) }
    let status = Self.status(number)
    if code == 0, status?.size != bytes.count { code = EIO }
    if close(number) != 0, code == 0, errno != EINTR { code = errno }
    if code != 0 {
      _ = try withName(name, "write") { unlinkat(descriptor.number, $0, 0) }
      throw failure(name, "write", code)
    }
    return status
  }

  /// What the system knows about an open file: a write that said more than it did shows here.
  private static func status(_ number: Int32) -> FileStatus? {
    var raw = stat()
    return fstat(number, &raw) == 0 ? FileStatus(raw) : nil
  }

  /// Writes a file unless it holds just these bytes.
  ///
  /// A new file and a changed one get their name when they are whole.
  @discardableResult
  public func writeIfChanged(_ bytes: Span<UInt8>, to name: String) throws(FileError) -> Outcome {
    try update(name, with: bytes).outcome
  }

  /// Does what ``writeIfChanged(_:to:)`` does, and tells what stands there now; nil where another
  /// process took it away meanwhile.
  ///
  /// With `isNew` nothing is expected there, and nobody looks before all files are: the file is made
  /// as ``create(_:with:)`` does, which is faster.
  public func update(
    _ name: String,
    with bytes: Span<UInt8>,
    isNew: Bool = false
  ) throws(FileError) -> (outcome: Outcome, status: FileStatus?) {
    if isNew, let status = try make(name, with: bytes) { return (.created, status) }
    let outcome: Outcome
    switch try compare(name, with: bytes) {
    case .equal(let status): return (.unchanged, status)
    case .missing: outcome = .created
    case .different: outcome = .replaced
    }
    try replace(name, with: bytes)
    return (outcome, status(name))
  }

  private enum Comparison {
    case equal(FileStatus?)
    case different
    case missing
  }

  private func compare(_ name: String, with bytes: Span<UInt8>) throws(FileError) -> Comparison {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let number = try withName(name, "read") { name in
      retryingInterrupted { openat(descriptor.number, name, flags) }
    }
    guard number >= 0 else {
      if errno == ENOENT { return .missing }
      // A link, or a file that may be replaced though not read.
      if errno == ELOOP || errno == EACCES || errno == ENXIO { return .different }
      throw failure(name, "read", errno)
    }
    defer { close(number) }
    let isEqual = bytes.withUnsafeBytes { holds($0, number) }
    return isEqual ? .equal(Self.status(number)) : .different
  }

  /// Whether the open file holds just `bytes`.
  ///
  /// A file that cannot be read does not.
  private func holds(_ bytes: UnsafeRawBufferPointer, _ number: Int32) -> Bool {
    let block = 64 * 1024
    if bytes.count >= block {
      var raw = stat()
      guard fstat(number, &raw) == 0, Int(raw.st_size) == bytes.count else { return false }
    }
    // One byte more than is left, so that a longer file shows itself without a further call.
    return withUnsafeTemporaryAllocation(
      byteCount: min(bytes.count + 1, block),
      alignment: 16
    ) { memory in
      guard let start = memory.baseAddress else { return false }
      var done = 0
      while true {
        let got = Glibc.read(number, start, min(memory.count, bytes.count - done + 1))
        if got < 0, errno == EINTR { continue }
        if got == 0 { return done == bytes.count }
        guard got > 0, got <= bytes.count - done, let base = bytes.baseAddress,
          memcmp(start, base + done, got) == 0
        else { return false }
        done += got
        if done == bytes.count, got < memory.count { return true }
      }
    }
  }

  /// Replaces a file as one step: temporary file in the same folder, then rename.
  ///
  /// `isDurable` waits until file and folder are on the disk.
  public func replace(
    _ name: String,
    with bytes: Span<UInt8>,
    isDurable: Bool = false
  ) throws(FileError) {
    _ = try replace(name, with: bytes, isDurable: isDurable, path: nil) { _ in true }
  }

  /// Replaces a file durably, unless somebody else changed it meanwhile.
  ///
  /// - Parameters:
  ///   - name: A relative path.
  ///   - bytes: The new content.
  ///   - expected: What stood at `name` when the caller read it; nil for nothing. It is compared
  ///     right before the rename.
  /// - Returns: False where something else stands there now; then nothing has changed.
  /// - Throws: Where the system refuses; then the old content stands.
  public func replaceDurably(
    _ name: String,
    with bytes: Span<UInt8>,
    expecting expected: FileStatus?
  ) throws(FileError) -> Bool {
    try replace(name, with: bytes, isDurable: true, path: nil) { $0 == expected }
  }

  /// - Returns: False where `mayReplace` refused what stands there right before the rename.
  func replace(
    _ name: String,
    with bytes: Span<UInt8>,
    isDurable: Bool,
    path: String?,
    mayReplace: (FileStatus?) -> Bool
  ) throws(FileError) -> Bool {
    try replace(name, isDurable: isDurable, path: path, mayReplace: mayReplace) {
      (file) throws(FileError) in try file.append(bytes)
    }
  }

  /// As the other one; `content` writes the new content piece by piece.
  func replace(
    _ name: String,
    isDurable: Bool,
    path: String?,
    mayReplace: (FileStatus?) -> Bool,
    content: (inout NewFile) throws(FileError) -> Void
  ) throws(FileError) -> Bool {
    let path = path ?? fullPath(name)
    let slash = name.lastSlash
    let parent = slash.map { String(name[..<$0]) } ?? ""
    let temporary = (slash == nil ? "" : "\(parent)/") + FileSystem.temporaryName()
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let number = try withName(temporary, "write") { name in
      retryingInterrupted { openat(descriptor.number, name, flags, 0o666) }
    }
    guard number >= 0 else { throw FileError(path: path, operation: "write", code: errno) }
    do throws(FileError) {
      var new = NewFile(FileDescriptor(owning: number, path: path))
      if let old = status(name), old.kind == .file, old.mode != 0o644 { fchmod(number, old.mode) }
      try content(&new)
      guard Self.status(number)?.size == new.count else {
        throw FileError(path: path, operation: "write", code: EIO)
      }
      if isDurable { try new.file.synchronize() }
      try new.close()
      guard mayReplace(try existing(name)) else {
        try removeFile(temporary)
        return false
      }
      try move(temporary, to: name, path: path)
    } catch {
      _ = try withName(temporary, "write") { unlinkat(descriptor.number, $0, 0) }
      throw error
    }
    if isDurable { try synchronize(parent) }
    return true
  }

  private func move(_ old: String, to new: String, path: String) throws(FileError) {
    let result = try withName(new, "write") { new in
      old.withCString { renameat(descriptor.number, $0, descriptor.number, new) }
    }
    guard result == 0 else { throw FileError(path: path, operation: "write", code: errno) }
  }

  /// Waits until the names in a folder below this one are on the disk; the empty path is the folder
  /// itself.
  public func synchronize(_ parent: String) throws(FileError) {
    if parent.isEmpty { return try descriptor.synchronize() }
    let number = try withName(parent, "write") { parent in
      retryingInterrupted { openat(descriptor.number, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    guard number >= 0 else { throw failure(parent, "write", errno) }
    try FileDescriptor(owning: number, path: fullPath(parent)).synchronize()
  }

  /// Removes a file or a link; nothing there is fine.
  public func removeFile(_ name: String) throws(FileError) {
    let result = try withName(name, "remove") { unlinkat(descriptor.number, $0, 0) }
    guard result == 0 || errno == ENOENT else { throw failure(name, "remove", errno) }
  }

  /// Removes a folder if it is empty; returns whether it is gone.
  @discardableResult
  public func removeEmptyFolder(_ name: String) throws(FileError) -> Bool {
    let result = try withName(name, "remove") { unlinkat(descriptor.number, $0, AT_REMOVEDIR) }
    if result == 0 || errno == ENOENT { return true }
    if errno == ENOTEMPTY || errno == EEXIST { return false }
    throw failure(name, "remove", errno)
  }
}

/// A file that is written piece by piece before it gets its name.
public struct NewFile: ~Copyable {
  let file: FileDescriptor
  /// Bytes so far.
  public private(set) var count = 0

  init(_ file: consuming FileDescriptor) { self.file = file }

  /// Writes at the end.
  public mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
    try file.write(bytes)
    count += bytes.count
  }

  consuming func close() throws(FileError) { try file.close() }
}
