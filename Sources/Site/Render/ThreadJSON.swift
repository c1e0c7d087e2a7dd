import Archive
import Bytes
import JSON
import Mustache

extension PageRenderer {
  /// Characters of the text that are repeated for search engines, of the root and of a comment.
  static let rootTextLimit = 500
  private static let commentTextLimit = EntryTexts.excerptLimit

  /// Writes a thread as JSON-LD (schema.org `DiscussionForumPosting` with nested `Comment`), for
  /// search engines; only with a base URL, since it speaks of addresses.
  ///
  /// - Parameters:
  ///   - root: The post, or the first message of a topic.
  ///   - heading: Its headline.
  ///   - tree: The page's comments; where it holds the root, that node is passed over.
  ///   - offset: Where the tree's first entry stands in the batch; a root outside stands at 0.
  ///   - pageURL: The address of the page below the site's root.
  mutating func writeThreadJSON(
    root: EntryID,
    heading: String,
    tree: Thread,
    at offset: Int,
    pageURL: String
  ) {
    let context = context
    if context.baseURL.isEmpty { return }
    let entry = context.archive.entries[root.index]
    if entry.flags.contains(.deleted) { return }
    json.removeAll()
    json.append(#"{"@context":"https://schema.org","@type":"DiscussionForumPosting","headline":"#)
    json.appendJSON(escapedForScript: heading)
    appendFields(of: root, at: 0, pageURL: pageURL, limit: Self.rootTextLimit)
    appendCounts(of: entry)
    var open = -1
    let base = Int(tree.nodes.first { $0.entry != root }?.depth ?? 0)
    for (index, node) in tree.nodes.enumerated() where node.entry != root {
      if context.archive.entries[node.entry.index].flags.contains(.deleted) { continue }
      // Tombstones are left out, so a level may be skipped: it is folded into the one above.
      let depth = min(max(Int(node.depth) - base, 0), open + 1)
      if depth > open {
        json.append(#","comment":["#)
      } else {
        for level in stride(from: open, through: depth, by: -1) {
          json.append("}")
          if level > depth { json.append("]") }
        }
        json.append(",")
      }
      json.append(#"{"@type":"Comment""#)
      appendFields(
        of: node.entry,
        at: offset + index,
        pageURL: pageURL,
        limit: Self.commentTextLimit
      )
      open = depth
    }
    for _ in stride(from: open, through: 0, by: -1) { json.append("}]") }
    json.append("}")
    data.set(.jsonLD, contentsOf: json)
  }

  private mutating func appendFields(
    of id: EntryID,
    at index: Int,
    pageURL: String,
    limit: Int
  ) {
    let context = context
    let entry = context.archive.entries[id.index]
    json.append(#","url":"#)
    scratch.removeAll()
    scratch.append(text: context.baseURL)
    scratch.append(text: pageURL)
    if entry.kind != .post { context.appendFragment(of: entry, into: &scratch) }
    json.appendJSON(contentsOf: scratch)
    if !entry.date.isUndated {
      json.append(#","datePublished":""#)
      times.appendISO(entry.date, into: &json)
      json.append("\"")
    }
    if entry.flags.contains(.edited), !entry.updated.isUndated {
      json.append(#","dateModified":""#)
      times.appendISO(entry.updated, into: &json)
      json.append("\"")
    }
    json.append(#","author":{"@type":"Person","name":"#)
    scratch.removeAll()
    context.appendDisplayName(of: entry.author, into: &scratch)
    json.appendJSON(contentsOf: scratch)
    json.append(#"},"text":"#)
    let isSensitive = entry.flags.contains(.sensitive)
    if limit == Self.rootTextLimit, !ownText.isEmpty, !isSensitive {
      json.appendJSON(contentsOf: ownText)
      return
    }
    scratch.removeAll()
    if isSensitive {
      scratch.append(text: context.labels.sensitive)
    } else {
      appendExcerpt(of: id, at: index, limit: limit)
    }
    json.appendJSON(contentsOf: scratch)
  }

  private mutating func appendCounts(of entry: Entry) {
    let comments =
      entry.kind == .post
      ? context.archive.posts[Int(entry.container)].commentCount : 0
    appendCounter("LikeAction", Int(entry.likes), isFirst: true)
    appendCounter("CommentAction", comments, isFirst: entry.likes == 0)
    if entry.likes > 0 || comments > 0 { json.append("]") }
  }

  private mutating func appendCounter(_ action: StaticString, _ count: Int, isFirst: Bool) {
    if count == 0 { return }
    json.append(isFirst ? #","interactionStatistic":["# : ",")
    json.append(#"{"@type":"InteractionCounter","interactionType":"https://schema.org/"#)
    json.append(action)
    json.append(#"","userInteractionCount":"#)
    json.append(decimal: count)
    json.append("}")
  }
}
