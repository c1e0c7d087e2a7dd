import Bytes

/// Texts in one run of bytes: as a `String` each they would take twice the memory and more.
struct TextStore: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Whether there was more than ranges can reach.
  var isOverfull: Bool { bytes.count > ArchiveTooLarge.limit }

  /// Adds a text.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> TextRange {
    if text.isEmpty { return .empty }
    let range = TextRange(
      offset: UInt32(truncatingIfNeeded: bytes.count),
      length: UInt32(truncatingIfNeeded: text.count)
    )
    bytes.append(contentsOf: text)
    return range
  }

  /// Adds a text unless it is the one that stands at `other` already.
  mutating func append(
    _ text: UnsafeBufferPointer<UInt8>,
    orSameAs other: TextRange
  ) -> TextRange {
    withBytes(other) { equalBytes($0, text) } ? other : append(text)
  }

  /// A text.
  subscript(range: TextRange) -> String { withBytes(range) { $0.string } }

  /// Calls `body` with the bytes of a text.
  @inline(__always)
  func withBytes<Result>(
    _ range: TextRange,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range.bounds])) }
  }
}
