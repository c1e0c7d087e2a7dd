import Bytes

/// What to watch for changes.
public struct WatchPlan: Sendable {
  /// The folder that holds what is watched.
  public var root: String
  /// Files in it, and folders in it with all that is below them; they may be missing yet.
  public var names: Set<String>
  /// A folder that is never watched, wherever it lies: where the site is written.
  public var output: String
  /// Whether to look at all files now and then instead of being told of changes: for network mounts.
  public var polls = false
  /// Seconds between two looks.
  public var pollSeconds = 0.5
  /// Seconds without a further change after which changes are told.
  public var quietSeconds = 0.04
  /// Seconds from the first change after which changes are told in any case.
  public var longestSeconds = 0.4

  /// A plan to watch `names` in `root`.
  public init(root: String, names: Set<String>, output: String) {
    self.root = root
    self.names = names
    self.output = output
  }
}

/// What has changed, as far as it is known.
public struct Changes: Sendable, Equatable {
  /// Paths relative to the watched root.
  public private(set) var paths: Set<String> = []
  /// Whether anything may have changed.
  public private(set) var isEverything = false

  /// Nothing has changed.
  public init() {}

  /// Anything may have changed.
  public static var everything: Self {
    var changes = Self()
    changes.isEverything = true
    return changes
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { paths.isEmpty && !isEverything }

  mutating func insert(_ path: String) { paths.insert(path) }

  mutating func formUnion(_ other: Self) {
    paths.formUnion(other.paths)
    isEverything = isEverything || other.isEverything
  }
}

extension WatchPlan {
  /// Whether a file's or folder's name says that it is nobody's content: hidden files, editors' backups,
  /// swap and lock files, and our own temporary ones.
  static func ignores(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, let last = bytes.last else { return true }
    if first == UInt8(ascii: ".") { return name != ".well-known" }
    if last == UInt8(ascii: "~") { return true }
    if first == UInt8(ascii: "#"), last == UInt8(ascii: "#") { return true }
    // Vim asks whether it may write by making a file of this name.
    return name == "4913" || [".swp", ".swo", ".swx", ".tmp"].contains { name.hasSuffix($0) }
  }

  /// Whether a name in the root is watched.
  func watchesInRoot(_ name: String) -> Bool { names.contains(name) }

  /// Whether a folder is where the site is written.
  func isOutput(_ path: String) -> Bool {
    guard let folder = FileSystem.statusFollowingLinks(path),
      let output = FileSystem.statusFollowingLinks(output)
    else { return false }
    return folder.inode == output.inode && folder.device == output.device
  }

  /// The path of something in the root; empty for the root itself.
  func fullPath(_ path: String) -> String { path.isEmpty ? root : "\(root)/\(path)" }
}
