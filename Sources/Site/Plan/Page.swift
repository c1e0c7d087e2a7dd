import Archive

/// One file that a build writes, and what stands on it.
struct Page: Sendable {
  /// Where it stands below the output folder, as raw NFC names: `posts/rain/index.html`.
  let path: String
  let content: PageContent
}

/// What a page is made of: positions in the archive, never the things themselves.
///
/// A `number` counts pages from the oldest end, from 1; nil is the front page, which shows the
/// newest. A `part` counts from 1.
enum PageContent: Hashable, Sendable {
  /// `/`, `/page/N/`: an index range of `Archive.posts`.
  case feed(number: Int?)
  /// `/posts/SLUG/`, `/posts/SLUG/2/`.
  case post(Int, part: Int)
  /// `/posts/SLUG/thread/ID/`: the answers to a comment that stands at the depth limit.
  case thread(post: Int, root: EntryID)
  /// `/channels/`, or `/` when the archive has no posts.
  case channels
  /// `/channels/CH/` of a chat.
  case chatFront(channel: Int)
  /// `/channels/CH/2024/05/17/`, `/channels/CH/2024/05/17/2/`: chats and boards.
  case bucket(channel: Int, bucket: Int, part: Int)
  /// `/channels/CH/`, `…/newest/`, `…/newest/page/N/`, `…/oldest/`, `…/oldest/page/N/`.
  case board(channel: Int, order: BoardOrder, number: Int?)
  /// `/channels/CH/`, `/channels/CH/page/N/` of a topics channel.
  case topics(channel: Int, number: Int?)
  /// `/channels/CH/topics/ID/`, `…/page/N/`.
  case topic(Int, part: Int)
  case people(number: Int?)
  case person(Int, number: Int?)
  case tags
  case tag(Int, number: Int?)
  case timeline
  case month(Int)
  /// `/SLUG/` of `Content/pages`.
  case standalone(Int)
  case missing
  /// An old path; `target` is a path below the output folder, like `Page.path`.
  case redirect(target: String)
  case feedDocument(FeedScope, FeedFormat)
  /// `/feed/archive/N.xml`, numbered from the oldest.
  case feedArchive(Int)
  /// `/sitemap.xml` (nil: the only one, or the index of several), `/sitemap-N.xml`.
  case sitemap(Int?)
  case robots
  /// `/.nojekyll`, empty.
  case noJekyll
}

enum BoardOrder: Hashable, Sendable {
  /// The channel's own address: newest first.
  case front
  case newest
  case oldest
}

/// What a feed document is about.
enum FeedScope: Hashable, Sendable {
  case archive
  case channel(Int)
  case person(Int)
  case tag(Int)
}

enum FeedFormat: Hashable, Sendable {
  case atom
  case json
}
