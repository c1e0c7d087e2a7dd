import Archive
import Bytes
import Glibc
import Synchronization

/// Writes the files of a site, and nothing outside its folder.
///
/// A site that isn't there yet is written into a folder beside it, which gets its name when all is
/// done; in one that is there, each file is replaced as one step. So a page is never seen half.
/// Used by all workers at once; one build at a time has the folder.
final class OutputWriter: Sendable {
  private struct Tally: Sendable {
    var written = 0
    var folders = KnownFolders()
  }

  /// Milliseconds to wait for another build.
  private static let patience = 60_000

  /// The output folder as an absolute path.
  let path: String
  private let state: StateFolder
  private let folder: Folder
  private let shard: Shard?
  /// Where a site that isn't there yet is written; nil if it is there.
  private let staging: String?
  private let tally = Mutex(Tally())
  private let lock: FileLock
  /// What the last build left; nil where there was none, or its site has gone.
  let previous: Manifest?
  /// What a build that was broken off may have written.
  private let abandoned: [String]

  /// Opens the folder, waiting while another build has it.
  ///
  /// `planned` are the files that this build may write, sorted: should it be broken off, the next one
  /// removes what is no longer wanted of them. Shards write beside each other into one folder.
  init(
    _ output: String,
    state: StateFolder,
    planned: Manifest.Files,
    shard: Shard? = nil
  ) throws {
    path = AbsolutePath.of(output)
    self.state = state
    self.shard = shard
    try state.create()
    guard let lock = try FileLock.take(state.lock(ofOutput: path), patience: Self.patience) else {
      throw BuildFailure.refused([
        Diagnostic(
          .error,
          headline: "Another build is writing '\(output)'",
          suggestion: "try again when it is done"
        )
      ])
    }
    self.lock = lock
    let pending = Manifest(readingFrom: state.pending(ofOutput: path))
    abandoned = pending?.paths ?? []
    if pending != nil, shard == nil { try FileTree.removeTemporaryFiles(below: path) }
    let old =
      Manifest(readingFrom: state.manifest(ofOutput: path))
      ?? Manifest(readingFrom: state.copy(ofOutput: path))
    try Self.unknown(planned, old, abandoned)
      .write(to: state.pending(ofOutput: path), isDurable: false)
    if shard != nil { try FileSystem.makeDirectories(path) }
    let staging = AbsolutePath.sibling(of: path, prefix: ".", suffix: ".stillfeed-new")
    if shard == nil { try FileTree.remove(staging) }
    if try FileSystem.existing(path) == nil {
      self.staging = staging
      previous = nil
      try FileSystem.makeDirectories(staging)
      folder = try Folder(opening: staging)
    } else {
      self.staging = nil
      previous = old
      folder = try Folder(opening: path)
    }
  }

  /// What may stand there after this build that the last one did not write, sorted.
  private static func unknown(
    _ planned: Manifest.Files,
    _ old: Manifest?,
    _ abandoned: [String]
  ) -> Manifest {
    var unknown = Manifest()
    unknown.files = planned
    if let old { unknown.files.subtract(old.files) }
    for path in abandoned where planned.position(of: path) == nil {
      unknown.files.append(Manifest.File(path: path))
    }
    unknown.files.sort()
    return unknown
  }

  /// Writes a file unless it holds just these bytes; returns what stands there now.
  func write(_ bytes: Span<UInt8>, to name: String) throws(FileError) -> OutputState {
    try makeFolder(of: name)
    let (outcome, status) = try update(name, with: bytes)
    if outcome != .unchanged { tally.withLock { $0.written += 1 } }
    return OutputState(bytes, status)
  }

  /// Writes a file whose folder was made; should it be missing all the same, it is made again.
  ///
  /// Somebody may have removed it, and paths whose hashes are equal are taken for one.
  private func update(
    _ name: String,
    with bytes: Span<UInt8>
  ) throws(FileError) -> (Folder.Outcome, FileStatus?) {
    do throws(FileError) {
      return try folder.update(name, with: bytes, isNew: staging != nil)
    } catch {
      guard error.isMissing, let parent = Self.parent(of: name) else { throw error }
      try folder.makeFolders(parent)
      return try folder.update(name, with: bytes, isNew: staging != nil)
    }
  }

