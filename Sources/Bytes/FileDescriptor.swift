import Glibc

/// An open file, closed when its owner lets go of it.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number by which the system knows the file.
  public private(set) var number: Int32
  /// The path it was opened by, for messages.
  public let path: String
  /// What the system knew about the file when it was opened for reading.
  private let opened: FileStatus?

  /// Takes over an open descriptor.
  public init(owning number: Int32, path: String) {
    self.init(owning: number, path: path, opened: nil)
  }

  private init(owning number: Int32, path: String, opened: FileStatus?) {
    self.number = number
    self.path = path
    self.opened = opened
  }

  deinit {
    if number >= 0 { Glibc.close(number) }
  }

  /// Opens an existing ordinary file for reading; a pipe, device or folder is an error.
  ///
  /// With `followsLinks` false a symbolic link as the last component is an error (ELOOP).
  public init(reading path: String, followsLinks: Bool = true) throws(FileError) {
    // O_NONBLOCK: a named pipe must not hold us up; it means nothing for ordinary files.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
    let number = try withPath(path, "read") { path in
      retryingInterrupted { Glibc.open(path, flags) }
    }
    guard number >= 0 else { throw FileError(path: path, operation: "read", code: errno) }
    var raw = stat()
    guard fstat(number, &raw) == 0 else {
      let code = errno
      Glibc.close(number)
      throw FileError(path: path, operation: "read", code: code)
    }
    let kind = FileKind(mode: raw.st_mode)
    guard kind == .file else {
      Glibc.close(number)
      throw FileError(path: path, operation: "read", code: kind == .directory ? EISDIR : 0)
    }
    self.init(owning: number, path: path, opened: FileStatus(raw))
  }

  /// What the system knew about the file when it was opened for reading; else what it knows now.
  public func statusWhenOpened() throws(FileError) -> FileStatus {
    if let opened { return opened }
    return try status()
  }

  /// What the system knows about the open file.
  public func status() throws(FileError) -> FileStatus {
    var raw = stat()
    guard fstat(number, &raw) == 0 else {
      throw FileError(path: path, operation: "read", code: errno)
    }
    return FileStatus(raw)
  }

  /// Reads up to `into.count` bytes at `offset`; fewer only at the end of the file.
  public func read(
    into memory: UnsafeMutableRawBufferPointer,
    at offset: Int
  ) throws(FileError) -> Int {
    guard let base = memory.baseAddress else { return 0 }
    guard offset >= 0 else { throw FileError(path: path, operation: "read", code: EINVAL) }
    var done = 0
    while done < memory.count {
      let (position, overflow) = offset.addingReportingOverflow(done)
      guard !overflow else { throw FileError(path: path, operation: "read", code: EINVAL) }
      let got = Glibc.pread(number, base + done, memory.count - done, position)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileError(path: path, operation: "read", code: errno) }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Up to `count` bytes from `offset` on; fewer only at the end of the file.
  public func read(count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { memory, filled in
      do throws(FileError) {
        let wanted = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(memory)[..<max(count, 0)]
        )
        filled = try read(into: wanted, at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Appends up to `count` bytes from `offset` on to `buffer`; returns how many, fewer only at the
  /// end of the file.
  @discardableResult
  public func read(
    count: Int,
    at offset: Int,
    into buffer: inout ByteBuffer
  ) throws(FileError) -> Int {
    try buffer.appendUninitialized(max(count, 0)) { memory throws(FileError) in
      try read(into: memory, at: offset)
    }
  }

  /// Writes all bytes at the current position.
  public func write(_ bytes: Span<UInt8>) throws(FileError) {
    let code = bytes.withUnsafeBytes { writeAll($0, to: number) }
    guard code == 0 else { throw FileError(path: path, operation: "write", code: code) }
  }

  /// Waits until the bytes are on the disk.
  public func synchronize() throws(FileError) {
    guard retryingInterrupted({ fsync(number) }) == 0 else {
      throw FileError(path: path, operation: "write", code: errno)
    }
  }

  /// Closes a written file; some file systems report a failed write only here.
  public consuming func close() throws(FileError) {
    let result = Glibc.close(number)
    let code = errno
    number = -1
    // After EINTR the descriptor is closed on Linux; closing again could hit another file.
    guard result == 0 || code == EINTR else {
      throw FileError(path: path, operation: "write", code: code)
    }
  }
}

/// Calls `body` again as long as a signal interrupts it.
@inline(__always)
func retryingInterrupted(_ body: () -> Int32) -> Int32 {
  while true {
    let result = body()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Writes everything in as many calls as it takes; returns 0 or the error number.
func writeAll(_ bytes: UnsafeRawBufferPointer, to number: Int32) -> Int32 {
  guard let base = bytes.baseAddress else { return 0 }
  var done = 0
  while done < bytes.count {
    let written = Glibc.write(number, base + done, bytes.count - done)
    if written > 0 {
      done += written
    } else if written == 0 {
      return EIO
    } else if errno == EAGAIN {
      var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      _ = poll(&waiting, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}
