import Archive
import Bytes

/// Finds the files of `Content/static` that can stand where they want to.
///
/// One that wants the place of a page, or lies below a page's file, or has the name of a folder that
/// pages stand in, is left out and named, also where a file system folds case.
enum StaticFiles {
  static func placed(
    in archive: Archive,
    pages: PageTable,
    diagnostics: inout [Diagnostic]
  ) -> [String] {
    if archive.staticFiles.isEmpty { return [] }
    // Most pages stand in other top folders, and need no look.
    let tops = Set(archive.staticFiles.map { PlacedPath.key(of: PlacedPath.top(of: $0)) })
    var files: Set<[UInt8]> = []
    var folders: Set<[UInt8]> = []
    var lastTop = ""
    var isNear = false
    func occupy(_ path: String) {
      let top = PlacedPath.top(of: path)
      if top != lastTop {
        lastTop = top
        isNear = tops.contains(PlacedPath.key(of: top))
      }
      guard isNear else { return }
      let key = PlacedPath.key(of: path)
      files.insert(key)
      PlacedPath.forEachFolder(of: key) { folders.insert($0) }
    }
    for page in pages { occupy(page.path) }
    for file in archive.media.files { occupy(file.output) }
    folders.insert(Array("assets".utf8))
    var placed: [String] = []
    for path in archive.staticFiles {
      let key = PlacedPath.key(of: path)
      var isFree = !files.contains(key) && !folders.contains(key)
      PlacedPath.forEachFolder(of: key) { if files.contains($0) { isFree = false } }
      if isFree {
        occupy(path)
        placed.append(path)
      } else {
        diagnostics.append(.placeTaken(path))
      }
    }
    return placed
  }
}

/// Paths as they collide.
enum PlacedPath {
  static func key(of path: String) -> [UInt8] { key(of: Array(path.utf8).span) }

  static func key(of path: Span<UInt8>) -> [UInt8] { UnicodeText.caseFolded(path) }

  /// The first name of a path.
  static func top(of path: String) -> String {
    String(path.prefix(upTo: path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex))
  }

  /// Calls `body` with each folder that a path stands in, without the slash behind.
  static func forEachFolder(of path: [UInt8], _ body: ([UInt8]) -> Void) {
    for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
      body(Array(path[..<index]))
    }
  }
}

extension Diagnostic {
  fileprivate static func placeTaken(_ path: String) -> Self {
    Self(
      .warning,
      path: "Content/static/\(path)",
      headline: "This file is left out, for the site has something else in its place"
    )
  }
}
