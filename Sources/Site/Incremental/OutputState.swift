import Bytes
import Glibc

/// What the last build knew about a file that it left in the output folder.
struct OutputState: Hashable, Sendable {
  /// Bytes.
  var size: Int = 0
  /// XXH3 of the content.
  var content: UInt64 = 0
  /// Nanoseconds since 1970.
  var modified: Int64 = 0
  /// Nanoseconds since 1970; no program can set it back.
  var changed: Int64 = 0
  /// 0 where the times can't be trusted, and the content decides.
  ///
  /// So it is where the file was written so lately that a later change may have the same times (git's
  /// index knows such files too).
  var inode: UInt64 = 0

  /// Of a file that nobody has looked at.
  static let unknown = Self(content: 0, size: -1, nil)

  /// Whether somebody has looked at the file.
  var isKnown: Bool { size >= 0 }

  init() {}

  init(_ bytes: Span<UInt8>, _ status: FileStatus?) {
    self.init(content: Fingerprint.of(bytes), size: bytes.count, status)
  }

  init(content: UInt64, size: Int, _ status: FileStatus?) {
    self.size = size
    self.content = content
    guard let status, status.kind == .file, status.size == size else { return }
    modified = status.modified
    changed = status.changed
    inode = status.inode
  }

  /// The state with the times distrusted if they are too young at `now`.
  func sealed(at now: Int64) -> Self {
    var state = self
    if FileClock.isYoung(changed, at: now) { state.inode = 0 }
    return state
  }
}

/// The clock by which the system stamps files.
enum FileClock {
  /// Stamps come in steps of at most 10 ms; the rest is for good measure.
  private static let step: Int64 = 50_000_000

  /// Nanoseconds since 1970, as a file written now would be stamped.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Whether a file with this time of change may change again and keep the time.
  ///
  /// File systems that count whole seconds, or two, show it by their numbers.
  static func isYoung(_ changed: Int64, at now: Int64, within step: Int64 = FileClock.step) -> Bool
  {
    let isCoarse = changed % 1_000_000_000 == 0
    return changed >= now - (isCoarse ? 3_000_000_000 : step)
  }
}

extension Folder {
  /// What stands at `name` now, if it is what stood there: by its times, else by its content.
  func verified(_ name: String, _ known: OutputState) -> OutputState? {
    guard let status = status(name), status.kind == .file, status.size == known.size else {
      return nil
    }
    if known.inode != 0, status.inode == known.inode, status.modified == known.modified,
      status.changed == known.changed
    {
      return known
    }
    guard let bytes = try? FileSystem.read("\(path)/\(name)", followsLinks: false) else {
      return nil
    }
    let state = OutputState(bytes.span, status)
    return state.content == known.content && state.size == known.size ? state : nil
  }
}
