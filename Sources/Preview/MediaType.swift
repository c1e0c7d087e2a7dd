/// The type of a file by its name, and what a browser may do with it.
enum MediaType {
  /// Types by extension, in lower case (IANA media types; WHATWG MIME Sniffing for scripts).
  private static let types: [String: String] = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8",
    "xhtml": "application/xhtml+xml", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "json": "application/json", "jsonl": "application/jsonl", "map": "application/json",
    "webmanifest": "application/manifest+json", "wasm": "application/wasm",
    "xml": "application/xml", "xsl": "application/xslt+xml", "xslt": "application/xslt+xml",
    "rss": "application/rss+xml", "atom": "application/atom+xml", "opml": "text/x-opml",
    "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "ics": "text/calendar; charset=utf-8",
    "vcf": "text/vcard; charset=utf-8", "eml": "message/rfc822",
    "svg": "image/svg+xml", "png": "image/png", "apng": "image/apng", "jpg": "image/jpeg",
    "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
    "jxl": "image/jxl", "heic": "image/heic", "heif": "image/heif", "bmp": "image/bmp",
    "ico": "image/vnd.microsoft.icon", "tif": "image/tiff", "tiff": "image/tiff",
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "ogv": "video/ogg",
    "mov": "video/quicktime", "mkv": "video/x-matroska", "3gp": "video/3gpp",
    "avi": "video/x-msvideo", "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac",
    "wav": "audio/wav", "weba": "audio/webm", "amr": "audio/amr",
    "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
    "vtt": "text/vtt; charset=utf-8", "pdf": "application/pdf", "epub": "application/epub+zip",
    "zip": "application/zip", "gz": "application/gzip", "tar": "application/x-tar",
    "zst": "application/zstd", "7z": "application/x-7z-compressed", "rtf": "application/rtf",
  ]

  /// Whatever a browser would run or show as a page of this site.
  private static let active: Set<String> = [
    "html", "htm", "xhtml", "xht", "shtml", "mht", "mhtml", "xml", "xsl", "xslt", "svg", "svgz",
    "rdf", "rss", "atom", "opml", "eml",
  ]

  /// The value of `Content-Type` for a file of the site.
  static func of(_ path: [UInt8]) -> String {
    let name = fileExtension(of: path)
    if isAttachment(path) {
      // A script that a visitor sent is text to read, never one that a page could load.
      if name == "js" || name == "mjs" || name == "css" { return "text/plain; charset=utf-8" }
    } else if isNamed("feed.xml", path) || isFeedArchive(path) {
      return "application/atom+xml"
    } else if isNamed("feed.json", path) {
      return "application/feed+json"
    }
    return types[name] ?? "application/octet-stream"
  }

  /// Whether it is a page of the site's own, which may load its scripts and styles.
  static func isPage(_ path: [UInt8]) -> Bool {
    let name = fileExtension(of: path)
    return (name == "html" || name == "htm") && !isAttachment(path)
  }

  /// Whether a file came with the messages: it isn't to be trusted.
  static func isAttachment(_ path: [UInt8]) -> Bool { path.starts(with: "media/".utf8) }

  /// Whether it must be shown apart from the site, without scripts: SVG anywhere, and whatever
  /// attachment a browser would take for a page.
  static func isSandboxed(_ path: [UInt8]) -> Bool {
    let name = fileExtension(of: path)
    return name == "svg" || name == "svgz" || (isAttachment(path) && active.contains(name))
  }

  /// Whether it must be saved rather than shown.
  static func isDownload(_ path: [UInt8]) -> Bool {
    isAttachment(path) && isSandboxed(path) && fileExtension(of: path) != "svg"
  }

  private static func isNamed(_ name: String, _ path: [UInt8]) -> Bool {
    path.elementsEqual(name.utf8) || path.ends(with: "/\(name)".utf8)
  }

  private static func isFeedArchive(_ path: [UInt8]) -> Bool {
    path.starts(with: "feed/archive/".utf8) && path.ends(with: ".xml".utf8)
  }

  /// What follows the last point of the last segment, in lower case; empty if it isn't ASCII letters
  /// and digits.
  private static func fileExtension(of path: [UInt8]) -> String {
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    guard let point = path[start...].lastIndex(of: UInt8(ascii: ".")), path.count - point <= 12
    else { return "" }
    var name = ""
    for byte in path[(point + 1)...] {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        name.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
      default: return ""
      }
    }
    return name
  }
}

extension [UInt8] {
  fileprivate func ends(with end: String.UTF8View) -> Bool {
    count >= end.count && self[(count - end.count)...].elementsEqual(end)
  }
}
