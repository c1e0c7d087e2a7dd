import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Indents that are visible; deeper comments say whom they answer.
  private static let visibleDepth = 6
  /// Nested lists; deeper comments stand in the deepest one.
  private static let nestedDepth = PageSize.threadDepth - 1

  /// Writes a tree of comments, or of a topic's messages, nested; nothing for an empty one.
  ///
  /// - Parameters:
  ///   - tree: What to write.
  ///   - offset: Where the tree's first entry stands in the batch that `details` has read.
  ///   - level: The level of a title's heading.
  ///   - author: Whose comments are marked as the author's.
  ///   - pageURL: The address of the page below the site's root, on which the entries have their
  ///     permalinks.
  mutating func writeComments(
    _ tree: Thread,
    at offset: Int,
    level: Int,
    author: PersonID,
    pageURL: String
  ) {
    if tree.nodes.isEmpty { return }
    data.beginObject(.comments)
    data.beginArray(.items)
    var open = -1
    for (index, node) in tree.nodes.enumerated() {
      let depth = min(Int(node.depth), Self.nestedDepth)
      if depth > open {
        if open >= 0 {
          data.beginObject(.replies)
          data.beginArray(.items)
        }
      } else {
        for level in stride(from: open, through: depth, by: -1) {
          data.endObject()
          data.endObject()
          if level > depth {
            data.endArray()
            data.endObject()
          }
        }
      }
      data.beginObject()
      data.beginObject(.comment)
      writeComment(node, at: offset + index, level: level, author: author, pageURL: pageURL)
      open = depth
    }
    for level in stride(from: open, through: 0, by: -1) {
      data.endObject()
      data.endObject()
      if level > 0 {
        data.endArray()
        data.endObject()
      }
    }
    data.endArray()
    data.endObject()
  }

  private mutating func writeComment(
    _ node: Thread.Node,
    at index: Int,
    level: Int,
    author: PersonID,
    pageURL: String
  ) {
    let context = context
    let entry = context.archive.entries[node.entry.index]
    writeCommon(
      node.entry,
      at: index,
      EntryPlacement(
        headingLevel: level,
        timeStyle: .dateTime,
        hardBreaks: entry.kind == .message,
        pageURL: pageURL
      )
    )
    data.set(.level, level)
    data.set(.depth, Int(node.depth))
    data.flag(
      .isAuthor,
      author != .none && entry.author == author && !entry.flags.contains(.deleted)
    )
    let isFar = entry.parent != .none && node.depth == 0
    if entry.flags.contains(.missingParent) {
      data.flag(.flat)
      data.beginObject(.replyTo)
      data.flag(.missing)
      data.endObject()
    } else if entry.parent != .none, isFar || node.depth >= Self.visibleDepth {
      data.flag(.flat)
      data.beginObject(.replyTo)
      let parent = context.archive.entries[entry.parent.index]
      data.set(.name, displayName(of: parent.author))
      writePermalink(.url, of: entry.parent)
      data.endObject()
    }
    if context.plan.deepThreads.hasPage(node.entry) {
      let post = context.archive.posts[Int(entry.container)]
      let name = context.archive.string(entry.name)
      data.writeURL(.moreURL) { context.links.append(Routes.thread(post, root: name), into: &$0) }
      data.set(.moreLabel, context.labels.strings.text("continueThread"))
    }
  }
}
