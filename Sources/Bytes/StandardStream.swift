import Glibc

/// Standard output or error: every write is checked, unlike `print`, which reports success on a full
/// disk.
public struct StandardStream: Sendable {
  private let number: Int32
  private let name: String

  /// Data.
  public static let output = StandardStream(number: 1, name: "standard output")
  /// Words for people.
  public static let error = StandardStream(number: 2, name: "standard error")

  /// Keeps a closed pipe from killing the process, and a file from getting the number of a stream that
  /// is closed, whose words it would take: call it first thing.
  public static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 && errno == EBADF {
      // Opened the wrong way round, so that its use is still an error.
      _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether a person looks at it, so that colour and progress make sense.
  public var isTerminal: Bool { isatty(number) == 1 }

  /// Writes all bytes.
  ///
  /// An error with `isBrokenPipe` means that the reader has seen enough: end quietly.
  public func write(_ bytes: Span<UInt8>) throws(FileError) {
    let code = bytes.withUnsafeBytes { writeAll($0, to: number) }
    guard code == 0 else { throw FileError(path: name, operation: "write", code: code) }
  }

  /// Writes text as UTF-8.
  public func write(_ text: String) throws(FileError) { try write(Array(text.utf8).span) }

  /// Everything that standard input holds; over `limit` bytes is EFBIG.
  public static func readInput(limit: Int = .max) throws(FileError) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 64 * 1024)
    while true {
      var code: Int32 = 0
      let got = buffer.appendUninitialized(64 * 1024) { memory in
        while true {
          let got = Glibc.read(0, memory.baseAddress, memory.count)
          if got >= 0 { return got }
          guard errno == EINTR else {
            code = errno
            return 0
          }
        }
      }
      if code == 0, got == 0 { return buffer.array }
      guard code == 0, buffer.count <= limit else {
        throw FileError(path: "standard input", operation: "read", code: code == 0 ? EFBIG : code)
      }
    }
  }
}
