import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// `/posts/SLUG/` and its further parts.
  mutating func fillPost(_ index: Int, part: Int) throws {
    let context = context
    let post = context.archive.posts[index]
    let parts = context.plan.commentParts(of: index)
    let members = comments(of: post, in: parts.range(of: part), below: nil)
    let order = context.configuration.commentOrder
    let tree = Thread(of: members, in: context.archive.entries, order: order)
    let shown = Self.entries(post.entry, tree)
    try details.read(shown)
    let placement = EntryPlacement(headingLevel: 1, hasHeading: true, timeStyle: .dateTime)
    prepareBody(
      of: post.entry,
      at: 0,
      placement,
      textLimit: context.baseURL.isEmpty ? nil : Self.rootTextLimit
    )
    let heading = headline(of: index, at: 0)
    let route = Routes.post(post, part: part)
    writeFrame(
      Frame(
        kind: "post",
        flag: .isPost,
        section: .feed,
        heading: heading,
        route: route,
        described: (post.entry, 0),
        feeds: .archive,
        previous: part > 1 ? Routes.post(post, part: part - 1) : nil,
        next: part < parts.total ? Routes.post(post, part: part + 1) : nil,
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
      author: context.archive.entries[post.entry.index].author,
      page: route
    )
    if !tree.nodes.isEmpty {
      let count = post.commentCount
      data.write(.commentsHeading) { context.labels.comments.append(count, into: &$0) }
      if post.comments.count > 1 {
        data.set(.order, context.labels.order(order))
      }
    }
    writeParts(.parts, parts, current: part) { Routes.post(post, part: $0) }
    writeNeighbours(of: index)
    writeThreadJSON(
      root: post.entry,
      heading: heading,
      tree: tree,
      at: 1,
      page: route
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
    let members = comments(of: post, in: range, below: root)
    let order = context.configuration.commentOrder
    let tree = Thread(of: members, in: context.archive.entries, order: order)
    try details.read(Self.entries(post.entry, tree))
    let heading = headline(of: index, at: 0)
    writeFrame(
      Frame(
        kind: "thread",
        flag: .isThread,
        section: .feed,
        heading: context.labels.strings.pattern("threadTitle").filled(with: heading),
        route: Routes.thread(
          post,
          root: context.archive.string(context.archive.entries[root.index].name)
        ),
        isArticle: true
      )
    )
    writePeople(of: members)
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
      page: Routes.thread(
        post,
        root: context.archive.string(context.archive.entries[root.index].name)
      )
    )
  }

  /// Those of a post's comments, by their places in its list, that stand on the thread page of `root`;
  /// on the part's own page for nil.
  private func comments(of post: Post, in range: Range<Int>, below root: EntryID?) -> [EntryID] {
    let deepThreads = context.plan.deepThreads
    var members: [EntryID] = []
    members.reserveCapacity(range.count)
    for place in range {
      let comment = EntryID(post.comments.lowerBound + place)
      if deepThreads.root(of: comment) == root { members.append(comment) }
    }
    return members
  }

  /// A post, then its comments in the order of the page.
  private static func entries(_ post: EntryID, _ comments: Thread) -> [EntryID] {
    var entries = [post]
    entries.reserveCapacity(1 + comments.nodes.count)
    for node in comments.nodes { entries.append(node.entry) }
    return entries
  }

  private mutating func writePeople(of entries: [EntryID]) {
    let context = context
    writeAside(
      people: entries.lazy.map { context.archive.entries[$0.index] }
        .filter { !$0.flags.contains(.deleted) }
        .map(\.author)
    )
  }

  /// What a post without a title is called: the beginning of its text, else its author's name.
  mutating func headline(of index: Int, at position: Int) -> String {
    let post = context.archive.posts[index]
    if !post.title.isEmpty { return post.title }
    let entry = context.archive.entries[post.entry.index]
    if entry.flags.contains(.deleted) { return context.labels.strings.text("deletedPost") }
    if entry.flags.contains(.sensitive) { return displayName(of: entry.author) }
    let text = excerpt(of: post.entry, at: position, limit: 60)
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
