/// Sixteen bytes looked at together, to find the few that a copy has to stop at.
///
/// Comparisons of `SIMD16` become loops over its lanes in Swift 6.3; arithmetic becomes one
/// instruction. So a test here is arithmetic that sets the top bit of a byte, right for bytes below
/// 0x80: unlike in a 64-bit word nothing is carried from byte to byte.
///
/// ```swift
/// let marks = block.below80(block.equals(0x22) | block.less(than: 0x20))
/// if !marks.isEmpty { index += marks.first }
/// ```
public struct ByteBlock {
  /// How many bytes a block has.
  public static let count = 16

  @usableFromInline
  let bytes: SIMD16<UInt8>

  /// The sixteen bytes from `memory` on, which all must be readable.
  @inlinable
  @inline(__always)
  public init(_ memory: UnsafeRawPointer) {
    bytes = memory.loadUnaligned(as: SIMD16<UInt8>.self)
  }

  /// The sixteen bytes of a text from `index` on, which is not past its end; blanks stand where it
  /// has ended.
  @inlinable
  @inline(__always)
  public init(_ text: UnsafeBufferPointer<UInt8>, from index: Int) {
    if let base = text.baseAddress, index &+ Self.count <= text.count {
      self.init(base + index)
    } else {
      self.init(lastOf: text, from: index)
    }
  }

  /// The last bytes of a text, fewer than sixteen.
  @usableFromInline
  init(lastOf text: UnsafeBufferPointer<UInt8>, from index: Int) {
    var words = SIMD2(Self.blanks, Self.blanks)
    if let base = text.baseAddress, index &+ 8 <= text.count {
      words[0] = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      words[1] = Self.lastWord(of: text, from: index &+ 8)
    } else {
      words[0] = Self.lastWord(of: text, from: index)
    }
    bytes = unsafeBitCast(words, to: SIMD16<UInt8>.self)
  }

  /// The last bytes of a text as a word, the first in the lowest place, and blanks; fewer than eight.
  ///
  /// It is made of reads that may overlap, which is less work than one for each byte.
  @inline(__always)
  private static func lastWord(of text: UnsafeBufferPointer<UInt8>, from index: Int) -> UInt64 {
    let count = text.count &- index
    guard let base = text.baseAddress, count > 0 else { return blanks }
    let start = UnsafeRawPointer(base + index)
    let end = start + count
    let word: UInt64
    if text.count >= 8 {
      word = (end - 8).loadUnaligned(as: UInt64.self) &>> UInt64(64 &- 8 &* count)
    } else if count >= 4 {
      let low = UInt64(start.loadUnaligned(as: UInt32.self))
      let high = UInt64((end - 4).loadUnaligned(as: UInt32.self))
      word = low | high &<< UInt64(8 &* count &- 32)
    } else {
      let middle = count &>> 1
      word =
        UInt64(base[index]) | UInt64(base[index &+ middle]) &<< UInt64(8 &* middle)
        | UInt64(base[index &+ count &- 1]) &<< UInt64(8 &* count &- 8)
    }
    return word | blanks &<< UInt64(8 &* count)
  }

  private static var blanks: UInt64 { 0x2020_2020_2020_2020 }

  /// Copies the bytes to `memory`.
  @inlinable
  @inline(__always)
  public func store(to memory: UnsafeMutableRawPointer) {
    memory.storeBytes(of: bytes, as: SIMD16<UInt8>.self)
  }

  /// Whether all bytes are below 0x80.
  @inlinable
  @inline(__always)
  public var isASCII: Bool { Marks(bytes).isEmpty }

  /// Marks bytes of 0x80 or above.
  @inlinable
  @inline(__always)
  public var high: SIMD16<UInt8> { bytes }

  /// Marks bytes less than `bound`, at most 0x80.
  @inlinable
  @inline(__always)
  public func less(than bound: UInt8) -> SIMD16<UInt8> {
    bytes &- SIMD16(repeating: bound)
  }

  /// Marks bytes equal to `byte`, below 0x80.
  @inlinable
  @inline(__always)
  public func equals(_ byte: UInt8) -> SIMD16<UInt8> {
    (bytes ^ SIMD16(repeating: byte)) &- SIMD16(repeating: 1)
  }

  /// Marks bytes equal to `byte`, below 0x80, once `bit` is set in them: two that differ in one bit.
  @inlinable
  @inline(__always)
  public func equals(_ byte: UInt8, with bit: UInt8) -> SIMD16<UInt8> {
    ((bytes | SIMD16(repeating: bit)) ^ SIMD16(repeating: byte)) &- SIMD16(repeating: 1)
  }

  /// Marks bytes of a range below 0x80.
  @inlinable
  @inline(__always)
  public func isIn(_ range: ClosedRange<UInt8>) -> SIMD16<UInt8> {
    less(than: range.upperBound &+ 1) & ~less(than: range.lowerBound)
  }

  /// Marks bytes equal to `byte` of 0x80 or above; of the other tests' results use only those that
  /// ``below80(_:)`` lets through beside it.
  @inlinable
  @inline(__always)
  public func equalsHigh(_ byte: UInt8) -> SIMD16<UInt8> {
    let other = bytes ^ SIMD16(repeating: byte)
    return (other &- SIMD16(repeating: 1)) & ~other
  }

  /// The marks of tests that are right for bytes below 0x80.
  @inlinable
  @inline(__always)
  public func below80(_ marks: SIMD16<UInt8>) -> Marks { Marks(marks & ~bytes) }

  /// The marks of tests that are right for bytes below 0x80, and others.
  @inlinable
  @inline(__always)
  public func below80(_ marks: SIMD16<UInt8>, or others: SIMD16<UInt8>) -> Marks {
    Marks(marks & ~bytes | others)
  }

  /// Which bytes of a block are marked.
  public struct Marks {
    @usableFromInline
    let words: SIMD2<UInt64>

    @inlinable
    @inline(__always)
    init(_ marks: SIMD16<UInt8>) {
      words = unsafeBitCast(marks & SIMD16(repeating: 0x80), to: SIMD2<UInt64>.self)
    }

    @usableFromInline
    init(words: SIMD2<UInt64>) { self.words = words }

    /// The marks of the first `count` bytes, from -16, which is none like 0, to 32, which is all.
    @inlinable
    @inline(__always)
    public func before(_ count: Int) -> Marks {
      // The top bit is set where a place less `count` is negative.
      let places = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
      let isBefore = places &- SIMD16(repeating: UInt8(truncatingIfNeeded: count))
      return Marks(words: words & unsafeBitCast(isBefore, to: SIMD2<UInt64>.self))
    }

    /// Whether no byte is marked.
    @inlinable
    @inline(__always)
    public var isEmpty: Bool { words[0] | words[1] == 0 }

    /// The position of the first marked byte; some byte must be marked.
    @inlinable
    @inline(__always)
    public var first: Int {
      words[0] != 0
        ? words[0].littleEndian.trailingZeroBitCount &>> 3
        : 8 &+ words[1].littleEndian.trailingZeroBitCount &>> 3
    }
  }
}
