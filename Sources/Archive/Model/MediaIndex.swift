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
}
