import CAllocator
import Glibc
import Synchronization

/// Settings of the C library's allocator.
public enum Heap {
  /// Larger pieces are the system's own, and go back to it at once.
  private static let largestPiece: Int32 = 1 << 20
  /// Bytes that a thread's heap is made to hold.
  private static let room: Int32 = 24 << 20

  /// Has memory that is given back stay with the program, for the next who asks.
  ///
  /// A build takes and gives back pieces all the time; each time that the system hands one out
  /// again, it has to be cleared and mapped anew, page by page. Meant for a command that ends soon.
  public static func keepMemory() {
    _ = mallopt(M_MMAP_THRESHOLD, largestPiece)
    _ = mallopt(M_TRIM_THRESHOLD, 256 << 20)
    _ = mallopt(M_TOP_PAD, 16 << 20)
    isKept.store(true, ordering: .relaxed)
  }

  /// Gives what is free back to the system: between stages of a build so large that what one of them
  /// leaves behind counts more than the time.
  public static func giveBack() { malloc_trim(0) }

  /// Makes room in the heap of the calling thread, if memory is kept.
  ///
  /// The heap of a thread grows bit by bit, each time by a call into the system, and is mapped page by
  /// page.
  public static func widen() {
    if isKept.load(ordering: .relaxed) { callocator_widen(room, largestPiece) }
  }

  /// Leaves something to the system, if memory is kept.
  ///
  /// When the command ends, the system takes back all memory at once: faster than piece by piece.
  public static func abandon<Value>(_ value: Value) {
    if isKept.load(ordering: .relaxed) { _ = Unmanaged.passRetained(Abandoned(value)) }
  }

  /// Asks the system for few large pages behind memory that was not touched yet.
  ///
  /// Of many small ones each would be cleared and mapped when it is first used. The system may do as
  /// it likes.
  public static func preferLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    let start = UInt(bitPattern: memory.baseAddress)
    callocator_prefer_large_pages(start, start + UInt(memory.count))
  }

  /// Asks for memory that will be read soon, so that the processor has it at hand by then.
  ///
  /// It brings many pieces at a time, but waits for each one that it has to read at once.
  public static func prefetch(_ memory: UnsafeRawPointer, count: Int) {
    for offset in stride(from: 0, to: count, by: cacheLine) { callocator_prefetch(memory + offset) }
  }

  private static let cacheLine = 64

  /// What a large page holds, in bytes, where the system has any.
  public static let largePage = 2 << 20

  private static let isKept = Atomic(false)
}

private final class Abandoned<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension Array {
  /// Asks for large pages behind the room that an array has reserved for elements to come.
  package mutating func preferLargePages() {
    let (count, capacity) = (count, capacity)
    withUnsafeMutableBufferPointer { elements in
      guard let start = elements.baseAddress else { return }
      let stride = MemoryLayout<Element>.stride
      Heap.preferLargePages(
        UnsafeMutableRawBufferPointer(
          start: UnsafeMutableRawPointer(start) + count * stride,
          count: (capacity - count) * stride
        )
      )
    }
  }
}
