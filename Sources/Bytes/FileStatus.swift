import Glibc

/// What a name in a folder stands for.
public enum FileKind: Hashable, Sendable {
  case file
  case directory
  /// A symbolic link, whatever it points to.
  case link
  /// A pipe, socket or device.
  case other
  /// A name that is not UTF-8: it is reported, never opened.
  case unreadableName
}

/// One name in a folder.
public struct DirectoryEntry: Hashable, Sendable {
  /// The name; where it is not UTF-8, its bytes outside printable ASCII are written as `\xHH`.
  public let name: String
  /// What it stands for.
  public let kind: FileKind
  /// What the system knows about it, where it was asked.
  public var status: FileStatus?

  init(name: String, kind: FileKind) {
    self.name = name
    self.kind = kind
  }
}

/// What stands in folders, for one who looks again: by path as it was asked for.
public typealias FolderListings = [String: [DirectoryEntry]]

/// What the system knows about a file.
public struct FileStatus: Hashable, Sendable {
  /// What it is.
  public let kind: FileKind
  /// Bytes.
  public let size: Int
  /// When the content last changed, in nanoseconds since 1970.
  public let modified: Int64
  /// When content or attributes last changed, in nanoseconds since 1970.
  public let changed: Int64
  /// Together with `device` the identity of the file.
  public let inode: UInt64
  /// The file system that it lies on.
  public let device: UInt64
  /// The permission bits.
  public let mode: UInt32

  init(_ raw: stat) {
    kind = FileKind(mode: raw.st_mode)
    size = Int(raw.st_size)
    modified = Int64(raw.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(raw.st_mtim.tv_nsec)
    changed = Int64(raw.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(raw.st_ctim.tv_nsec)
    inode = UInt64(raw.st_ino)
    device = UInt64(raw.st_dev)
    mode = raw.st_mode & 0o7777
  }
}

extension FileKind {
  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
