import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Pictures shown before the rest is counted ("+3").
  private static let shownPictures = 4

  /// Writes the media of an entry.
  mutating func writeMedia(_ media: [Medium]) {
    let pictures = media.count { $0.kind == .image }
    let hidden = max(0, pictures - Self.shownPictures)
    data.beginObject(.media)
    data.set(.grid, String(min(pictures, Self.shownPictures)))
    data.beginArray(.items)
    var shown = 0
    for medium in media {
      if medium.kind == .image {
        shown += 1
        // What the grid doesn't show stands in the list behind it as a file.
        writeMedium(
          medium,
          asFile: shown > Self.shownPictures,
          more: shown == Self.shownPictures ? hidden : 0
        )
      } else {
        writeMedium(medium, asFile: false, more: 0)
      }
    }
    data.endArray()
    data.endObject()
  }

  private mutating func writeMedium(_ medium: Medium, asFile: Bool, more: Int) {
    let context = context
    data.beginObject()
    data.set(.alt, medium.alt)
    data.set(.caption, medium.title)
    data.set(.type, medium.type)
    data.set(.name, medium.fileName)
    if let file = medium.file {
      used.insert(file)
      let source = context.archive.media.files[file]
      data.writeURL(.url) { context.links.append(source.output, into: &$0) }
      writeKind(asFile ? .file : medium.kind)
      writeSize(medium, file: file)
      let size = medium.size > 0 ? medium.size : Int(clamping: source.size)
      data.set(.sizeLabel, FileSize.text(size))
    } else if !medium.href.isEmpty {
      data.set(.external, medium.href)
    } else {
      data.flag(.isMissing)
      if medium.width > 0, medium.height > 0 {
        data.set(.width, medium.width)
        data.set(.height, medium.height)
      }
    }
    if more > 0 { data.set(.moreLabel, "+\(more)") }
    data.endObject()
  }

  private mutating func writeKind(_ kind: Medium.Kind) {
    switch kind {
    case .image: data.flag(.isImage)
    case .video: data.flag(.isVideo)
    case .audio: data.flag(.isAudio)
    case .file: data.flag(.isFile)
    }
  }

  private mutating func writeSize(_ medium: Medium, file: Int) {
    if medium.width > 0, medium.height > 0 {
      data.set(.width, min(medium.width, 100_000))
      data.set(.height, min(medium.height, 100_000))
    } else if medium.kind == .image, let size = pictureSize(of: file) {
      data.set(.width, size.width)
      data.set(.height, size.height)
    }
  }

  /// The size that a picture's file states; remembered.
  mutating func pictureSize(of file: Int) -> PictureSize? {
    if let known = pictureSizes[file] { return known }
    let path = context.root + "/" + context.archive.media.files[file].path
    var size: PictureSize?
    do throws(FileError) {
      size = try PictureSize(ofFile: path)
    } catch {
      failure = failure ?? error
    }
    pictureSizes[file] = .some(size)
    return size
  }
}

extension Medium {
  /// The last component of the path as it was written.
  var fileName: String {
    let path = written.isEmpty ? href : written
    let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
    return title.isEmpty || kind != .file ? name.map(String.init) ?? path : title
  }
}

/// Sizes of files as people read them.
enum FileSize {
  /// `512 B`, `4.2 kB`, `3.1 MB`: decimal units, as the International System of Units has them.
  static func text(_ bytes: Int) -> String {
    if bytes <= 0 { return "" }
    if bytes < 1000 { return "\(bytes) B" }
    var tenths = (bytes + 50) / 100
    for unit in ["kB", "MB", "GB"] {
      if tenths < 10_000 || unit == "GB" {
        return tenths < 100
          ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\((tenths + 5) / 10) \(unit)"
      }
      tenths = (tenths + 500) / 1000
    }
    return ""
  }
}
