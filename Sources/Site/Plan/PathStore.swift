import Glibc

/// Paths in one run of bytes: as a `String` each they would take twice the memory.
struct PathStore: Sendable {
  /// Where a path lies.
  struct Place: Sendable {
    var start: Int
    var count: UInt32
  }

  private let base: [UInt8]
  private var own: [UInt8] = []

  /// Holds nothing.
  init() { base = [] }

  /// Holds what another holds, in the same places and the same memory.
  init(extending other: PathStore) {
    base = other.base.isEmpty ? other.own : other.base + other.own
  }

  /// Adds a path that is given in two parts.
  mutating func append(_ folder: String, _ name: String = "") -> Place {
    folder.withBytes { append(Span(_unsafeElements: $0), name) }
  }

  /// The same with the first part as UTF-8.
  mutating func append(_ folder: Span<UInt8>, _ name: String) -> Place {
    let start = own.count
    folder.withUnsafeBufferPointer { own.append(contentsOf: $0) }
    name.withBytes { own.append(contentsOf: $0) }
    return Place(start: base.count + start, count: UInt32(truncatingIfNeeded: own.count - start))
  }

  /// A path as text.
  subscript(place: Place) -> String {
    withBytes(of: place) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a path.
  @inline(__always)
  func withBytes<Result>(
    of place: Place,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let isOwn = place.start >= base.count
    let start = isOwn ? place.start - base.count : place.start
    return (isOwn ? own : base).withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[start..<start + Int(place.count)]))
    }
  }

  /// Whether a path comes before, at or after another in byte order: below, at or above 0.
  func order(_ place: Place, _ other: Place, of store: PathStore) -> Int {
    withBytes(of: place) { left in store.withBytes(of: other) { Self.order(left, $0) } }
  }

  /// The same for text.
  func order(_ place: Place, _ text: String) -> Int {
    text.withBytes { text in withBytes(of: place) { Self.order($0, text) } }
  }

  private static func order(
    _ left: UnsafeBufferPointer<UInt8>,
    _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    if let first = left.baseAddress, let second = right.baseAddress {
      let order = memcmp(first, second, min(left.count, right.count))
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}
