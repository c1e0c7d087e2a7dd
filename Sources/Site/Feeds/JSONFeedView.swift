import Archive
import Bytes
import JSON

extension PageRenderer {
  /// Appends a feed as JSON Feed 1.1.
  func appendJSONFeed(path: String, into output: inout ByteBuffer) {
    let selection = feedItems.selection
    output.append(#"{"version":"https://jsonfeed.org/version/1.1","title":"#)
    output.appendJSON(string: selection.title)
    output.append(#","home_page_url":"#)
    output.appendJSON(string: absolute(selection.route))
    output.append(#","feed_url":"#)
    output.appendJSON(string: absolute(path))
    output.append(#","language":"#)
    output.appendJSON(string: context.configuration.language)
    output.append(#","items":["#)
    for index in feedItems.items.indices {
      output.append(index == 0 ? "\n" : ",\n")
      appendItem(feedItems.items[index], into: &output)
    }
    output.append("\n]}\n")
  }

  private func appendItem(_ item: FeedItem, into output: inout ByteBuffer) {
    let context = context
    let text = feedItems.text.bytes
    let entry = context.archive.entries[item.entry.index]
    output.append(#"{"id":"#)
    let start = output.count
    output.appendJSON(escapedForScript: text.extracting(item.address))
    let address = start..<output.count
    output.append(#","url":"#)
    output.append(copyOf: address)
    output.append(#","title":"#)
    output.appendJSON(string: text.extracting(item.title))
    output.append(#","content_html":"#)
    output.appendJSON(escapedForScript: text.extracting(item.content))
    output.append(#","date_published":""#)
    output.append(text.extracting(item.published))
    output.append("\"")
    if entry.flags.contains(.edited), !item.updated.isEmpty {
      output.append(#","date_modified":""#)
      output.append(text.extracting(item.updated))
      output.append("\"")
    }
    output.append(#","authors":[{"name":"#)
    output.appendJSON(string: text.extracting(item.author))
    if !item.authorAddress.isEmpty {
      output.append(#","url":"#)
      output.appendJSON(escapedForScript: text.extracting(item.authorAddress))
    }
    output.append("}]")
    let tags = feedTags(of: entry)
    if !tags.isEmpty {
      output.append(#","tags":["#)
      for (index, tag) in tags.enumerated() {
        if index > 0 { output.append(",") }
        output.appendJSON(string: context.archive.tags[Int(tag)].title)
      }
      output.append("]")
    }
    output.append("}")
  }

  private func absolute(_ route: String) -> String {
    context.baseURL + context.links.url(route)
  }
}
