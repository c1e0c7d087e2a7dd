import Archive
import Bytes

/// Writes what no template makes: assets, static files, and the media that pages show.
struct FileCopies {
  let context: RenderContext
  let output: OutputWriter

  func write(used: [Bool]) throws(FileError) {
    for asset in context.theme.assets { try output.write(asset.bytes, to: asset.path) }
    let root = context.root
    for path in context.plan.staticFiles {
      try copy("\(root)/Content/static/\(path)", to: path)
    }
    for (index, file) in context.archive.media.files.enumerated() where used[index] {
      try copy("\(root)/\(file.path)", to: file.output)
    }
  }

  private func copy(_ source: String, to name: String) throws(FileError) {
    try output.write(FileSystem.read(source), to: name)
  }
}

extension RenderContext {
  /// All files that a build may write.
  var files: [String] {
    plan.pages.map(\.path) + theme.assets.map(\.path) + plan.staticFiles
      + archive.media.files.map(\.output)
  }
}
