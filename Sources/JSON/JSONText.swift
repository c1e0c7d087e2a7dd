import Bytes
import CSimdJSON
import Glibc

/// Unescaped UTF-8 inside the parser's memory: a key or a string value.
///
/// Like the ``JSONValue`` it comes from, it is valid until the parser's next `parse`. It compares
/// as bytes, never as `String` (whose `==` and hash are quadratic on hostile text).
public struct JSONText {
  @usableFromInline
  let start: UnsafePointer<UInt8>
  /// The number of bytes.
  public let count: Int

  @inlinable
  init(start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  /// Whether there are no bytes.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// The bytes, for as long as the parser keeps them.
  @inlinable
  public var buffer: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: count)
  }

  /// The bytes, for as long as this value is held.
  @inlinable
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span(_unsafeStart: start, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// A copy of the bytes.
  @inlinable
  public var array: [UInt8] { [UInt8](buffer) }

  /// A copy as `String`.
  public var string: String { String(decoding: buffer, as: UTF8.self) }

  /// Whether bytes are well-formed UTF-8: a tenth of what the standard library takes.
  public static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    var index = 0
    while index < bytes.count {
      if !ByteBlock(bytes, from: index).isASCII {
        return csimdjson_is_utf8(start, bytes.count) != 0
      }
      index &+= ByteBlock.count
    }
    return true
  }

  /// Whether both hold the same bytes.
  @inlinable
  public static func == (left: JSONText, right: JSONText) -> Bool {
    left.count == right.count && memcmp(left.start, right.start, left.count) == 0
  }

  /// Whether the bytes are those of a literal.
  @inlinable
  public static func == (left: JSONText, right: StaticString) -> Bool {
    left.count == right.utf8CodeUnitCount
      && memcmp(left.start, right.utf8Start, left.count) == 0
  }

  /// Whether the bytes are the same.
  @inlinable
  public static func == (left: JSONText, right: [UInt8]) -> Bool {
    left.buffer.elementsEqual(right)
  }
}
