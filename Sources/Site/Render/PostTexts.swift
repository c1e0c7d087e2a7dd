import Archive
import Bytes
import Markup
import Synchronization

/// What many pages show of a post, made once: the beginning of its text, and its body as HTML.
///
/// The body is kept only where it is the same on every page: without headings (their level depends
/// on the page) and without links inside the site (their way depends on it).
final class PostTexts: Sendable {
  /// Characters of an excerpt; shorter ones are cut from it.
  static let excerptLimit = 160

  struct Text: Sendable {
    var chunk = 0
    var excerpt = 0..<0
    /// Nil where the body has to be rendered for its page.
    var body: Range<Int>?
    var isBigEmoji = false
  }

  private let texts: [Text]
  private let chunks: [[UInt8]]

  /// No texts: every page makes its own.
  init() {
    texts = []
    chunks = []
  }

  fileprivate init(texts: [Text], chunks: [[UInt8]]) {
    self.texts = texts
    self.chunks = chunks
  }

  /// Appends the excerpt of a post, cut to `limit` characters; false if there are no texts.
  func appendExcerpt(of post: Int, limit: Int, to output: inout ByteBuffer) -> Bool {
    guard texts.indices.contains(post) else { return false }
    let text = texts[post]
    chunks[text.chunk].withUnsafeBufferPointer { bytes in
      let excerpt = UnsafeBufferPointer(rebasing: bytes[text.excerpt])
      if limit == Self.excerptLimit {
        output.append(excerpt)
      } else {
        Excerpt.append(excerpt.span, limit: limit, into: &output)
      }
    }
    return true
  }

  /// Appends the body of a post; nil if it has to be rendered, else whether it is only emoji.
  func appendBody(of post: Int, to output: inout ByteBuffer) -> Bool? {
    guard texts.indices.contains(post), let range = texts[post].body else { return nil }
    output.append(chunks[texts[post].chunk][range])
    return texts[post].isBigEmoji
  }
}

extension PostTexts {
  private struct Batch: Sendable {
    let start: Int
    let texts: [Text]
    let bytes: [UInt8]
    let diagnostics: [Diagnostic]
  }

  private final class Counter: Sendable {
    let next = Atomic(0)
    let kept = Atomic(0)
  }

  private static let batch = 256
  /// Bytes of bodies that are kept at most.
  private static let budget = 64 << 20

  /// Makes the texts of all posts.
  ///
  /// - Returns: The texts, and what was wrong with the bodies, by post.
  static func make(
    _ context: RenderContext,
    jobs: Int
  ) async throws -> (texts: PostTexts, diagnostics: [Diagnostic]) {
    let count = context.archive.posts.count
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
    let made = PostTexts(texts: texts, chunks: batches.map(\.bytes))
    return (made, batches.flatMap(\.diagnostics))
  }

  private static func work(_ context: RenderContext, _ counter: Counter) throws -> [Batch] {
    var renderer = PageRenderer(context)
    var batches: [Batch] = []
    let count = context.archive.posts.count
    while true {
      let start = counter.next.wrappingAdd(batch, ordering: .relaxed).oldValue
      if start >= count { return batches }
      let range = start..<min(start + batch, count)
      var bytes = ByteBuffer(capacity: 64 << 10)
      let keepsBodies = counter.kept.load(ordering: .relaxed) < budget
      let texts = try renderer.makeTexts(of: range, keepsBodies: keepsBodies, into: &bytes)
      counter.kept.wrappingAdd(bytes.count, ordering: .relaxed)
      batches.append(
        Batch(
          start: start,
          texts: texts,
          bytes: bytes.array,
          diagnostics: renderer.takeDiagnostics()
        )
      )
    }
  }
}

extension PageRenderer {
  fileprivate mutating func takeDiagnostics() -> [Diagnostic] {
    defer { diagnostics.removeAll() }
    return diagnostics
  }

  fileprivate mutating func makeTexts(
    of posts: Range<Int>,
    keepsBodies: Bool,
    into output: inout ByteBuffer
  ) throws -> [PostTexts.Text] {
    try details.read(posts.map { context.archive.posts[$0].entry })
    return posts.map { post in
      let index = post - posts.lowerBound
      let entry = context.archive.entries[context.archive.posts[post].entry.index]
      var text = PostTexts.Text()
      if entry.flags.contains(.deleted) { return text }
      scratch.removeAll()
      appendExcerpt(of: entry, at: index, limit: PostTexts.excerptLimit)
      let start = output.count
      output.append(contentsOf: scratch)
      text.excerpt = start..<output.count
      if !keepsBodies { return text }
      scratch.removeAll()
      used.wroteAddress = false
      _ = renderBody(entry, at: index, EntryPlacement(headingLevel: 1), root: "")
      if !used.wroteAddress, !scratch.holdsHeading {
        text.body = output.count..<(output.count + scratch.count)
        text.isBigEmoji = lastOutcome.isEmojiOnly
        output.append(contentsOf: scratch)
      } else {
        // Its page renders it again, and names what is wrong with it.
        diagnostics.removeAll { $0.path == context.archive.files[entry.record.file.index].path }
      }
      return text
    }
  }
}

extension ByteBuffer {
  fileprivate mutating func append(contentsOf buffer: borrowing ByteBuffer) {
    append(buffer.bytes)
  }

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
