import Archive
import Bytes
import JSON

extension PageRenderer {
  /// What a feed calls an entry: a post's title, else the beginning of the text, else the author.
  mutating func feedTitle(of id: EntryID, at index: Int) -> String {
    let entry = context.archive.entries[id.index]
    if entry.kind == .post {
      let title = context.archive.posts[Int(entry.container)].title
      if !title.isEmpty { return title }
    } else if let title = details.rare(index)?.title, !title.isEmpty {
      return title
    }
    if entry.flags.contains(.sensitive) { return context.labels.sensitive }
    let text = excerpt(of: id, at: index, limit: 80)
    return text.isEmpty ? displayName(of: entry.author) : text
  }

  func feedTags(of entry: Entry) -> [String] {
    guard entry.kind == .post else { return [] }
    return context.archive.posts[Int(entry.container)].tags.map {
      context.archive.tags[Int($0)].title
    }
  }

  /// Appends body and media to `scratch` as HTML with absolute addresses.
  mutating func appendFeedContent(of entry: Entry, at index: Int) {
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
    _ = renderBody(
      entry,
      at: index,
      EntryPlacement(headingLevel: 1, hasHeading: true, hardBreaks: entry.kind == .message),
      root: baseURL
    )
    for medium in details.rare(index)?.media ?? [] {
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
