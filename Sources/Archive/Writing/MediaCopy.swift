import Bytes
import Glibc

/// Copies attachments into `Content/media`.
struct MediaCopy {
  let store: ContentStore

  private static let block = 1 << 20

  /// Finds names for the files, and copies them unless this is a dry run.
  ///
  /// A name that another file has gets a hash of the content; an equal file is not copied again.
  ///
  /// No file in `folder`, that of the content file, may have the same name.
  func names(of files: [String], beside folder: String, isDryRun: Bool) throws -> [String] {
    try files.map { try copy($0, beside: folder, isDryRun: isDryRun) }
  }

  private func copy(_ path: String, beside folder: String, isDryRun: Bool) throws -> String {
    let source = try FileDescriptor(reading: path)
    let hash = try hash(of: source)
    let slash = path.lastSlash
    let own = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    let plain = PathName.fileName(for: Array(own.utf8).span)
    for name in [plain, MediaName.suffixed(plain, hash: hash)] {
      let text = String(decoding: name, as: UTF8.self)
      // A path is looked up beside its file first.
      if try store.exists("\(folder)/\(text)") { continue }
      let target = "Content/media/\(text)"
      if try store.exists(target) {
        if try isEqual(source, "\(store.root)/\(target)") { return text }
        continue
      }
      if !isDryRun { try write(source, to: "media/\(text)") }
      return text
    }
    throw WritingError("Content/media has another file called like '\(path)' already")
  }

  private func hash(of source: borrowing FileDescriptor) throws -> UInt64 {
    var hash: UInt64 = 0
    var position = 0
    while true {
      let bytes = try source.read(count: Self.block, at: position)
      hash = Fingerprint.mix(hash, Fingerprint.of(bytes.span))
      position += bytes.count
      if bytes.count < Self.block { return hash }
    }
  }

  private func isEqual(_ source: borrowing FileDescriptor, _ path: String) throws -> Bool {
    guard try FileSystem.existing(path, followsLinks: false)?.kind == .file else { return false }
    let other = try FileDescriptor(reading: path, followsLinks: false)
    var position = 0
    while true {
      let bytes = try source.read(count: Self.block, at: position)
      if try other.read(count: Self.block, at: position) != bytes { return false }
      position += bytes.count
      if bytes.count < Self.block { return true }
    }
  }

  private func write(_ source: borrowing FileDescriptor, to name: String) throws {
    try store.copy(source, to: name)
  }
}

extension ContentStore {
  /// Copies an open file to a new name below `Content`, durably and as one step.
  func copy(_ source: borrowing FileDescriptor, to name: String) throws {
    var bytes = ByteBuffer()
    let size = try source.status().size
    try source.read(count: size, at: 0, into: &bytes)
    try commit([
      FileChange(path: "Content/\(name)", old: nil, new: bytes.array, expected: nil)
    ])
  }
}
