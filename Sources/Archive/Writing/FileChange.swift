import Bytes
import Glibc

/// A file of the content folder before and after.
public struct FileChange: Sendable {
  /// From the archive's root.
  public let path: String
  /// Nil where the file is new.
  public let old: [UInt8]?
  /// Nil where the file goes.
  public let new: [UInt8]?
  /// The file as it was when `old` was read.
  let expected: FileStatus?
  /// Whether the change may not be made when the file is another by now.
  var isChecked = true

  init(path: String, old: [UInt8]?, new: [UInt8]?, expected: FileStatus?, isChecked: Bool = true) {
    self.path = path
    self.old = old
    self.new = new
    self.expected = expected
    self.isChecked = isChecked
  }
}

/// Something changed between reading and writing: begin again from what is there now.
struct Stale: Error {}

/// Writes changes into the content folder, each file as one durable step.
///
/// Nothing outside of `Content` can be reached: paths are taken apart below an open folder, and a
/// symbolic link on the way is an error.
struct ContentStore: Sendable {
  let root: String

  private static let prefix = "Content/"

  /// A content file and what the system knew about it just before it was read.
  func read(_ path: String) throws(FileError) -> (bytes: [UInt8], status: FileStatus) {
    let file = try FileDescriptor(reading: "\(root)/\(path)", followsLinks: false)
    let status = try file.status()
    return (try file.read(count: status.size, at: 0), status)
  }

  /// The file of an entry, if it is still the one that was scanned.
  func read(_ file: FileID, of archive: Archive) throws -> (bytes: [UInt8], status: FileStatus) {
    let scanned = archive.files[file.index]
    let (bytes, status) = try read(scanned.path)
    guard UInt64(clamping: status.size) == scanned.size, status.modified == scanned.modified,
      status.inode == scanned.inode, bytes.count == status.size
    else { throw Stale() }
    return (bytes, status)
  }

  /// Makes the changes in their order.
  ///
  /// - Throws: `Stale` if the first file is another by now; then nothing was changed.
  func commit(_ changes: [FileChange]) throws {
    let folder = try openContent()
    for change in changes {
      let name = try name(of: change.path)
      if let new = change.new {
        try makeParents(of: name, in: folder)
        try sweep(parent(of: name))
        let expected = change.isChecked ? change.expected : try folder.existing(name)
        guard try folder.replaceDurably(name, with: new.span, expecting: expected) else {
          throw Stale()
        }
      } else {
        if change.isChecked, try folder.existing(name) != change.expected { throw Stale() }
        try folder.removeFile(name)
        try folder.synchronize(parent(of: name))
      }
    }
  }

  /// Whether anything has that path.
  func exists(_ path: String) throws(FileError) -> Bool {
    try FileSystem.existing("\(root)/\(path)", followsLinks: false) != nil
  }

  private func openContent() throws(FileError) -> Folder {
    let path = "\(root)/Content"
    if try !FileSystem.directoryExists(path) {
      try FileSystem.makeDirectories(path)
      try Folder(opening: root).synchronize("")
    }
    return try Folder(opening: path)
  }

  private func name(of path: String) throws(FileError) -> String {
    guard path.utf8.starts(with: Self.prefix.utf8) else {
      throw FileError(path: path, operation: "write", code: EINVAL)
    }
    return String(decoding: path.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
  }

  private func parent(of name: String) -> String {
    name.lastSlash.map { String(name[..<$0]) } ?? ""
  }

  /// Makes the folders of a file that are not there, each one durably.
  func makeParents(of name: String, in folder: borrowing Folder) throws(FileError) {
    var path = ""
    for part in parent(of: name).utf8.split(separator: UInt8(ascii: "/")) {
      let above = path
      path += (path.isEmpty ? "" : "/") + String(decoding: Array(part), as: UTF8.self)
      let isNew = try folder.existing(path) == nil
      try folder.makeFolders(path)
      if isNew { try folder.synchronize(above) }
    }
  }

  /// Removes temporary files that a killed process left in a folder.
  private func sweep(_ folder: String) throws(FileError) {
    let path = folder.isEmpty ? "\(root)/Content" : "\(root)/Content/\(folder)"
    try FileSystem.removeAbandonedFiles(in: path, followsLinks: folder.isEmpty)
  }
}
