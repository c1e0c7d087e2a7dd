import Bytes
import Glibc
import Synchronization

/// What is kept of the content between runs, in a folder `harvest` of the state folder.
///
/// A file of it is used only where it was made by this program, here, from the same bytes; anything
/// else is as if it weren't there. See docs/architecture.md, "Reading again".
public struct ContentCache: Sendable {
  let folder: String
  let isWritable: Bool
  /// Goes into every checksum: who made the files, and where.
  let seed: UInt64
  /// Nanoseconds since 1970, before anything was read.
  private let started: Int64
  private let state = State()

  /// What changes while a run goes on.
  private final class State: Sendable {
    /// Set once something can't be written.
    let hasFailed = Atomic(false)
    let stored = Atomic(0)
  }

  /// The layout of the files; another number for another layout.
  private static let version: UInt64 = 4
  /// Files changed no longer than this before a run are read again, in nanoseconds: a change right
  /// after could leave the same time (file systems count in steps of up to two seconds).
  var raciness: Int64 = 2_000_000_000
  static let longestFile = 256 << 20

  /// Finds what is kept; nil where nothing can be kept there.
  ///
  /// - Parameters:
  ///   - stateFolder: An existing folder, no link.
  ///   - isWritable: False only reads what is kept.
  public init?(in stateFolder: String, isWritable: Bool = true) {
    var now = timespec()
    guard FileSystem.status(stateFolder)?.kind == .directory, let program = Self.program,
      clock_gettime(CLOCK_REALTIME, &now) == 0
    else { return nil }
    started = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    folder = stateFolder + "/harvest"
    self.isWritable = isWritable
    if isWritable { try? FileSystem.makeDirectories(folder) }
    guard FileSystem.status(folder)?.kind == .directory else { return nil }
    if isWritable { try? FileSystem.removeAbandonedFiles(in: folder, followsLinks: false) }
    // A file of this folder has a time of change that nobody can give it: where the folder was copied
    // or unpacked from elsewhere, it has another, and no checksum is right.
    let marker = folder + "/here"
    if isWritable, FileSystem.status(marker) == nil { try? FileSystem.write([], to: marker) }
    guard let here = FileSystem.status(marker), here.kind == .file else { return nil }
    var seed = Fingerprint.mix(program, Self.version)
    seed = Fingerprint.mix(seed, here.device)
    seed = Fingerprint.mix(seed, here.inode)
    self.seed = Fingerprint.mix(seed, UInt64(bitPattern: here.changed))
  }

  /// Which program this is: size, time and place of its file.
  private static let program: UInt64? = FileSystem.statusFollowingLinks("/proc/self/exe").map {
    var hash = Fingerprint.mix(UInt64(truncatingIfNeeded: $0.size), $0.inode)
    hash = Fingerprint.mix(hash, $0.device)
    return Fingerprint.mix(hash, UInt64(bitPattern: $0.modified))
  }

  /// Whether a file had not been touched for long enough when this run began.
  func isSettled(_ status: FileStatus) -> Bool {
    max(status.modified, status.changed) < started - raciness
  }

  /// A hash of what tells a file from every other and from its earlier states.
  func identity(of status: FileStatus) -> UInt64 {
    var hash = Fingerprint.mix(status.inode, status.device)
    hash = Fingerprint.mix(hash, UInt64(truncatingIfNeeded: status.size))
    hash = Fingerprint.mix(hash, UInt64(bitPattern: status.modified))
    return Fingerprint.mix(hash, UInt64(bitPattern: status.changed))
  }
}

extension ContentCache {
  private static let headerSize = 16

  private func path(_ name: UInt64) -> String { "\(folder)/\(Self.fileName(name))" }

  private static func fileName(_ name: UInt64) -> String {
    var text = ByteBuffer(capacity: 32)
    text.append("h-")
    text.append(hexadecimal: name)
    return text.string
  }

  /// Reads what was kept under a name; nil where that is not of `identity` or not whole.
  ///
  /// The bytes stay valid until `buffer` changes.
  func load(_ name: UInt64, _ identity: UInt64, into buffer: inout ByteBuffer) -> CacheCursor? {
    buffer.removeAll()
    do throws(FileError) {
      try FileSystem.read(path(name), into: &buffer, limit: Self.longestFile, followsLinks: false)
    } catch { return nil }
    let bytes = buffer.unsafeBytes
    guard bytes.count >= Self.headerSize else { return nil }
    var header = CacheCursor(bytes)
    let body = UnsafeBufferPointer(rebasing: bytes[Self.headerSize...])
    guard header.fixed() == Fingerprint.mix(identity, seed),
      header.fixed() == Fingerprint.of(body, seed: Fingerprint.mix(identity, seed))
    else { return nil }
    return CacheCursor(body)
  }

  /// Keeps what `encode` appends, unless it fails or appends more than `limit` bytes.
  ///
  /// What can't be written is not kept.
  func store(
    _ name: UInt64,
    _ identity: UInt64,
    limit: Int,
    buffer: inout ByteBuffer,
    encode: (inout ByteBuffer) -> Bool
  ) {
    guard isWritable, !state.hasFailed.load(ordering: .relaxed) else { return }
    buffer.removeAll()
    guard encode(&buffer), buffer.count <= min(limit, Self.longestFile - Self.headerSize) else {
      return
    }
    var file = ByteBuffer(capacity: buffer.count + Self.headerSize)
    let key = Fingerprint.mix(identity, seed)
    file.append(fixed: key)
    file.append(fixed: Fingerprint.of(buffer.bytes, seed: key))
    file.append(buffer.bytes)
    do throws(FileError) {
      try FileSystem.write(file.bytes, to: path(name))
      state.stored.add(1, ordering: .relaxed)
    } catch {
      state.hasFailed.store(true, ordering: .relaxed)
    }
  }

  /// Removes what this run neither found nor kept, if it kept anything.
  func sweep(keeping names: Set<UInt64>) {
    guard isWritable, state.stored.load(ordering: .relaxed) > 0,
      let entries = try? FileSystem.list(folder, followsLinks: false)
    else { return }
    let kept = Set(names.map { Self.fileName($0) })
    for entry in entries where entry.kind == .file && entry.name.utf8.starts(with: "h-".utf8) {
      if !kept.contains(entry.name) { try? FileSystem.removeFile("\(folder)/\(entry.name)") }
    }
  }
}
