import Archive
import Bytes

/// Every page that a build will write, sorted by path, and what is needed to address any entry.
struct Plan: Sendable {
  let archive: Archive
  /// Sorted by path, in byte order; no path twice.
  private(set) var pages = PageTable()
  /// By channel; empty for topics channels.
  private(set) var buckets: [[Bucket]] = []
  /// Years and months that hold a post or a bucketed message, ascending.
  private(set) var months: [Month] = []
  /// Where lists of long entries are cut.
  private(set) var cuts = PartCuts()
  /// The comments that stand on thread pages.
  private(set) var deepThreads = DeepThreads()
  /// By channel: a board's messages by the time of their last change, then id; else empty.
  private(set) var boardOrders: [[EntryID]] = []
  /// By channel: its topics, as positions in `Archive.topics`, by their last message's time, then
  /// name.
  private(set) var topicOrders: [[Int]] = []
  /// By person: whether `/people/ID/` exists.
  private(set) var hasPage: [Bool] = []
  /// The pages of `Content/pages` that have the address they want.
  private(set) var standalone: [Int] = []
  /// The files of `Content/static` that are copied, by path.
  private(set) var staticFiles: [String] = []
  let hasFeed: Bool
  let hasTimeline: Bool

  /// Plans a site; what collides is left out and named.
  init(of archive: Archive, diagnostics: inout [Diagnostic]) {
    self.archive = archive
    hasFeed = !archive.posts.isEmpty || archive.channels.isEmpty
    buckets = archive.channels.map { channel in
      channel.view == .topics
        ? [] : Bucket.cut(channel.messages, of: archive, by: channel.bucket)
    }
    cuts = PartCuts(of: archive, buckets: buckets)
    boardOrders = archive.channels.map {
      $0.view == .board ? archive.byChange($0.messages.lazy.map { EntryID($0) }) : []
    }
    topicOrders = archive.channels.map { archive.byActivity($0.topics) }
    months = Self.months(of: archive, buckets: buckets)
    hasTimeline = !months.isEmpty
    hasPage = archive.people.map(\.deservesPage)
    deepThreads = DeepThreads(in: archive, cut: commentParts)
    var list = PageList(plan: self)
    list.addAll()
    pages = list.sorted(diagnostics: &diagnostics)
    standalone = pages.indices.compactMap {
      if case .standalone(let index) = pages.content(at: $0) { index } else { nil }
    }
    standalone.sort()
    staticFiles = StaticFiles.placed(in: archive, pages: pages, diagnostics: &diagnostics)
  }

  /// Whether a person is shown with a link.
  func hasPage(_ person: PersonID) -> Bool { person != .none && hasPage[person.index] }
}

extension Person {
  /// Whether a person is worth a page: named in `people.yml`, or seen more than once.
  ///
  /// A platform with a million names seen once shall not become a million pages.
  var deservesPage: Bool {
    hiding == .nothing && !entries.isEmpty && (isListed || entries.count > 1)
  }
}

extension Archive {
  /// Entries by the time of their last change, then id.
  func byChange(_ list: some Sequence<EntryID>) -> [EntryID] {
    list.sorted { left, right in
      let (a, b) = (entries[left.index], entries[right.index])
      if a.updated != b.updated { return a.updated < b.updated }
      return left < right
    }
  }

  /// Topics by the time of their last message, then name.
  func byActivity(_ range: Range<Int>) -> [Int] {
    range.sorted { left, right in
      let last = topics.messages(of: left).last ?? .none
      let other = topics.messages(of: right).last ?? .none
      if last == .none || other == .none { return last > other }
      let (date, otherDate) = (entries[last.index].date, entries[other.index].date)
      if date != otherDate { return date < otherDate }
      return topics.isNamed(left, before: right)
    }
  }
}