  /// The folder that holds a file; nil for the site's own.
  private static func parent(of name: String) -> String? { name.parentFolder }

  /// What stands in the place of a file of the last build, if it is that file.
  func verified(_ file: Manifest.File) -> OutputState? { folder.verified(file.path, file.state) }

  private func makeFolder(of name: String) throws(FileError) {
    guard let parent = Self.parent(of: name) else { return }
    guard let known = tally.withLock({ $0.folders.knownLength(of: parent) }) else { return }
    try folder.makeFolders(parent, known: known)
    tally.withLock { $0.folders.note(parent) }
  }

  /// Removes what an earlier build wrote and this one did not, gives a new site its name, and
  /// remembers the files.
  func finish(_ manifest: Manifest, into report: inout BuildReport) throws(FileError) {
    report.files = manifest.files.count
    report.bytes = manifest.files.bytes
    report.written = tally.withLock { $0.written }
    if let staging {
      try FileSystem.rename(staging, to: path)
    } else {
      var gone = previous?.files ?? Manifest.Files()
      gone.subtract(manifest.files)
      let names =
        gone.map(\.path) + abandoned.filter { manifest.files.position(of: $0) == nil }
      report.removed = try sweep(Set(names.filter { shard?.mayRemove($0) ?? true }))
    }
    try manifest.write(to: state.manifest(ofOutput: path))
    try manifest.write(to: state.copy(ofOutput: path), isDurable: false)
    try FileSystem.removeFile(state.pending(ofOutput: path))
  }

  /// Removes what stands beside the folder of a site that could not be finished.
  func discard() {
    if let staging { try? FileTree.remove(staging) }
  }

  private func sweep(_ names: Set<String>) throws(FileError) -> Int {
    var removed = 0
    var folders: Set<String> = []
    for name in names {
      guard try folder.existing(name)?.kind == .file else { continue }
      try folder.removeFile(name)
      removed += 1
      var parent = name[...]
      while let slash = parent.utf8.lastIndex(of: UInt8(ascii: "/")) {
        parent = parent[..<slash]
        folders.insert(String(parent))
      }
    }
    for name in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      _ = try? folder.removeEmptyFolder(name)
    }
    return removed
  }
}

/// Paths that do not depend on the current folder.
enum AbsolutePath {
  /// The path from the root, `.` and double slashes taken out; links are not followed.
  static func of(_ path: String) -> String {
    var parts = (path.hasPrefix("/") ? path : currentFolder + "/" + path)
      .split(separator: "/").filter { $0 != "." }
    while let up = parts.firstIndex(of: ".."), up >= 0 {
      parts.remove(at: up)
      if up > 0 { parts.remove(at: up - 1) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// A path in the same folder with something around the name.
  static func sibling(of path: String, prefix: String, suffix: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return prefix + path + suffix }
    return path[...slash] + prefix + path[path.index(after: slash)...] + suffix
  }

  private static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }
}

/// Removal in folders that this program made.
enum FileTree {
  /// Removes the temporary files that a process left behind when it died.
  static func removeTemporaryFiles(below path: String) throws(FileError) {
    guard try FileSystem.existing(path)?.kind == .directory else { return }
    var folders = [path]
    while let folder = folders.popLast() {
      for entry in try FileSystem.list(folder) {
        if entry.kind == .directory {
          folders.append("\(folder)/\(entry.name)")
        } else if entry.kind == .file, FileSystem.isTemporaryName(entry.name) {
          try FileSystem.removeFile("\(folder)/\(entry.name)")
        }
      }
    }
  }

  /// Removes a folder with all it holds.
  static func remove(_ path: String) throws(FileError) {
    guard try FileSystem.existing(path, followsLinks: false)?.kind == .directory else { return }
    var folders = [path]
    var index = 0
    while index < folders.count {
      let folder = folders[index]
      for entry in try FileSystem.list(folder) {
        if entry.kind == .directory {
          folders.append("\(folder)/\(entry.name)")
        } else {
          try FileSystem.removeFile("\(folder)/\(entry.name)")
        }
      }
      index += 1
    }
    for folder in folders.reversed() { _ = try FileSystem.removeEmptyDirectory(folder) }
  }
}
