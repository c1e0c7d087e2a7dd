import Archive
import Bytes
import JSON

extension PageRenderer {
  /// Appends a feed as JSON Feed 1.1.
  mutating func appendJSONFeed(
    _ selection: FeedSelection,
    path: String,
    into output: inout ByteBuffer
  ) {
    output.append(#"{"version":"https://jsonfeed.org/version/1.1","title":"#)
    output.appendJSON(string: selection.title)
    output.append(#","home_page_url":"#)
    output.appendJSON(string: absolute(selection.route))
    output.append(#","feed_url":"#)
    output.appendJSON(string: absolute(path))
    output.append(#","language":"#)
    output.appendJSON(string: context.configuration.language)
    output.append(#","items":["#)
    for (index, entry) in selection.entries.enumerated() {
      output.append(index == 0 ? "\n" : ",\n")
      appendItem(entry, at: index, into: &output)
    }
    output.append("\n]}\n")
  }

  private mutating func appendItem(
    _ id: EntryID,
    at index: Int,
    into output: inout ByteBuffer
  ) {
    let entry = context.archive.entries[id.index]
    scratch.removeAll()
    context.appendAbsolute(permalinkOf: id, into: &scratch)
    output.append(#"{"id":"#)
    output.appendJSON(contentsOf: scratch)
    output.append(#","url":"#)
    output.appendJSON(contentsOf: scratch)
    output.append(#","title":"#)
    output.appendJSON(string: feedTitle(of: id, at: index))
    scratch.removeAll()
    appendFeedContent(of: entry, at: index)
    output.append(#","content_html":"#)
    output.appendJSON(contentsOf: scratch)
    output.append(#","date_published":""#)
    output.append(rfc3339: entry.date)
    output.append("\"")
    if entry.flags.contains(.edited), !entry.updated.isUndated {
      output.append(#","date_modified":""#)
      output.append(rfc3339: entry.updated)
      output.append("\"")
    }
    output.append(#","authors":[{"name":"#)
    output.appendJSON(string: displayName(of: entry.author))
    if context.plan.hasPage(entry.author) {
      output.append(#","url":"#)
      output.appendJSON(string: absolute(Routes.person(context.archive.people[entry.author.index])))
    }
    output.append("}]")
    let tags = feedTags(of: entry)
    if !tags.isEmpty {
      output.append(#","tags":["#)
      for (index, tag) in tags.enumerated() {
        if index > 0 { output.append(",") }
        output.appendJSON(string: tag)
      }
      output.append("]")
    }
    output.append("}")
  }

  private func absolute(_ route: String) -> String {
    context.baseURL + context.links.url(route)
  }
}
