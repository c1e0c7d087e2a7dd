import Bytes

/// Interns byte strings: equal bytes get one number, counted from 0 in order of appearance.
///
/// Open addressing over XXH3; the bytes stand in one pool. No `String` is made or hashed.
struct TextTable: Sendable {
  private(set) var hashes: [UInt64] = []
  private(set) var ranges: [TextRange] = []
  private var slots: [UInt32] = []
  private(set) var pool: [UInt8] = []

  var count: Int { ranges.count }

  /// The bytes of a number.
  @inline(__always)
  func withBytes<Result>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let range = ranges[number]
    return pool.withUnsafeBufferPointer { pool in
      let start = Int(range.offset)
      return body(UnsafeBufferPointer(rebasing: pool[start..<start + Int(range.length)]))
    }
  }

  func string(_ number: Int) -> String { withBytes(number) { String(decoding: $0, as: UTF8.self) } }

  func array(_ number: Int) -> [UInt8] { withBytes(number) { Array($0) } }

  /// The number of these bytes, nil if they were never interned.
  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !slots.isEmpty else { return nil }
    let number = slots[place(of: bytes, hash: Fingerprint.of(bytes))]
    return number == .max ? nil : Int(number)
  }

  /// The number of these bytes; whether they are new.
  mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> (number: Int, isNew: Bool) {
    intern(bytes, hash: Fingerprint.of(bytes))
  }

  @inline(__always)
  mutating func intern(
    _ bytes: UnsafeBufferPointer<UInt8>,
    hash: UInt64
  ) -> (number: Int, isNew: Bool) {
    if (ranges.count + 1) * 4 > slots.count * 3 { grow() }
    let place = place(of: bytes, hash: hash)
    if slots[place] != .max { return (Int(slots[place]), false) }
    let number = ranges.count
    slots[place] = UInt32(truncatingIfNeeded: number)
    let range = TextRange(
      offset: UInt32(truncatingIfNeeded: pool.count),
      length: UInt32(truncatingIfNeeded: bytes.count)
    )
    hashes.append(hash)
    ranges.append(range)
    pool.append(contentsOf: bytes)
    return (number, true)
  }

  /// Where the bytes stand or would stand.
  @inline(__always)
  private func place(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[place] != .max {
      let number = Int(slots[place])
      if hashes[number] == hash, withBytes(number, { equalBytes($0, bytes) }) { return place }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private mutating func grow() {
    slots = Array(repeating: .max, count: max(16, slots.count * 2))
    for number in ranges.indices {
      var place = Int(truncatingIfNeeded: hashes[number]) & (slots.count - 1)
      while slots[place] != .max { place = (place + 1) & (slots.count - 1) }
      slots[place] = UInt32(truncatingIfNeeded: number)
    }
  }
}
