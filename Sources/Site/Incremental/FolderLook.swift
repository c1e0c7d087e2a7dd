import Bytes

/// What stands in a folder, with what the system knows about all that is no folder itself.
struct FolderLook: Sendable {
  /// As many folders are looked at together; each is held open meanwhile.
  static let most = 64
  /// Fewer files than that are looked at by one worker.
  private static let few = 1024

  let path: String
  let status: FileStatus?
  private(set) var entries: [DirectoryEntry] = []
  private var folder: OpenFolder?

  /// Whether the system gave the folder.
  var isWhole: Bool { folder != nil }

  private init(_ path: String, followsLinks: Bool) {
    self.path = path
    status =
      followsLinks ? FileSystem.statusFollowingLinks(path) : FileSystem.status(path)
    guard let folder = try? OpenFolder(path, followsLinks: followsLinks),
      let entries = try? FileSystem.list(path, followsLinks: followsLinks)
    else { return }
    self.folder = folder
    self.entries = entries
  }

  /// Looks at some folders with a few workers; the result is in the order of `paths`.
  static func look(at paths: [String], followsLinks: Bool, jobs: Int) async -> [FolderLook] {
    var looks = await ParallelRuns.map(paths.count, jobs: jobs) { range, output in
      for index in range { output.append(FolderLook(paths[index], followsLinks: followsLinks)) }
    }
    let known = await statuses(in: looks, jobs: jobs)
    var next = 0
    for number in looks.indices {
      for index in looks[number].entries.indices {
        looks[number].entries[index].status = known[next]
        next += 1
      }
    }
    return looks
  }

  /// What the system knows about the entries of some folders, one after another; nil for folders.
  private static func statuses(in looks: [FolderLook], jobs: Int) async -> [FileStatus?] {
    var starts: [Int] = []
    var count = 0
    for look in looks {
      starts.append(count)
      count += look.entries.count
    }
    let bounds = starts
    return await ParallelRuns.map(count, jobs: count < few ? 1 : jobs) { range, output in
      for (look, start) in zip(looks, bounds) {
        let own = range.clamped(to: start..<start + look.entries.count)
        look.appendStatuses(of: own, start, &output)
      }
    }
  }

  /// Asks about entries by their numbers, the first of which is `start`.
  private func appendStatuses(of range: Range<Int>, _ start: Int, _ output: inout [FileStatus?]) {
    guard let folder else { return }
    for index in range {
      let entry = entries[index - start]
      switch entry.kind {
      case .file, .link, .other: output.append(folder.folder.status(entry.name))
      case .directory, .unreadableName: output.append(nil)
      }
    }
  }
}

/// A folder that several workers use.
private final class OpenFolder: Sendable {
  let folder: Folder

  init(_ path: String, followsLinks: Bool) throws(FileError) {
    folder = try Folder(opening: path, followsLinks: followsLinks)
  }
}
