import Archive
import Bytes
import Glibc

/// The state of everything that a build reads, as one number: where it is that of the last build,
/// nothing has to be read.
///
/// It goes by what the system says of each file: size, times, inode. A program can set the time of the
/// last write back, but not that of the last change.
struct InputState: Sendable {
  /// 0 where a file was changed so lately that another change could pass unseen.
  let key: UInt64
  /// When the look began, by the clock that stamps files.
  let started: Int64
  /// What stood in the content's folders, until `takeListings()`.
  private var listings: FolderListings

  /// Steps of the clock that are waited for files to come of age.
  private static let patience = 4
  private static let step: UInt32 = 12_000

  /// Looks at the archive, its configuration read, and at the program itself.
  init(_ options: BuildOptions, _ configuration: Configuration, jobs: Int) async {
    var attempt = 0
    while true {
      let now = FileClock.now
      var walk = InputWalk(root: options.root)
      walk.add(options)
      walk.hash.add(configuration.timeZone.fingerprint)
      walk.addFile("stillfeed.yml")
      walk.addFile("stillfeed.yaml")
      await walk.addTree("Content", jobs: jobs)
      let listings = walk.listings
      await walk.addTree(configuration.theme, jobs: jobs)
      let isYoung = FileClock.isYoung(walk.newest, at: now, within: 0)
      let isSoonOld = walk.newest < now + 1_000_000_000 && walk.newest % 1_000_000_000 != 0
      if isYoung, isSoonOld, attempt < Self.patience {
        attempt += 1
        usleep(Self.step)
        continue
      }
      started = now
      key = isYoung || !walk.isWhole ? 0 : max(walk.hash.value, 1)
      self.listings = listings
      return
    }
  }

  /// What stood in the content's folders, for those who read it next; nothing is kept of it.
  mutating func takeListings() -> FolderListings {
    defer { listings = [:] }
    return listings
  }

  /// The running program: another one may write other pages.
  static var program: UInt64 {
    var hash = KeyHash()
    if let status = FileSystem.statusFollowingLinks("/proc/self/exe") {
      hash.add(status.size)
      hash.add(Int(status.modified))
      hash.add(status.inode)
    }
    return hash.value
  }
}

/// Folds the states of files and folders into one number.
private struct InputWalk {
  let root: String
  var hash = KeyHash()
  /// The latest time of change.
  var newest = Int64.min
  /// Whether the system gave everything that is there.
  var isWhole = true
  private(set) var listings: FolderListings = [:]

  init(root: String) { self.root = root }

  mutating func add(_ options: BuildOptions) {
    hash.add(InputState.program)
    hash.add(options.baseURL != nil)
    hash.add(options.baseURL ?? "")
    hash.add(options.audience?.word ?? "")
    hash.add(options.links?.rawValue ?? "")
    hash.add(options.includesDrafts)
    hash.add(options.isStrict)
    hash.add(options.shard?.number ?? 0)
    hash.add(options.shard?.count ?? 0)
  }

  mutating func addFile(_ name: String) {
    hash.add(name)
    add(FileSystem.statusFollowingLinks("\(root)/\(name)"))
  }

  private mutating func add(_ status: FileStatus?) {
    guard let status else { return hash.add(0) }
    newest = max(newest, status.changed)
    hash.add(status.size)
    hash.add(Int(status.modified))
    hash.add(Int(status.changed))
    hash.add(status.inode)
  }

  /// Adds a folder with all that is in it, level by level; links in it are not followed.
  mutating func addTree(_ name: String, jobs: Int) async {
    var level = ["\(root)/\(name)"]
    var isTop = true
    while !level.isEmpty {
      var deeper: [String] = []
      for start in stride(from: 0, to: level.count, by: FolderLook.most) {
        let paths = Array(level[start..<min(start + FolderLook.most, level.count)])
        for folder in await FolderLook.look(at: paths, followsLinks: isTop, jobs: jobs) {
          add(folder, isTop: isTop, &deeper)
        }
      }
      level = deeper
      isTop = false
    }
  }

  private mutating func add(_ folder: FolderLook, isTop: Bool, _ deeper: inout [String]) {
    hash.add(folder.path)
    hash.add(folder.status.map { Int($0.mode) } ?? -1)
    guard folder.isWhole else {
      // An archive needs no theme of its own.
      if !isTop || folder.status != nil { isWhole = false }
      return
    }
    for entry in folder.entries {
      hash.add(entry.name)
      switch entry.kind {
      case .directory: deeper.append("\(folder.path)/\(entry.name)")
      case .file, .link, .other: add(entry.status)
      case .unreadableName: hash.add(1)
      }
    }
    listings[folder.path] = folder.entries
  }
}
