import Archive
import Bytes
import Markup
import Synchronization

/// What many pages show of an entry, made once: the beginning of its text, and a post's body as HTML.
///
/// A body is kept only where it is the same on every page: without headings (their level depends on
/// the page), without what has to be looked up in the site, such as links inside it, and with nothing
/// wrong in it. Only the first entries of a large archive are held, so that memory stays bounded;
/// pages make the others themselves.
final class EntryTexts: Sendable {
  /// Characters of an excerpt; shorter ones are cut from it.
  static let excerptLimit = 160

  struct Text: Sendable {
    var chunk = 0
    var excerpt = 0..<0
    /// Nil where the body has to be rendered for its page.
    var body: Range<Int>?
    var isBigEmoji = false
  }

  /// Holds the bytes of some entries' texts.
  fileprivate final class Chunk: Sendable {
    private let buffer: ByteBuffer

    init(copying bytes: Span<UInt8>) {
      var buffer = ByteBuffer(capacity: bytes.count)
      buffer.append(bytes)
      self.buffer = buffer
    }

    /// The bytes, for as long as the chunk is held.
    var bytes: UnsafeBufferPointer<UInt8> {
      buffer.withUnsafeBytes { $0.bindMemory(to: UInt8.self) }
    }
  }

  private let texts: [Text]
  private let chunks: [Chunk]
  // Safe to send: what `chunks` hold, never written. Asking a chunk would count its references up and
  // down, to and fro between the workers.
  private nonisolated(unsafe) let bytes: [UnsafeBufferPointer<UInt8>]

  /// No texts: every page makes its own.
  convenience init() { self.init(texts: [], chunks: []) }

  fileprivate init(texts: [Text], chunks: [Chunk]) {
    self.texts = texts
    self.chunks = chunks
    bytes = chunks.map(\.bytes)
  }

  /// Whether the excerpt of an entry is held.
  func holds(_ entry: EntryID) -> Bool { entry.index < texts.count }

  /// Appends the excerpt of an entry, cut to `limit` characters; false if it isn't held.
  func appendExcerpt(of entry: EntryID, limit: Int, to output: inout ByteBuffer) -> Bool {
    guard holds(entry) else { return false }
    let text = texts[entry.index]
    let excerpt = UnsafeBufferPointer(rebasing: bytes[text.chunk][text.excerpt])
    if limit == Self.excerptLimit {
      output.append(excerpt)
    } else {
      Excerpt.append(excerpt.span, limit: limit, into: &output)
    }
    return true
  }

  /// Appends the body of a post; nil if it has to be rendered, else whether it is only emoji.
  func appendBody(of post: EntryID, to output: inout ByteBuffer) -> Bool? {
    guard holds(post), let range = texts[post.index].body else { return nil }
    output.append(UnsafeBufferPointer(rebasing: bytes[texts[post.index].chunk][range]))
    return texts[post.index].isBigEmoji
  }
}

extension EntryTexts {
  private struct Batch: Sendable {
    let start: Int
    let texts: [Text]
    let chunk: Chunk
  }

  private final class Counter: Sendable {
    let next = Atomic(0)
    let kept = Atomic(0)
  }

  private static let batch = 256
  /// Bytes that are kept at most before bodies are left out.
  private static let budget = 64 << 20
  /// Entries whose excerpts are kept at most.
  private static let largest = 250_000

  /// Makes the texts of the first entries: posts, then comments, then messages.
  ///
  /// What is wrong with a body is said by the pages that show it: such a body isn't held.
  static func make(_ context: RenderContext, jobs: Int) async throws -> EntryTexts {
    let count = min(context.archive.entries.count, largest)
    let counter = Counter()
    let batches = try await withThrowingTaskGroup(of: [Batch].self) { group in
      for _ in 0..<jobs { group.addTask { try work(RenderContext(copying: context), counter) } }
      var batches: [Batch] = []
      for try await some in group { batches += some }
      return batches.sorted { $0.start < $1.start }
    }
    var texts: [Text] = []
    texts.reserveCapacity(count)
    for (chunk, batch) in batches.enumerated() {
      for var text in batch.texts {
        text.chunk = chunk
        texts.append(text)
      }
    }
    return EntryTexts(texts: texts, chunks: batches.map(\.chunk))
  }

  private static func work(_ context: RenderContext, _ counter: Counter) throws -> [Batch] {
    var renderer = PageRenderer(context)
    var batches: [Batch] = []
    var bytes = ByteBuffer(capacity: 64 << 10)
    let count = min(context.archive.entries.count, largest)
    while true {
      let start = counter.next.wrappingAdd(batch, ordering: .relaxed).oldValue
      if start >= count { return batches }
      let range = start..<min(start + batch, count)
      bytes.removeAll()
      let keepsBodies = counter.kept.load(ordering: .relaxed) < budget
      let texts = try renderer.makeTexts(of: range, keepsBodies: keepsBodies, into: &bytes)
      counter.kept.wrappingAdd(bytes.count, ordering: .relaxed)
      batches.append(Batch(start: start, texts: texts, chunk: Chunk(copying: bytes.bytes)))
    }
  }
}

extension PageRenderer {
  fileprivate mutating func makeTexts(
    of entries: Range<Int>,
    keepsBodies: Bool,
    into output: inout ByteBuffer
  ) throws -> [EntryTexts.Text] {
    try details.read(entries.map { EntryID($0) })
    let texts = entries.map { number in
      let index = number - entries.lowerBound
      let entry = context.archive.entries[number]
      var text = EntryTexts.Text()
      if entry.flags.contains(.deleted) { return text }
      scratch.removeAll()
      appendExcerpt(of: EntryID(number), at: index, limit: EntryTexts.excerptLimit)
      let start = output.count
      output.append(contentsOf: scratch)
      text.excerpt = start..<output.count
      if !keepsBodies || entry.kind != .post { return text }
      scratch.removeAll()
      _ = used.takeTrace()
      _ = renderBody(entry, at: index, EntryPlacement(headingLevel: 1), root: "")
      if !used.hasLookups, diagnostics.isEmpty, !scratch.holdsHeading {
        text.body = output.count..<(output.count + scratch.count)
        text.isBigEmoji = lastOutcome.isEmojiOnly
        output.append(contentsOf: scratch)
      }
      diagnostics.removeAll()
      return text
    }
    if let failure { throw failure }
    return texts
  }
}

extension ByteBuffer {
  mutating func append(contentsOf buffer: borrowing ByteBuffer) { append(buffer.bytes) }

  /// Whether there is a heading: `<h1` to `<h6`; elsewhere `<` is escaped.
  fileprivate var holdsHeading: Bool {
    let bytes = bytes
    var index = 0
    while index + 2 < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), bytes[index + 1] == UInt8(ascii: "h"),
        (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[index + 2])
      {
        return true
      }
      index += 1
    }
    return false
  }
}
