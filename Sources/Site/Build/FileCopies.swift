import Archive
import Bytes

/// Writes what no template makes: assets, static files, and the media that pages show.
///
/// A copy whose source and place are as the last build left them is not read.
struct FileCopies {
  let context: RenderContext
  let output: OutputWriter
  let shard: Shard?
  /// When the build looked at its sources: what changed since is copied again by the next one.
  let started: Int64

  func write(used: [Bool], into manifest: inout ManifestBuilder) throws(FileError) {
    for asset in context.theme.assets where shard?.holds(asset.path) ?? true {
      let state = try output.write(asset.bytes.span, to: asset.path)
      manifest.add(Manifest.File(path: asset.path, state: state))
    }
    let root = context.root
    for path in context.plan.staticFiles where shard?.holds(path) ?? true {
      let source = "\(root)/Content/static/\(path)"
      let status = FileSystem.status(source)
      manifest.add(try copy(source, to: path, key: status.map(key) ?? 0))
    }
    for (index, file) in context.archive.media.files.enumerated() where used[index] {
      let key = file.changed < started ? file.key : 0
      manifest.add(try copy("\(root)/\(file.path)", to: file.output, key: key))
    }
  }

  private func copy(
    _ source: String,
    to path: String,
    key: UInt64
  ) throws(FileError) -> Manifest.File {
    if key != 0, let known = output.previous?.file(path), known.key == key,
      let state = output.verified(known)
    {
      return Manifest.File(path: path, key: key, state: state)
    }
    let bytes = try FileSystem.read(source)
    let state = try output.write(bytes.span, to: path)
    return Manifest.File(path: path, key: key, state: state)
  }

  private func key(_ status: FileStatus) -> UInt64 {
    if status.changed >= started { return 0 }
    var hash = KeyHash()
    hash.add(status.size)
    hash.add(Int(status.modified))
    hash.add(Int(status.changed))
    hash.add(status.inode)
    return hash.value
  }
}

extension RenderContext {
  /// All files that a build may write, or a shard of it, sorted.
  func planned(for shard: Shard?) -> Manifest.Files {
    var files = Manifest.Files(of: plan.pages)
    files.reserveCapacity(plan.pages.count)
    for index in plan.pages.indices where shard?.holds(plan.pages.path(at: index)) ?? true {
      files.append(page: index, of: plan.pages)
    }
    let others =
      theme.assets.map(\.path) + plan.staticFiles + archive.media.files.map(\.output)
    for path in others where shard?.holds(path) ?? true { files.append(Manifest.File(path: path)) }
    files.sort()
    return files
  }
}
