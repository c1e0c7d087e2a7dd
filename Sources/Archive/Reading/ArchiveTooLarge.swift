/// More than one index can hold: positions of entries and of the bytes behind ids are 32 bits wide, so
/// that an index of ten million messages fits in a gigabyte.
public struct ArchiveTooLarge: Error, Hashable, Sendable, CustomStringConvertible {
  /// Posts, comments and messages that were read.
  public let entries: Int
  /// Bytes of ids, titles and front matter that were read.
  public let text: Int

  /// In words.
  public var description: String {
    "The archive is too large for one site: \(entries) entries with \(text) bytes of ids, titles and "
      + "front matter, and at most 4294967294 of either can be held"
  }

  /// The most of either; the number above it means "none".
  static let limit = Int(UInt32.max) - 1

  /// Makes sure that everything read has a place in one index.
  static func check(_ harvests: [Harvest], limit: Int) throws(ArchiveTooLarge) {
    let entries = harvests.reduce(0) { $0 + $1.count }
    let text = harvests.reduce(0) { $0 + $1.text.count }
    guard entries <= limit, text <= limit else {
      throw ArchiveTooLarge(entries: entries, text: text)
    }
  }
}
