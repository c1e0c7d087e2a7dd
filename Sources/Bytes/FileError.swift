import Glibc

/// A system call on a file that failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path as the caller gave it.
  public let path: String
  /// A verb: `read`, `write`, `list`, `create`, `remove`, `rename`.
  public let operation: String
  /// The system's error number; 0 where the file is not an ordinary one.
  public let code: Int32

  /// Describes a failed `operation` on `path`; `code` is the value of `errno`.
  public init(path: String, operation: String, code: Int32) {
    self.path = path
    self.operation = operation
    self.code = code
  }

  /// The system's words, such as `No space left on device`.
  public var reason: String {
    if code == 0 { return "Not an ordinary file" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let start = text.baseAddress, strerror_r(code, start, text.count) == 0 else {
        return "Error \(code)"
      }
      return String(cString: start)
    }
  }

  /// Such as `cannot write 'Site/x': No space left on device`.
  public var description: String { "cannot \(operation) '\(path)': \(reason)" }

  /// Whether the file or one of its folders does not exist.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the system could not give what is there, so that nothing is known about it; not where
  /// nothing is there, or something else than was asked for.
  public var isFailure: Bool {
    switch code {
    case 0, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, ENXIO, EFBIG, EINVAL: false
    default: true
    }
  }

  /// Whether the reader at the other end of a pipe has gone.
  public var isBrokenPipe: Bool { code == EPIPE }
}

/// Calls `body` with the path for a system call; a NUL byte, which would cut it short, is EINVAL.
@inline(__always)
func withPath<Result>(
  _ path: String,
  _ operation: StaticString,
  _ body: (UnsafePointer<CChar>) -> Result
) throws(FileError) -> Result {
  let hasNUL = path.withBytes { bytes in
    bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
  }
  if hasNUL { throw FileError(path: path, operation: "\(operation)", code: EINVAL) }
  return path.withCString(body)
}
