import Glibc

/// The right to change something that several processes share, held until its owner lets go of it.
///
/// It is an advisory lock on an open file (`flock`): when the process dies, however it dies, the
/// kernel gives the lock back, so that none is ever left behind. The file stays and says nothing.
public struct FileLock: ~Copyable, Sendable {
  private let file: FileDescriptor

  /// Takes the lock, waiting while another process has it.
  ///
  /// - Parameters:
  ///   - path: The lock file, made if it isn't there; its folder must be.
  ///   - patience: How long to wait, in milliseconds.
  ///   - onWait: Called once when the wait takes longer than half a second.
  /// - Returns: Nil where another process still has the lock after that time.
  /// - Throws: Where the file can't be made or opened.
  public static func take(
    _ path: String,
    patience: Int,
    onWait: () -> Void = {}
  ) throws(FileError) -> FileLock? {
    let start = milliseconds()
    var hasTold = false
    var pause = 1
    while true {
      if let file = try attempt(path) { return FileLock(file: file) }
      let waited = milliseconds() - start
      if waited >= patience { return nil }
      if waited > 500, !hasTold {
        hasTold = true
        onWait()
      }
      // Processes that came together shall not knock together.
      let jitter = Int(truncatingIfNeeded: UInt64.random(in: 0...UInt64(pause)))
      var time = timespec(tv_sec: 0, tv_nsec: (pause + jitter) * 500_000)
      nanosleep(&time, nil)
      pause = min(pause * 2, 16)
    }
  }

  private init(file: consuming FileDescriptor) { self.file = file }

  /// Lets go of the lock; what stands before it in the program is done under the lock.
  public consuming func release() {}

  private static func attempt(_ path: String) throws(FileError) -> FileDescriptor? {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let number = try withPath(path, "lock") { path in
      retryingInterrupted { Glibc.open(path, flags, 0o666) }
    }
    guard number >= 0 else { throw FileError(path: path, operation: "lock", code: errno) }
    let file = FileDescriptor(owning: number, path: path)
    guard retryingInterrupted({ flock(number, LOCK_EX | LOCK_NB) }) == 0 else {
      if errno == EWOULDBLOCK { return nil }
      throw FileError(path: path, operation: "lock", code: errno)
    }
    // Somebody may have removed the file, and others lock a new one.
    let status = try file.status()
    guard let named = FileSystem.status(path), named.inode == status.inode,
      named.device == status.device
    else { return nil }
    return file
  }

  private static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }
}
