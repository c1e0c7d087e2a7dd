import Bytes
import JSON

/// Reads the media of an entry and finds their files.
enum MediaReading {
  enum Outcome {
    case found
    case remote
    case missing
    /// Leads out of the content folder, or is no path at all.
    case refused
  }

  /// The media of a field: a list, or one.
  static func elements(of value: JSONValue) -> AnyMedia {
    value.kind == .array ? .list(value.elements) : .one(value)
  }

  /// The elements of a field that may hold one or several.
  enum AnyMedia: Sequence, IteratorProtocol {
    case list(JSONElements)
    case one(JSONValue)
    case none

    mutating func next() -> JSONValue? {
      switch self {
      case .list(var elements):
        let element = elements.next()
        self = .list(elements)
        return element
      case .one(let value):
        self = .none
        return value
      case .none: return nil
      }
    }
  }

  /// A medium and where it was found; nil where the value names none.
  static func medium(
    _ value: JSONValue,
    in index: MediaIndex,
    beside folder: String
  ) -> (medium: Medium, outcome: Outcome)? {
    if let text = value.text {
      let written = text.buffer.trimmed
      if written.isEmpty || written.count > 4096 { return nil }
      var medium = Medium(kind: kind(type: "", name: written.string), written: written.string)
      let outcome = locate(&medium, in: index, beside: folder)
      return (medium, outcome)
    }
    guard value.kind == .object else { return nil }
    let path = FieldValue.string(value["path"] ?? value["src"] ?? value["file"])
    let url = FieldValue.string(value["url"])
    let written = path.isEmpty ? url : path
    if written.isEmpty || written.utf8.count > 4096 { return nil }
    let type = FieldValue.string(value["type"])
    var medium = Medium(
      kind: kind(type: type, name: written),
      written: written,
      alt: FieldValue.string(value["alt"]),
      title: FieldValue.string(value["title"] ?? value["name"]),
      width: FieldValue.integer(value["width"]),
      height: FieldValue.integer(value["height"]),
      size: FieldValue.integer(value["size"]),
      type: type
    )
    var outcome = locate(&medium, in: index, beside: folder)
    if medium.file == nil, isRemote(url) {
      medium.href = url
      outcome = .remote
    }
    return (medium, outcome)
  }

  private static func locate(
    _ medium: inout Medium,
    in index: MediaIndex,
    beside folder: String
  ) -> Outcome {
    if isRemote(medium.written) {
      medium.href = medium.written
      return .remote
    }
    switch index.resolve(medium.written, beside: folder) {
    case .file(let number):
      medium.file = number
      if medium.kind == .file, medium.type.isEmpty {
        medium.kind = kind(type: "", name: index.files[number].path)
      }
      if index.files[number].isActive { medium.kind = .file }
      return .found
    case .missing: return .missing
    case .refused: return .refused
    }
  }

  /// Whether an address is on another host; only `http` and `https` are shown.
  static func isRemote(_ address: String) -> Bool {
    let start = address.utf8.prefix(8).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
  }

  /// By media type, else by the extension of the name.
  static func kind(type: String, name: String) -> Medium.Kind {
    let type = Array(type.utf8)
    if type.starts(with: "image".utf8) || type.elementsEqual("photo".utf8) { return .image }
    if type.starts(with: "video".utf8) { return .video }
    if type.starts(with: "audio".utf8) { return .audio }
    var path = name.utf8[...]
    if isRemote(name), let end = path.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) {
      path = path[..<end]
    }
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return .file }
    let bytes = path[path.index(after: dot)...].prefix(8).map {
      $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0
    }
    switch String(decoding: bytes, as: UTF8.self) {
    case "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "heic", "heif", "jfif", "apng":
      return .image
    case "mp4", "webm", "mov", "m4v", "ogv", "mkv", "avi", "3gp": return .video
    case "mp3", "ogg", "oga", "opus", "wav", "flac", "m4a", "aac", "amr", "weba": return .audio
    default: return .file
    }
  }
}
