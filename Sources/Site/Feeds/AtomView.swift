import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Appends `/feed.xml`, `/feed.json` or the like.
  mutating func renderFeed(
    _ scope: FeedScope,
    _ format: FeedFormat,
    path: String,
    into output: inout ByteBuffer
  ) throws {
    let context = context
    try makeFeedItems(of: scope, FeedSelection(scope, in: context))
    switch format {
    case .json: appendJSONFeed(path: path, into: &output)
    case .atom:
      beginAtom(feedItems.selection, path: path, into: &output)
      let archived = context.archive.posts.count / PageSize.feedDocument
      if scope == .archive, archived > 0 {
        appendAtomLink("prev-archive", Routes.feedArchive(archived), into: &output)
      }
      endAtom(into: &output)
    }
  }

  /// Appends `/feed/archive/N.xml` (RFC 5005, section 4).
  mutating func renderFeedArchive(
    _ number: Int,
    path: String,
    into output: inout ByteBuffer
  ) throws {
    let context = context
    try makeFeedItems(of: nil, FeedSelection(archived: number, in: context))
    beginAtom(feedItems.selection, path: path, into: &output)
    output.append("<fh:archive/>\n")
    appendAtomLink("current", "feed.xml", into: &output)
    if number > 1 {
      appendAtomLink("prev-archive", Routes.feedArchive(number - 1), into: &output)
    }
    if number < context.archive.posts.count / PageSize.feedDocument {
      appendAtomLink("next-archive", Routes.feedArchive(number + 1), into: &output)
    }
    endAtom(into: &output)
  }

  private func beginAtom(
    _ selection: FeedSelection,
    path: String,
    into output: inout ByteBuffer
  ) {
    output.append(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0" \
      xmlns:fh="http://purl.org/syndication/history/1.0" xml:lang="
      """
    )
    output.appendXML(context.configuration.language)
    output.append("\">\n<title>")
    output.appendXML(selection.title)
    output.append("</title>\n<id>")
    context.appendAbsolute(path, into: &output)
    output.append("</id>\n")
    appendAtomLink("self", path, into: &output)
    appendAtomLink("alternate", selection.route, into: &output)
    output.append("<updated>")
    let updated = context.archive.newestChange(selection.entries)
    output.append(rfc3339: updated ?? Timestamp(milliseconds: 0))
    output.append("</updated>\n<generator>Stillfeed</generator>\n")
  }

  private func endAtom(into output: inout ByteBuffer) {
    for item in feedItems.items { appendAtomEntry(item, into: &output) }
    output.append("</feed>\n")
  }

  private func appendAtomLink(
    _ relation: StaticString,
    _ route: String,
    into output: inout ByteBuffer
  ) {
    output.append("<link rel=\"")
    output.append(relation)
    output.append("\" href=\"")
    context.appendAbsolute(route, into: &output)
    output.append("\"/>\n")
  }

  private func appendAtomEntry(_ item: FeedItem, into output: inout ByteBuffer) {
    let context = context
    let text = feedItems.text.bytes
    let entry = context.archive.entries[item.entry.index]
    output.append("<entry>\n<id>")
    let start = output.count
    output.appendXML(text.extracting(item.address))
    let address = start..<output.count
    output.append("</id>\n<title>")
    output.appendXML(text.extracting(item.title))
    output.append("</title>\n<link rel=\"alternate\" href=\"")
    output.append(copyOf: address)
    output.append("\"/>\n<published>")
    output.append(text.extracting(item.published))
    output.append("</published>\n<updated>")
    output.append(text.extracting(item.updated.isEmpty ? item.published : item.updated))
    output.append("</updated>\n<author><name>")
    output.appendXML(text.extracting(item.author))
    output.append("</name>")
    if !item.authorAddress.isEmpty {
      output.append("<uri>")
      output.appendXML(text.extracting(item.authorAddress))
      output.append("</uri>")
    }
    output.append("</author>\n")
    appendAtomThread(entry, into: &output)
    for tag in feedTags(of: entry) {
      output.append("<category term=\"")
      output.appendXML(context.archive.tags[Int(tag)].title)
      output.append("\"/>\n")
    }
    if !item.content.isEmpty {
      output.append("<content type=\"html\">")
      output.appendXML(text.extracting(item.content))
      output.append("</content>\n")
    }
    output.append("</entry>\n")
  }

  /// RFC 4685: what the entry answers, and how many answer it.
  private func appendAtomThread(_ entry: Entry, into output: inout ByteBuffer) {
    let context = context
    let target: EntryID
    switch entry.kind {
    case .post:
      let count = context.archive.posts[Int(entry.container)].commentCount
      if count > 0 {
        output.append("<thr:total>")
        output.append(decimal: count)
        output.append("</thr:total>\n")
      }
      return
    case .comment:
      target =
        entry.parent == .none ? context.archive.posts[Int(entry.container)].entry : entry.parent
    case .message:
      if entry.parent == .none { return }
      target = entry.parent
    }
    output.append("<thr:in-reply-to ref=\"")
    let start = output.count
    context.appendAbsolute(permalinkOf: target, into: &output)
    let address = start..<output.count
    output.append("\" href=\"")
    output.append(copyOf: address)
    output.append("\"/>\n")
  }
}
