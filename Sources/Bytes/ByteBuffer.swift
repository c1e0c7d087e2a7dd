/// A growable run of bytes that a worker fills, hands to the writer, empties and fills again.
///
/// It owns its memory and cannot be copied by accident; `removeAll()` keeps the memory, so that one
/// buffer serves a whole build. Text is UTF-8.
public struct ByteBuffer: ~Copyable, Sendable {
  @usableFromInline
  // Safe to send: noncopyable, so there is one owner at a time.
  nonisolated(unsafe) var base: UnsafeMutablePointer<UInt8>
  @usableFromInline
  var capacity: Int
  @usableFromInline
  var length: Int
  /// The number of bytes written so far.
  @inlinable
  public var count: Int { length }

  /// Makes an empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    base = .allocate(capacity: self.capacity)
    length = 0
  }

  deinit { base.deallocate() }

  /// Whether nothing has been written.
  public var isEmpty: Bool { count == 0 }

  /// Forgets the content and keeps the memory.
  @inlinable
  public mutating func removeAll() { length = 0 }

  /// Drops everything after the first `length` bytes; a longer `length` changes nothing.
  public mutating func truncate(to length: Int) { self.length = min(count, max(length, 0)) }

  /// Makes room for `extra` more bytes.
  @inlinable
  @inline(__always)
  public mutating func reserve(_ extra: Int) {
    if count &+ extra > capacity { grow(by: extra) }
  }

  @usableFromInline
  @inline(never)
  mutating func grow(by extra: Int) {
    let wanted = max(capacity &* 2, count + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = wanted
  }

  /// The bytes written so far; valid until the buffer changes.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = Span(_unsafeStart: UnsafePointer(base), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Calls `body` with the bytes for a C function or a system call.
  public borrowing func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// A copy of the bytes.
  public var array: [UInt8] { [UInt8](UnsafeBufferPointer(start: base, count: count)) }

  /// The bytes as text, ill-formed sequences replaced by U+FFFD.
  public var string: String {
    String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }
}

extension ByteBuffer {
  /// Appends one byte.
  @inlinable
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    length &+= 1
  }

  /// Appends a literal without copying it into a `String` first.
  @inlinable
  @inline(__always)
  public mutating func append(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends text as UTF-8.
  public mutating func append(text: String) {
    text.withBytes { append($0) }
  }

  /// Appends bytes.
  @inlinable
  public mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends bytes.
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends bytes.
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends bytes that the caller keeps alive for the length of the call.
  @inlinable
  @inline(__always)
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    reserve(bytes.count)
    if bytes.count < 8 {
      copyTiny(start, bytes.count)
    } else if bytes.count <= 32 {
      copyShort(start, bytes.count)
    } else {
      (base + count).update(from: start, count: bytes.count)
    }
    length &+= bytes.count
  }

  /// Copies 8 to 32 bytes in words that may overlap; most pieces of a page are that short, and a
  /// call of `memmove` costs more than the copy.
  @inlinable
  @inline(__always)
  mutating func copyShort(_ start: UnsafePointer<UInt8>, _ size: Int) {
    let source = UnsafeRawPointer(start)
    let target = UnsafeMutableRawPointer(base + count)
    func copyWord(at offset: Int) {
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
        toByteOffset: offset,
        as: UInt64.self
      )
    }
    copyWord(at: 0)
    if size > 16 {
      copyWord(at: 8)
      copyWord(at: size &- 16)
    }
    copyWord(at: size &- 8)
  }

  /// Copies 1 to 7 bytes.
  @inlinable
  @inline(__always)
  mutating func copyTiny(_ start: UnsafePointer<UInt8>, _ size: Int) {
    let source = UnsafeRawPointer(start)
    let target = UnsafeMutableRawPointer(base + count)
    if size >= 4 {
      let head = source.loadUnaligned(as: UInt32.self)
      let tail = source.loadUnaligned(fromByteOffset: size &- 4, as: UInt32.self)
      target.storeBytes(of: head, as: UInt32.self)
      target.storeBytes(of: tail, toByteOffset: size &- 4, as: UInt32.self)
    } else {
      // Of one, two or three bytes: the first, the one in the middle, the last.
      let (head, middle, tail) = (start[0], start[size &>> 1], start[size &- 1])
      target.storeBytes(of: head, as: UInt8.self)
      target.storeBytes(of: middle, toByteOffset: size &>> 1, as: UInt8.self)
      target.storeBytes(of: tail, toByteOffset: size &- 1, as: UInt8.self)
    }
  }

  /// The most bytes that ``append(_:of:)`` takes in one step.
  public static let longestStep = 32

  /// Appends a part of bytes: like a copy of that part, and faster where it is short and the bytes
  /// go on for ``longestStep`` bytes from its beginning.
  ///
  /// Most pieces of a template are that short; two copies of a fixed size take less than one of
  /// theirs, and no branch that depends on it.
  @inlinable
  @inline(__always)
  public mutating func append(_ range: Range<Int>, of bytes: Span<UInt8>) {
    if Self.isStep(range, of: bytes) {
      _ = bytes.withUnsafeBytes { copyStep($0, range.lowerBound) }
      length &+= range.count
    } else {
      append(bytes.extracting(range))
    }
  }

  /// Whether two blocks from the beginning of a part hold it and lie within the bytes.
  @inlinable
  @inline(__always)
  static func isStep(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    range.count <= longestStep && range.lowerBound >= 0
      && range.lowerBound <= bytes.count &- longestStep
  }

  /// Copies two blocks to where the next bytes go, and returns them.
  @inlinable
  @inline(__always)
  mutating func copyStep(
    _ memory: UnsafeRawBufferPointer,
    _ start: Int
  ) -> (low: ByteBlock, high: ByteBlock)? {
    // An empty span has no beginning.
    guard let source = memory.baseAddress else { return nil }
    reserve(Self.longestStep)
    let blocks = (ByteBlock(source + start), ByteBlock(source + start + ByteBlock.count))
    blocks.0.store(to: base + count)
    blocks.1.store(to: base + count + ByteBlock.count)
    return blocks
  }

  /// Appends bytes that the buffer already holds.
  public mutating func append(copyOf range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    reserve(range.count)
    (base + count).update(from: base + range.lowerBound, count: range.count)
    length &+= range.count
  }

  /// Appends the lowest `count` bytes of a word, at most eight, the lowest first.
  @inlinable
  @inline(__always)
  public mutating func append(word: UInt64, count: Int) {
    reserve(8)
    UnsafeMutableRawPointer(base + self.count).storeBytes(of: word.littleEndian, as: UInt64.self)
    length &+= count
  }

  /// Appends the first `count` bytes of a block.
  @inlinable
  @inline(__always)
  public mutating func append(_ block: ByteBlock, count: Int) {
    reserve(ByteBlock.count)
    block.store(to: base + self.count)
    length &+= count
  }

  /// Appends a whole number in decimal.
  public mutating func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    if rest < 10 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest))
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      while rest > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      append(UnsafeBufferPointer(rebasing: digits[start..<20]))
    }
  }

  /// Appends a number in decimal, padded with zeros to at least `width` digits.
  public mutating func append(decimal value: Int, width: Int) {
    var bound = 10
    for _ in 1..<max(width, 1) {
      if value < bound { append(UInt8(ascii: "0")) }
      bound *= 10
    }
    append(decimal: value)
  }
}
