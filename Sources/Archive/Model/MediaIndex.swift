import Bytes

/// The files of the content folder that entries may show, by path from the archive's root.
public struct MediaIndex: Sendable {
  /// A file that an entry may show.
  public struct File: Sendable {
    /// From the archive's root: `Content/media/cat.png`.
    public var path: String
    /// Where the copy stands in the site: `media/cat.png`, percent-encoding not applied.
    public var output: String
    /// Bytes.
    public var size: UInt64
    /// Nanoseconds since 1970.
    public var modified: Int64
    /// When content or attributes last changed, in nanoseconds since 1970: no program can set it
    /// back.
    public var changed: Int64 = 0
    /// Another number means another file, even where size and time are the same.
    public var inode: UInt64 = 0
    /// Whether it would run scripts if it were opened under its own name, so that its copy is text.
    public var isActive = false

    /// A file as it was when the folder was read.
    public init(path: String, output: String, size: UInt64, modified: Int64) {
      self.path = path
      self.output = output
      self.size = size
      self.modified = modified
    }
  }

  /// By path, in byte order.
  public let files: [File]
  /// Open addressing over XXH3 of the path: indices in `files`, -1 where free.
  private let slots: [Int32]

  /// Takes files sorted by path in byte order.
  public init(files: [File] = []) {
    self.files = files
    var size = 1
    while size < files.count * 2 { size *= 2 }
    var slots = files.isEmpty ? [] : [Int32](repeating: -1, count: size)
    for (index, file) in files.enumerated() {
      var place = Int(truncatingIfNeeded: Fingerprint.of(file.path)) & (slots.count - 1)
      while slots[place] >= 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = Int32(truncatingIfNeeded: index)
    }
    self.slots = slots
  }

  /// The file at a path from the archive's root, compared byte by byte.
  public func index(ofPath path: String) -> Int? {
    guard !slots.isEmpty else { return nil }
    var place = Int(truncatingIfNeeded: Fingerprint.of(path)) & (slots.count - 1)
    while slots[place] >= 0 {
      let index = Int(slots[place])
      if files[index].path.utf8.elementsEqual(path.utf8) { return index }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  /// What became of a path in a content file.
  public enum Resolution: Hashable, Sendable {
    /// An index in `files`.
    case file(Int)
    case missing
    /// It leads out of the content folder, or is no path.
    case refused
  }

  /// Finds the file that a path in a content file means: beside that file, then in `Content/media`,
  /// then in `Content`.
  ///
  /// - Parameters:
  ///   - written: A relative path, percent-encoded or not; a leading `/` means the content folder.
  ///     A name without extension also finds a picture of that name (asset names of apps).
  ///   - folder: The folder of the content file from the archive's root, without trailing slash.
  /// - Returns: The file, or why there is none.
  public func resolve(_ written: String, beside folder: String) -> Resolution {
    guard let path = Self.cleaned(written) else { return .refused }
    if files.isEmpty { return .missing }
    if let found = find(path, folder, written) { return .file(found) }
    if path.utf8.contains(UInt8(ascii: "%")) {
      let decoded = URLText.percentDecode(Array(path.utf8).span)
      guard let plain = Self.cleaned(String(decoding: decoded, as: UTF8.self)) else {
        return .refused
      }
      if let found = find(plain, folder, written) { return .file(found) }
    }
    return .missing
  }

  private func find(_ path: String, _ folder: String, _ written: String) -> Int? {
    let isRooted = written.utf8.first == UInt8(ascii: "/")
    let places = isRooted ? ["Content/media", "Content"] : [folder, "Content/media", "Content"]
    for place in places {
      if let found = find(place + "/" + path) { return found }
    }
    let name = path.lastSlash.map { path[$0...] } ?? path[...]
    if name.utf8.contains(UInt8(ascii: ".")) { return nil }
    for place in places {
      for suffix in ["png", "jpg", "jpeg", "webp", "gif", "heic", "PNG", "JPG", "JPEG"] {
        if let found = index(ofPath: "\(place)/\(path).\(suffix)") { return found }
      }
    }
    return nil
  }

  /// The path as it is, or as its file would be called in normalisation form C or on macOS.
  private func find(_ path: String) -> Int? {
    if let found = index(ofPath: path) { return found }
    if path.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    let composed = UnicodeText.nfc(Array(path.utf8).span)
    return index(ofPath: String(decoding: composed, as: UTF8.self))
  }

  /// The segments of a relative path; nil where it would leave its folder.
  private static func cleaned(_ written: String) -> String? {
    var segments: [Substring.UTF8View] = []
    for segment in written.utf8.split(separator: UInt8(ascii: "/")) {
      if segment.elementsEqual(".".utf8) { continue }
      if segment.elementsEqual("..".utf8) || segment.contains(0) { return nil }
      segments.append(segment)
    }
    if segments.isEmpty { return nil }
    return segments.map { String($0) ?? "" }.joined(separator: "/")
  }
}
