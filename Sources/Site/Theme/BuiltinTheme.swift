import CTheme

/// The theme that comes with the program: the files of `Templates/`, embedded.
public enum BuiltinTheme {
  /// A file of the built-in theme.
  public struct File: Sendable {
    /// Below `Templates/`: `feed.mustache`, `assets/style.css`, `strings/en.yml`.
    public let path: String
    /// Its content.
    public let bytes: [UInt8]
  }

  /// All files, by path in byte order.
  public static func files() -> [File] {
    (0..<ctheme_count()).compactMap { index in
      guard let file = ctheme_file_at(index) else { return nil }
      let bytes = UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.length)
      return File(path: String(cString: file.pointee.path), bytes: Array(bytes))
    }
  }
}
