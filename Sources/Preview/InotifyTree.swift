import Bytes
import Glibc

/// Folders watched with inotify(7), which tells of one folder at a time: folders that appear are added,
/// and what is in them already counts as changed.
struct InotifyTree: ~Copyable {
  private static let events =
    UInt32(IN_CREATE) | UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE)
    | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)

  private let plan: WatchPlan
  private let queue: FileDescriptor
  /// Watched folders by their numbers, and back.
  ///
  /// The root is the empty path.
  private var folders: [Int32: String] = [:]
  private var numbers: [String: Int32] = [:]
  /// Set when the system's bound on watches is reached.
  private(set) var isIncomplete = false

  /// Fails if the system gives no queue.
  init(_ plan: WatchPlan) throws(FileError) {
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard number >= 0 else { throw FileError(path: plan.root, operation: "watch", code: errno) }
    queue = FileDescriptor(owning: number, path: plan.root)
    self.plan = plan
    watchAll()
  }

  /// To be polled for reading.
  var descriptor: Int32 { queue.number }

  var watchedFolders: Set<String> { Set(numbers.keys) }

  private mutating func watchAll() {
    _ = watch("")
    for name in plan.names.sorted() { _ = add(name) }
  }

  private mutating func watch(_ path: String) -> Bool {
    let number = inotify_add_watch(queue.number, plan.fullPath(path), Self.events)
    guard number >= 0 else {
      if errno == ENOSPC || errno == ENOMEM { isIncomplete = true }
      return false
    }
    // A folder that was moved keeps its number.
    if let old = folders[number], old != path { numbers[old] = nil }
    folders[number] = path
    numbers[path] = number
    return true
  }

  /// Watches a folder and those below it; returns the files that are there already.
  private mutating func add(_ path: String) -> [String] {
    var files: [String] = []
    var waiting = [path]
    while let folder = waiting.popLast() {
      guard !plan.isOutput(plan.fullPath(folder)), watch(folder) else { continue }
      // Listed after it is watched, so that nothing falls between.
      for entry in (try? FileSystem.list(plan.fullPath(folder))) ?? []
      where !WatchPlan.ignores(entry.name) {
        let child = "\(folder)/\(entry.name)"
        switch entry.kind {
        case .directory: waiting.append(child)
        case .file, .link: files.append(child)
        case .other, .unreadableName: break
        }
      }
    }
    return files
  }

  /// Forgets a folder that has gone elsewhere, and those below it.
  private mutating func drop(_ path: String) {
    for (folder, number) in numbers where folder == path || folder.isInside(path) {
      inotify_rm_watch(queue.number, number)
      numbers[folder] = nil
      folders[number] = nil
    }
  }

  /// Reads all that has happened since the last time.
  mutating func read() -> Changes {
    var changes = Changes()
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let got = Glibc.read(queue.number, &block, block.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return changes }
      var offset = 0
      // Each event: watch, mask, cookie, length of the name (32 bits each), the name padded with NUL.
      while offset + 16 <= got {
        let (number, mask, length) = block.withUnsafeBytes { bytes in
          (
            bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self),
            bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
            Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          )
        }
        let end = min(offset + 16 + length, got)
        let name = String(
          decoding: block[(offset + 16)..<end].prefix { $0 != 0 },
          as: UTF8.self
        )
        offset = end
        note(number, mask, name, &changes)
      }
    }
  }

  private mutating func note(
    _ number: Int32,
    _ mask: UInt32,
    _ name: String,
    _ changes: inout Changes
  ) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      // Some events were lost: folders may have come, so all are gone through again.
      watchAll()
      changes.formUnion(.everything)
      return
    }
    guard let folder = folders[number] else { return }
    if mask & UInt32(IN_IGNORED) != 0 {
      folders[number] = nil
      if numbers[folder] == number { numbers[folder] = nil }
      return
    }
    guard !name.isEmpty, !WatchPlan.ignores(name) else { return }
    if folder.isEmpty, !plan.watchesInRoot(name) { return }
    let path = folder.isEmpty ? name : "\(folder)/\(name)"
    guard mask & UInt32(IN_ISDIR) != 0 else {
      changes.insert(path)
      // A link to a folder may stand for one of the watched names.
      if folder.isEmpty, mask & (UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) != 0 { _ = add(path) }
      return
    }
    if mask & UInt32(IN_MOVED_FROM) != 0 {
      drop(path)
      changes.insert(path)
    } else if mask & (UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) != 0 {
      for file in add(path) { changes.insert(file) }
    } else if mask & UInt32(IN_DELETE) != 0 {
      changes.insert(path)
    }
  }
}

extension String {
  /// Whether a path lies below a folder's.
  fileprivate func isInside(_ folder: String) -> Bool {
    utf8.count > folder.utf8.count && utf8.starts(with: folder.utf8)
      && utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
  }
}
