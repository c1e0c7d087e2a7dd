import CAllocator
import Synchronization

/// Settings of the C library's allocator.
public enum Heap {
  /// Has memory that is given back stay with the program, for the next who asks.
  ///
  /// A build takes and gives back large pieces all the time; each time that the system hands one out
  /// again, it has to be cleared and mapped anew, page by page. Meant for a command that ends soon.
  public static func keepMemory() {
    _ = mallopt(M_MMAP_THRESHOLD, 32 << 20)
    _ = mallopt(M_TRIM_THRESHOLD, 256 << 20)
    _ = mallopt(M_TOP_PAD, 16 << 20)
    isKept.store(true, ordering: .relaxed)
  }

  /// Makes room in the heap of the calling thread, if memory is kept.
  ///
  /// The heap of a thread grows page by page, each time by a call into the system.
  public static func widen() {
    if isKept.load(ordering: .relaxed) { callocator_widen(24 << 20) }
  }

  private static let isKept = Atomic(false)
}
