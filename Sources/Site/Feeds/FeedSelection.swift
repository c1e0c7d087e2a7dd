import Archive
import Bytes

/// Which entries a feed document holds.
struct FeedSelection {
  let title: String
  /// The page that the feed is about, below the site's root.
  let route: String
  /// The newest first, those without a date left out: a feed needs times.
  let entries: [EntryID]

  /// Nothing.
  init() {
    title = ""
    route = ""
    entries = []
  }

  init(_ scope: FeedScope, in context: RenderContext) {
    let limit = PageSize.feedDocument
    let candidates: [EntryID]
    switch scope {
    case .archive:
      title = context.archive.configuration.displayTitle
      route = ""
      candidates =
        context.archive.posts.isEmpty
        ? context.archive.newestMessages(limit) : context.archive.posts.suffix(limit).map(\.entry)
    case .channel(let index):
      let channel = context.archive.channels[index]
      title = "\(channel.title) · \(context.archive.configuration.displayTitle)"
      route = Routes.channel(channel)
      candidates = channel.messages.suffix(limit).map { EntryID($0) }
    case .person(let index):
      let person = context.archive.people[index]
      title = "\(person.displayName) · \(context.archive.configuration.displayTitle)"
      route = Routes.person(person)
      candidates = Array(person.entries.suffix(limit))
    case .tag(let index):
      let tag = context.archive.tags[index]
      title = "\(tag.title) · \(context.archive.configuration.displayTitle)"
      route = Routes.tag(tag)
      candidates = tag.entries.suffix(limit)
    }
    entries = candidates.reversed().filter { context.archive.isFeedWorthy($0) }
  }

  /// A page of the archived feed (RFC 5005, section 4).
  init(archived number: Int, in context: RenderContext) {
    title = context.archive.configuration.displayTitle
    route = ""
    let size = PageSize.feedDocument
    let range = ((number - 1) * size)..<(number * size)
    entries = context.archive.posts[range].map(\.entry).reversed()
      .filter { context.archive.isFeedWorthy($0) }
  }
}

extension Archive {
  fileprivate func isFeedWorthy(_ id: EntryID) -> Bool {
    let entry = entries[id.index]
    return !entry.date.isUndated && !entry.flags.contains(.deleted)
  }

  /// The newest messages over all channels, in time order.
  fileprivate func newestMessages(_ limit: Int) -> [EntryID] {
    let candidates = channels.flatMap { $0.messages.suffix(limit).map { EntryID($0) } }
    return candidates.sorted { left, right in
      let (a, b) = (entries[left.index].date, entries[right.index].date)
      return a == b ? left < right : a < b
    }
    .suffix(limit)
  }

  /// The newest time of change among entries.
  func newestChange(_ list: [EntryID]) -> Timestamp? {
    list.lazy.map { entries[$0.index].updated }.filter { !$0.isUndated }.max()
  }
}
