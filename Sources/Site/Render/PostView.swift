import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// `/posts/SLUG/` and its further parts.
  mutating func fillPost(_ index: Int, part: Int) throws {
    let context = context
    let id = context.archive.posts[index].entry
    let parts = context.plan.commentParts(of: index)
    let order = context.configuration.commentOrder
    let tree = comments(of: index, in: parts.range(of: part), below: nil, order)
    let shown = Self.entries(id, tree)
    try details.read(shown)
    let placement = EntryPlacement(headingLevel: 1, hasHeading: true, timeStyle: .dateTime)
    prepareBody(
      of: id,
      at: 0,
      placement,
      textLimit: context.baseURL.isEmpty ? nil : Self.rootTextLimit
    )
    let heading = headline(of: index, at: 0)
    let route = context.plan.route(.post(index, part: part))
    let pageURL = context.links.url(route)
    writeFrame(
      Frame(
        kind: "post",
        flag: .isPost,
        section: .feed,
        heading: heading,
        route: route,
        described: (id, 0),
        feeds: .archive,
        previous: part > 1 ? context.plan.route(.post(index, part: part - 1)) : nil,
        next: part < parts.total ? context.plan.route(.post(index, part: part + 1)) : nil,
        isArticle: true,
        picture: picture(at: 0)
      )
    )
    writePeople(of: shown)
    data.beginObject(.post)
    writePost(index, at: 0, placement)
    data.endObject()
    writeComments(
      tree,
      at: 1,
      level: 3,
      author: context.archive.entries[id.index].author,
      pageURL: pageURL
    )
    if !tree.nodes.isEmpty {
      let count = context.archive.posts[index].commentCount
      data.write(.commentsHeading) { context.labels.comments.append(count, into: &$0) }
      if parts.count > 1 {
        data.set(.order, context.labels.order(order))
      }
    }
    writeParts(.parts, parts, current: part) { context.plan.route(.post(index, part: $0)) }
    writeNeighbours(of: index)
    writeThreadJSON(
      root: id,
      heading: heading,
      tree: tree,
      at: 1,
      pageURL: pageURL
    )
  }

  /// `/posts/SLUG/thread/ID/`.
  mutating func fillThread(_ index: Int, root: EntryID) throws {
    let context = context
    let post = context.archive.posts[index]
    let parts = context.plan.commentParts(of: index)
    let range = parts.range(
      of: parts.part(holding: root.index - post.comments.lowerBound)
    )
    let tree = comments(of: index, in: range, below: root, context.configuration.commentOrder)
    try details.read(Self.entries(post.entry, tree))
    let heading = headline(of: index, at: 0)
    let route = Routes.thread(
      post,
      root: context.archive.string(context.archive.entries[root.index].name)
    )
    writeFrame(
      Frame(
        kind: "thread",
        flag: .isThread,
        section: .feed,
        heading: context.labels.strings.pattern("threadTitle").filled(with: heading),
        route: route,
        isArticle: true
      )
    )
    writePeople(of: tree.nodes.lazy.map(\.entry))
    data.beginObject(.post)
    data.set(.title, heading)
    data.writeURL(.url) { context.append(.post(index, part: 1), into: &$0) }
    writeAuthor(.author, context.archive.entries[post.entry.index].author)
    data.endObject()
    writePermalink(.parentURL, of: root)
    writeComments(
      tree,
      at: 1,
      level: 2,
      author: context.archive.entries[post.entry.index].author,
      pageURL: context.links.url(route)
    )
  }

  /// The tree of those of a post's comments, by their places in its list, that stand on the thread
  /// page of `root`; on the part's own page for nil.
  private func comments(
    of post: Int,
    in range: Range<Int>,
    below root: EntryID?,
    _ order: Configuration.CommentOrder
  ) -> Thread {
    let context = context
    let start = context.archive.posts[post].comments.lowerBound
    let comments = (start + range.lowerBound)..<(start + range.upperBound)
    func isMember(_ comment: Int) -> Bool {
      context.plan.deepThreads.root(of: EntryID(comment)) == root
    }
    if comments.allSatisfy(isMember) {
      return Thread(of: comments, in: context.archive.entries, order: order)
    }
    let members = comments.filter(isMember).map { EntryID($0) }
    return Thread(of: members, in: context.archive.entries, order: order)
  }

  /// A post, then its comments in the order of the page.
  private static func entries(_ post: EntryID, _ comments: Thread) -> [EntryID] {
    var entries: [EntryID] = []
    entries.reserveCapacity(1 + comments.nodes.count)
    entries.append(post)
    for node in comments.nodes { entries.append(node.entry) }
    return entries
  }

  private mutating func writePeople(of entries: some Sequence<EntryID>) {
    tally.removeAll()
    for id in entries {
      let entry = context.archive.entries[id.index]
      if !entry.flags.contains(.deleted) { count(entry.author) }
    }
    writeAside()
  }

  /// What a post without a title is called: the beginning of its text, else its author's name.
  mutating func headline(of index: Int, at position: Int) -> String {
    let context = context
    let title = context.archive.posts[index].title
    if !title.isEmpty { return title }
    let id = context.archive.posts[index].entry
    let entry = context.archive.entries[id.index]
    if entry.flags.contains(.deleted) { return context.labels.strings.text("deletedPost") }
    if entry.flags.contains(.sensitive) { return displayName(of: entry.author) }
    let text = excerpt(of: id, at: position, limit: 60)
    return text.isEmpty ? displayName(of: entry.author) : text
  }

  /// Writes what previews of an entry's page say.
  mutating func writeDescription(of id: EntryID, at position: Int) {
    let entry = context.archive.entries[id.index]
    if entry.flags.contains(.deleted) || entry.flags.contains(.sensitive) { return }
    if let summary = details.rare(position)?.summary, !summary.isEmpty {
      return data.set(.description, summary)
    }
    scratch.removeAll()
    appendExcerpt(of: id, at: position, limit: 160)
    if !scratch.isEmpty { data.set(.description, contentsOf: scratch) }
  }

  private func picture(at position: Int) -> (file: Int, alt: String)? {
    guard
      let medium = details.rare(position)?.media.first(where: {
        $0.kind == .image && $0.file != nil
      }), let file = medium.file
    else { return nil }
    return (file, medium.alt)
  }

  private mutating func writeNeighbours(of index: Int) {
    if index > 0 { writeNeighbour(.earlier, index - 1) }
    if index + 1 < context.archive.posts.count { writeNeighbour(.later, index + 1) }
  }

  private mutating func writeNeighbour(_ key: Key, _ index: Int) {
    let context = context
    data.beginObject(key)
    let title = context.archive.posts[index].title
    let word = key == .earlier ? context.labels.earlier : context.labels.later
    let label = title.isEmpty ? word : title
    data.set(.title, label)
    data.set(.label, label)
    data.writeURL(.url) { context.append(.post(index, part: 1), into: &$0) }
    data.endObject()
  }
}
