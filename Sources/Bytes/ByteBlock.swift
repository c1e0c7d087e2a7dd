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

  /// Copies the bytes to `memory`.
  @inlinable
  @inline(__always)
  public func store(to memory: UnsafeMutableRawPointer) {
    memory.storeBytes(of: bytes, as: SIMD16<UInt8>.self)
  }

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
