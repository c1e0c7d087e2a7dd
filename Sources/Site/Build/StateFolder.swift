import Bytes

/// What builds remember: `.stillfeed/` in the archive.
///
/// Deleting it only costs time.
struct StateFolder: Sendable {
  let path: String
  /// Each shard remembers what it wrote itself.
  private let suffix: String
  private let isShared: Bool

  init(root: String, shard: Shard? = nil) {
    path = root + "/.stillfeed"
    suffix = shard.map { "-\($0.number)-of-\($0.count)" } ?? ""
    isShared = shard != nil
  }

  /// The manifest of an output folder, which is named by a hash of its path.
  func manifest(ofOutput output: String) -> String { file("manifest-", output) }

  /// A second copy of the manifest: should one be damaged, the other still says what to remove.
  func copy(ofOutput output: String) -> String { file("copy-", output) }

  /// The files that a build may be writing into an output folder, while it runs.
  func pending(ofOutput output: String) -> String { file("pending-", output) }

  /// The lock of an output folder.
  func lock(ofOutput output: String) -> String { file("lock-", output) }

  private func file(_ prefix: StaticString, _ output: String) -> String {
    var name = ByteBuffer(capacity: 64)
    name.append(text: path)
    name.append("/")
    name.append(prefix)
    name.append(hexadecimal: Fingerprint.of(output))
    name.append(text: suffix)
    return name.string
  }

  /// Makes the folder, which no version control should take up.
  func create() throws(FileError) {
    try FileSystem.makeDirectories(path)
    // What a shard on another machine is writing looks like what a dead process left.
    if !isShared { try FileSystem.removeAbandonedFiles(in: path) }
    let ignore = path + "/.gitignore"
    if FileSystem.status(ignore) == nil { try FileSystem.write(Array("*\n".utf8), to: ignore) }
  }
}
