import Bytes
import Glibc

/// Keeps the files of the newest finished build under names of its own, as hard links, so that the next
/// build can change the site's folder while the old one is served whole.
///
/// Its folder is removed at the end; that of a killed preview by the next one.
final class SnapshotStore {
  private let site: String
  /// `CACHE/PROCESS.N`, held by a lock on the file `lock` in it.
  let folder: String
  private let lock: FileDescriptor
  private var kept: [Path: Snapshot.File] = [:]
  private var nextNumber = 1
  private var version = 0

  init(site: String, cache: String) throws(FileError) {
    self.site = site
    try FileSystem.makeDirectories(cache)
    Self.removeLeftovers(in: cache)
    var attempt = 0
    while true {
      let folder = "\(cache)/\(getpid()).\(attempt)"
      if mkdir(folder, 0o700) == 0 {
        self.folder = folder
        break
      }
      attempt += 1
      guard errno == EEXIST, attempt < 1000 else {
        throw FileError(path: folder, operation: "create", code: errno)
      }
    }
    let path = folder + "/lock"
    let number = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw FileError(path: path, operation: "create", code: errno) }
    lock = FileDescriptor(owning: number, path: path)
    _ = flock(lock.number, LOCK_EX | LOCK_NB)
  }

  /// Takes the site's folder as it is now for a finished build.
  ///
  /// - Returns: The new snapshot, and the numbers of files that it no longer needs: remove them when
  ///   it has been published.
  func take(base: BasePath) throws(FileError) -> (Snapshot, unneeded: [Int]) {
    var files: [Path: Snapshot.File] = [:]
    files.reserveCapacity(kept.count)
    try forEachFile { path, status throws(FileError) in
      let key = Path(Array(path.utf8))
      if let old = kept[key], old.isSame(as: status) {
        files[key] = old
      } else if let file = try keep(path, status) {
        files[key] = file
      }
    }
    let unneeded = kept.filter { files[$0.key]?.number != $0.value.number }.map(\.value.number)
    version += 1
    kept = files
    return (Snapshot(version: version, base: base, files: files), unneeded)
  }

  /// Calls `body` with the path inside the site and the status of each ordinary file, in no fixed order.
  ///
  /// Links, pipes, devices and names with a leading point (but `.well-known`) are left out.
  private func forEachFile(
    _ body: (String, FileStatus) throws(FileError) -> Void
  ) throws(FileError) {
    var folders = [""]
    while let folder = folders.popLast() {
      let entries: [DirectoryEntry]
      do throws(FileError) {
        entries = try FileSystem.list(
          folder.isEmpty ? site : "\(site)/\(folder)",
          followsLinks: folder.isEmpty
        )
      } catch {
        // One folder that may not be read hides its files, not the site.
        if folder.isEmpty { throw error }
        continue
      }
      for entry in entries {
        if entry.name.utf8.first == UInt8(ascii: "."), entry.name != ".well-known" { continue }
        let path = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
        switch entry.kind {
        case .directory: folders.append(path)
        case .file:
          guard let status = FileSystem.status("\(site)/\(path)"), status.kind == .file else {
            continue
          }
          try body(path, status)
        case .link, .other, .unreadableName: break
        }
      }
    }
  }

  /// Links a file under a new number, or copies it where links can't be had; nil if it has gone or may
  /// not be read.
  private func keep(_ path: String, _ status: FileStatus) throws(FileError) -> Snapshot.File? {
    let number = nextNumber
    nextNumber += 1
    let source = "\(site)/\(path)"
    let target = "\(folder)/\(number)"
    if link(source, target) == 0 {
      guard let kept = FileSystem.status(target), kept.kind == .file else {
        unlink(target)
        return nil
      }
      return Snapshot.File(
        number: number,
        size: kept.size,
        modified: kept.modified,
        inode: kept.inode,
        device: kept.device
      )
    }
    if errno == ENOENT { return nil }
    do throws(FileError) {
      try copy(source, to: target)
    } catch {
      if error.code == ENOSPC || error.code == EDQUOT { throw error }
      return nil
    }
    return Snapshot.File(
      number: number,
      size: status.size,
      modified: status.modified,
      inode: status.inode,
      device: status.device
    )
  }

  private func copy(_ source: String, to target: String) throws(FileError) {
    let file = try FileDescriptor(reading: source, followsLinks: false)
    let number = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw FileError(path: target, operation: "write", code: errno) }
    let copy = FileDescriptor(owning: number, path: target)
    var offset = 0
    while true {
      let block = try file.read(count: 256 * 1024, at: offset)
      if block.isEmpty { break }
      try copy.write(block.span)
      offset += block.count
    }
    try copy.close()
  }

  func remove(_ numbers: [Int]) {
    for number in numbers { unlink("\(folder)/\(number)") }
  }

  /// Removes everything the store has kept.
  func close() { Self.removeFolder(folder) }

  /// Removes the folders of previews that were killed: nobody holds their locks.
  private static func removeLeftovers(in cache: String) {
    guard let entries = try? FileSystem.list(cache) else { return }
    for entry in entries where entry.kind == .directory {
      let folder = "\(cache)/\(entry.name)"
      let number = open(folder + "/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard number >= 0 else { continue }
      if flock(number, LOCK_EX | LOCK_NB) == 0 { removeFolder(folder) }
      Glibc.close(number)
    }
  }

  private static func removeFolder(_ folder: String) {
    for entry in (try? FileSystem.list(folder)) ?? [] where entry.name != "lock" {
      unlink("\(folder)/\(entry.name)")
    }
    unlink(folder + "/lock")
    rmdir(folder)
  }
}
