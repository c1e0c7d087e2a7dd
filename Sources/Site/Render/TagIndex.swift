import Archive
import Bytes

/// Finds a tag of the archive by any of its spellings.
struct TagIndex: Sendable {
  /// By the key that spellings share which differ in case or normalisation only.
  private let positions: [[UInt8]: Int]

  init(_ tags: [Tag]) {
    positions = Dictionary(
      tags.enumerated().map { (Self.key(of: $0.element.title), $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The position in `Archive.tags` of the tag that a record calls `name`.
  func position(of name: String) -> Int? { positions[Self.key(of: name)] }

  private static func key(of name: String) -> [UInt8] {
    PathName.collisionKey(of: Array(name.utf8).span)
  }
}
