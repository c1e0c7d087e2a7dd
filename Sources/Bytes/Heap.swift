import CAllocator
import Glibc
import Synchronization

/// Settings of the C library's allocator.
public enum Heap {
  /// Larger pieces are the system's own, and go back to it at once.
  private static let largestPiece: Int32 = 1 << 20

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
  /// The heap of a thread grows page by page, each time by a call into the system.
  public static func widen() {
    if isKept.load(ordering: .relaxed) { callocator_widen(48, Int(largestPiece / 2)) }
  }

  /// Asks the system for few large pages behind memory that was not touched yet.
  ///
  /// Of many small ones each would be cleared and mapped when it is first used. The system may do as
  /// it likes.
  public static func preferLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count >= 2 * largePage else { return }
    let first = UInt(bitPattern: start + largePage - 1) & ~UInt(largePage - 1)
    let end = UInt(bitPattern: start + memory.count) & ~UInt(largePage - 1)
    _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_HUGEPAGE)
  }

  /// Asks for memory that will be read soon, so that the processor has it at hand by then.
  ///
  /// It brings many pieces at a time, but waits for each one that it has to read at once.
  public static func prefetch(_ memory: UnsafeRawPointer, count: Int) {
    for offset in stride(from: 0, to: count, by: cacheLine) { callocator_prefetch(memory + offset) }
  }

  private static let cacheLine = 64
  private static let largePage = 2 << 20
  private static let isKept = Atomic(false)
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
