import Archive
import Bytes
import Markup
import Synchronization

/// What many pages show of an entry, kept from the first page that makes it: the beginning of its
/// text, and a post's body as HTML.
///
/// A body is kept only where it is the same on every page: without headings (their level depends on
/// the page), without what has to be looked up in the site, such as links inside it, and with nothing
/// wrong in it. Only so much is kept that memory stays bounded; pages make the rest themselves. What
/// is shown is the same either way, whoever comes first.
final class EntryTexts: Sendable {
  /// Characters of an excerpt; shorter ones are cut from it.
  static let excerptLimit = 160
  /// Entries that are kept at most: the first of the archive.
  private static let mostEntries = 250_000
  /// Bytes that are kept at most.
  private static let budget = 64 << 20

  /// By entry: the address of what is kept, 0 for nothing.
  private let excerpts: KeptAddresses
  /// By post.
  private let bodies: KeptAddresses
  private let chunks = Mutex<[KeptChunk]>([])

  init(_ archive: Archive) {
    let count = min(archive.entries.count, Self.mostEntries)
    excerpts = KeptAddresses(count)
    bodies = KeptAddresses(min(archive.posts.count, count))
  }

  deinit {
    excerpts.deallocate()
    bodies.deallocate()
  }

  /// Whether the excerpt of an entry is held.
  func holds(_ entry: EntryID) -> Bool { excerpts[entry.index] != nil }

  /// Asks memory for the excerpts of entries, which lie here and there in it: a list of them is then
  /// written without a wait for each.
  func prefetch(_ entries: [EntryID]) {
    for entry in entries { excerpts[entry.index]?.prefetch() }
  }

  /// Whether the excerpt of an entry isn't held yet and would be.
  @inline(__always)
  func wants(_ entry: EntryID, in room: TextRoom) -> Bool {
    entry.index < excerpts.count && !room.isFull && excerpts[entry.index] == nil
  }

  // What is held is handed out, and made elsewhere: so this object, which all workers share, is not
  // retained for each text.

  /// The excerpt of an entry, as long as `excerptLimit` lets it be; nil if it isn't held.
  @inline(__always)
  func excerpt(of entry: EntryID) -> KeptText? { excerpts[entry.index] }

  /// The body of a post; nil if it has to be rendered.
  @inline(__always)
  func body(of post: EntryID) -> KeptText? { bodies[post.index] }

  /// Holds an excerpt of the full length from now on, unless another worker's is.
  @inline(__always)
  func hold(excerpt: KeptText?, of entry: EntryID) { excerpts.set(entry.index, excerpt) }

  /// Whether the body of a post isn't held yet and would be.
  @inline(__always)
  func wantsBody(of post: EntryID, in room: TextRoom) -> Bool {
    post.index < bodies.count && !room.isFull && bodies[post.index] == nil
  }

  /// Holds a post's body that is the same on every page from now on, unless another worker's is.
  @inline(__always)
  func hold(body: KeptText?, of post: EntryID) { bodies.set(post.index, body) }

  /// Memory that stays until no page is rendered any more; nil when enough was given out.
  fileprivate func makeChunk(_ size: Int) -> UnsafeMutableRawBufferPointer? {
    chunks.withLock { chunks in
      if chunks.reduce(size, { $0 + $1.memory.count }) > Self.budget { return nil }
      let chunk = KeptChunk(size)
      chunks.append(chunk)
      return chunk.memory
    }
  }
}

/// Where one worker puts texts that are kept.
final class TextRoom {
  private static let size = 4 << 20
  private let texts: EntryTexts
  /// What is left of a chunk.
  private var left = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  fileprivate private(set) var isFull = false

  /// Room in these texts.
  init(_ texts: EntryTexts) { self.texts = texts }

  /// Copies a text; nil where there is no room.
  func keep(_ text: Span<UInt8>, isBigEmoji: Bool = false) -> KeptText? {
    // The next text begins at an even address of its own.
    let size = (KeptText.headLength + text.count + 7) & ~7
    if size > left.count {
      if isFull { return nil }
      guard let chunk = texts.makeChunk(max(Self.size, size)) else {
        isFull = true
        return nil
      }
      left = chunk
    }
    guard let kept = KeptText(writing: text, isBigEmoji: isBigEmoji, at: left) else { return nil }
    left = UnsafeMutableRawBufferPointer(rebasing: left[size...])
    return kept
  }
}

/// A text in memory that stays as long as its `EntryTexts`: its length and a mark, then its bytes.
struct KeptText {
  fileprivate static let headLength = 8
  fileprivate let start: UnsafeRawPointer

  fileprivate init(at start: UnsafeRawPointer) { self.start = start }

  fileprivate init?(
    writing text: Span<UInt8>,
    isBigEmoji: Bool,
    at memory: UnsafeMutableRawBufferPointer
  ) {
    guard let start = memory.baseAddress else { return nil }
    start.storeBytes(of: UInt32(clamping: text.count), as: UInt32.self)
    start.storeBytes(of: isBigEmoji ? 1 : 0, toByteOffset: 4, as: UInt32.self)
    text.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        (start + Self.headLength).copyMemory(from: base, byteCount: bytes.count)
      }
    }
    self.start = UnsafeRawPointer(start)
  }

  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: (start + Self.headLength).assumingMemoryBound(to: UInt8.self),
      count: Int(start.load(as: UInt32.self))
    )
  }

  /// Asks for as much as an excerpt mostly takes.
  func prefetch() { Heap.prefetch(start, count: Self.headLength + EntryTexts.excerptLimit) }

  /// Whether it is a body of nothing but emoji.
  var isBigEmoji: Bool { start.load(fromByteOffset: 4, as: UInt32.self) != 0 }
}

/// Memory of kept texts.
private final class KeptChunk: Sendable {
  // Safe to send: one worker writes there, and others read only what it has given an address to.
  nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

  init(_ size: Int) {
    memory = .allocate(byteCount: size, alignment: Heap.largePage)
    Heap.preferLargePages(memory)
  }

  deinit { memory.deallocate() }
}

/// Addresses of kept texts, set by one worker and read by others.
///
/// Whoever makes them gives their memory back: were they an object, it would be retained for each
/// text.
private struct KeptAddresses: Sendable {
  // Safe to send: its elements are atomic.
  private nonisolated(unsafe) let slots: UnsafeMutablePointer<Atomic<UInt>>
  let count: Int

  init(_ count: Int) {
    self.count = count
    slots = .allocate(capacity: max(count, 1))
    for index in 0..<count { (slots + index).initialize(to: Atomic(0)) }
  }

  func deallocate() {
    slots.deinitialize(count: count)
    slots.deallocate()
  }

  @inline(__always)
  subscript(_ index: Int) -> KeptText? {
    if index >= count { return nil }
    return UnsafeRawPointer(bitPattern: slots[index].load(ordering: .acquiring))
      .map { KeptText(at: $0) }
  }

  /// Sets an address unless another worker did.
  @inline(__always)
  func set(_ index: Int, _ text: KeptText?) {
    guard let text, index < count, slots[index].load(ordering: .relaxed) == 0 else { return }
    slots[index].store(UInt(bitPattern: text.start), ordering: .releasing)
  }
}

extension ByteBuffer {
  mutating func append(contentsOf buffer: borrowing ByteBuffer) { append(buffer.bytes) }
}
