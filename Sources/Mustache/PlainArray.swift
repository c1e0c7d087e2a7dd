/// An array of plain values with one owner.
///
/// An `Array` asks at each change whether somebody else holds its memory, and checks each index; on
/// the tape and the renderer's stacks that is a good part of the work. An index must be below
/// `count`: debug builds check it.
@usableFromInline
package struct PlainArray<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  // Safe to send: noncopyable, so there is one owner at a time.
  @usableFromInline
  nonisolated(unsafe) var base: UnsafeMutablePointer<Element>
  @usableFromInline
  var capacity: Int
  /// The number of values.
  @usableFromInline
  package internal(set) var count = 0

  init(capacity: Int = 64) {
    self.capacity = max(capacity, 1)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  var isEmpty: Bool { count == 0 }

  /// The values, valid until the array changes.
  var span: Span<Element> {
    @_lifetime(borrow self)
    get {
      let span = Span(_unsafeStart: UnsafePointer(base), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  @inlinable
  package subscript(_ index: Int) -> Element {
    @inline(__always)
    get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    @inline(__always)
    _modify {
      assert(index >= 0 && index < count)
      yield &base[index]
    }
  }

  @inlinable
  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    base[count] = element
    count &+= 1
  }

  /// Drops what stands at `count` and after it; a larger count changes nothing.
  @inline(__always)
  mutating func truncate(to count: Int) { self.count = min(self.count, max(count, 0)) }

  /// Takes the last value off; nil where there is none.
  @inline(__always)
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count &-= 1
    return base[count]
  }

  /// Forgets all values and keeps the memory.
  mutating func removeAll() { count = 0 }

  @usableFromInline
  @inline(never)
  mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
