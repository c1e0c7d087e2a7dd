import Archive
import Bytes
import JSON

extension PageRenderer {
  /// Makes the items of a feed; those of the feed before are kept where it was the same.
  mutating func makeFeedItems(
    of scope: FeedScope?,
    _ selection: @autoclosure () -> FeedSelection
  ) throws {
    if let scope, scope == feedItems.scope {
      used.add(feedItems.trace)
      return
    }
    feedItems.scope = nil
    feedItems.text.removeAll()
    feedItems.items.removeAll(keepingCapacity: true)
    let selection = selection()
    try details.read(selection.entries)
    context.texts.prefetch(selection.entries)
    for (index, id) in selection.entries.enumerated() { makeFeedItem(id, at: index) }
    feedItems.selection = selection
    feedItems.scope = scope
    feedItems.trace = used.trace
  }

  private mutating func makeFeedItem(_ id: EntryID, at index: Int) {
    let context = context
    var item = FeedItem(entry: id)
    let start = feedItems.text.count
    feedItems.text.append(text: context.baseURL)
    context.appendPermalink(of: id, into: &feedItems.text)
    item.address = start..<feedItems.text.count
    let author = context.archive.entries[id.index].author
    if context.hasPage(author) {
      feedItems.text.append(text: context.baseURL)
      context.append(.person(author.index), into: &feedItems.text)
      item.authorAddress = item.address.upperBound..<feedItems.text.count
    }
    item.published = keepTime(context.archive.entries[id.index].date)
    item.updated = keepTime(context.archive.entries[id.index].updated)
    scratch.removeAll()
    context.appendDisplayName(of: author, into: &scratch)
    item.author = feedItems.keep(scratch)
    scratch.removeAll()
    appendFeedTitle(of: id, at: index)
    item.title = feedItems.keep(scratch)
    scratch.removeAll()
    appendFeedContent(of: id, at: index)
    item.content = feedItems.keep(scratch)
    feedItems.items.append(item)
  }

  private mutating func keepTime(_ time: Timestamp) -> Range<Int> {
    let start = feedItems.text.count
    times.appendISO(time, into: &feedItems.text)
    return start..<feedItems.text.count
  }

  /// Appends what a feed calls an entry to `scratch`: a post's title, else the beginning of the text,
  /// else the author.
  private mutating func appendFeedTitle(of id: EntryID, at index: Int) {
    let entry = context.archive.entries[id.index]
    if entry.kind == .post {
      scratch.append(text: context.archive.posts[Int(entry.container)].title)
    } else if let title = details.rare(index)?.title {
      scratch.append(text: title)
    }
    if !scratch.isEmpty { return }
    if entry.flags.contains(.sensitive) { return scratch.append(text: context.labels.sensitive) }
    appendExcerpt(of: id, at: index, limit: 80)
    if scratch.isEmpty { context.appendDisplayName(of: entry.author, into: &scratch) }
  }

  /// The tags of a post, as indices in `Archive.tags`.
  func feedTags(of entry: Entry) -> [UInt32] {
    entry.kind == .post ? context.archive.posts[Int(entry.container)].tags : []
  }

  /// Appends body and media to `scratch` as HTML with absolute addresses.
  private mutating func appendFeedContent(of id: EntryID, at index: Int) {
    let entry = context.archive.entries[id.index]
    let baseURL = context.baseURL
    if entry.flags.contains(.sensitive) {
      let warning = details.rare(index)?.sensitive ?? ""
      scratch.append("<p>")
      scratch.appendEscaped(
        text: warning.isEmpty ? context.labels.sensitive : warning
      )
      scratch.append("</p>\n")
      return
    }
    if let body = context.texts.body(of: id) {
      scratch.append(body.bytes)
    } else {
      _ = renderBody(
        entry,
        at: index,
        EntryPlacement(headingLevel: 1, hasHeading: true, hardBreaks: entry.kind == .message),
        root: baseURL
      )
    }
    let media = details.rare(index)?.media ?? []
    noteLookups(media, of: entry)
    for medium in media {
      guard let file = medium.file else { continue }
      used.insert(file)
      let output = context.archive.media.files[file].output
      let isPicture = medium.kind == .image
      scratch.append(isPicture ? "<p><img src=\"" : "<p><a href=\"")
      scratch.appendEscaped(text: baseURL)
      context.links.append(output, into: &scratch)
      scratch.append(isPicture ? "\" alt=\"" : "\">")
      scratch.appendEscaped(text: isPicture ? medium.alt : medium.fileName)
      scratch.append(isPicture ? "\"></p>\n" : "</a></p>\n")
    }
  }
}

/// The entries of a feed as both of its formats show them.
///
/// A feed's two documents are neighbours in the plan, so that what the first makes serves the second.
struct FeedItems: ~Copyable {
  /// Nil for what no other document shows.
  var scope: FeedScope?
  var selection = FeedSelection()
  /// What was asked for while the items were made.
  var trace = PageTrace()
  var items: [FeedItem] = []
  /// All their texts, not escaped.
  var text = ByteBuffer(capacity: 4096)

  /// Adds a text.
  mutating func keep(_ buffer: borrowing ByteBuffer) -> Range<Int> {
    let start = text.count
    text.append(contentsOf: buffer)
    return start..<text.count
  }
}

/// An entry in a feed, its texts in `FeedItems.text`.
struct FeedItem {
  let entry: EntryID
  var title = 0..<0
  /// With the base URL.
  var address = 0..<0
  var author = 0..<0
  /// With the base URL; empty for an author without a page.
  var authorAddress = 0..<0
  /// As RFC 3339; empty for undated.
  var published = 0..<0
  var updated = 0..<0
  /// HTML.
  var content = 0..<0

  init(entry: EntryID) { self.entry = entry }
}

extension ByteBuffer {
  /// Appends text to XML: what is escaped for HTML is well-formed in XML 1.0 too.
  mutating func appendXML(_ text: Span<UInt8>) { appendEscaped(text) }

  mutating func appendXML(_ text: String) { appendEscaped(text: text) }
}

extension ByteBuffer {
  mutating func appendXML(contentsOf buffer: borrowing ByteBuffer) { appendXML(buffer.bytes) }

  /// Appends a buffer as a JSON string, safe inside a `script` element as well.
  mutating func appendJSON(contentsOf buffer: borrowing ByteBuffer) {
    appendJSON(escapedForScript: buffer.bytes)
  }
}
