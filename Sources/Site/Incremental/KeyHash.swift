import Archive
import Bytes

/// Folds what a page is made from into one number, order mattering.
///
/// 64 bits of XXH3: that two states of a page share a key by accident is less likely than that the
/// machine errs.
struct KeyHash {
  private(set) var value: UInt64

  init(_ seed: UInt64 = 0x5354_494C_4C46_4545) { value = seed }

  @inline(__always)
  mutating func add(_ number: UInt64) { value = Fingerprint.mix(value &+ 0x9E37_79B9, number) }

  @inline(__always)
  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

  mutating func add(_ text: String) { add(Fingerprint.of(text)) }

  mutating func add(_ flag: Bool) { add(flag ? 1 : UInt64(2)) }

  mutating func add(_ number: Int?) {
    add(number != nil)
    add(number ?? 0)
  }

  /// The fingerprint of a text of the archive.
  static func of(_ range: TextRange, in text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let start = min(Int(range.offset), text.count)
    let end = min(start + Int(range.length), text.count)
    return Fingerprint.of(UnsafeBufferPointer(rebasing: text[start..<end]))
  }
}
