import Archive
import Bytes

/// Gathers the pages of a plan, kind by kind.
struct PageList {
  private let plan: Plan
  private let archive: Archive
  private var pages = PageTable()

  init(plan: Plan) {
    self.plan = plan
    archive = plan.archive
  }

  mutating func addAll() {
    addPosts()
    addChannels()
    addPeople()
    addTags()
    addTimeline()
    addStandalone()
    addFeeds()
    addFurniture()
  }

  /// The pages by path, without those whose path was taken: the earlier kind keeps it.
  ///
  /// Pages and aliases that users name come last, and stand neither below a file nor in a folder's
  /// place.
  func sorted(diagnostics: inout [Diagnostic]) -> PageTable {
    var taken = TakenPaths(pages)
    var kept: [UInt32] = []
    kept.reserveCapacity(pages.count)
    for index in pages.indices where !pages.content(at: index).isNamedFreely {
      if taken.insert(index) {
        kept.append(UInt32(truncatingIfNeeded: index))
      } else {
        diagnostics.append(.pathTaken(pages.path(at: index)))
      }
    }
    var folders: Set<[UInt8]>?
    for index in pages.indices where pages.content(at: index).isNamedFreely {
      let key = taken.key(of: index)
      var isFree = !taken.contains(key)
      PlacedPath.forEachFolder(of: key) { if taken.contains($0) { isFree = false } }
      if isFree, !pages[index].isFolder {
        folders = folders ?? Self.folders(of: kept, taken)
        isFree = !(folders?.contains(key) ?? false)
      }
      if isFree {
        _ = taken.insert(index)
        kept.append(UInt32(truncatingIfNeeded: index))
        PlacedPath.forEachFolder(of: key) { folders?.insert($0) }
      } else {
        diagnostics.append(.pathTaken(pages.path(at: index)))
      }
    }
    return pages.sorted(kept)
  }

  private static func folders(of pages: [UInt32], _ taken: TakenPaths) -> Set<[UInt8]> {
    var folders: Set<[UInt8]> = []
    for page in pages {
      PlacedPath.forEachFolder(of: taken.key(of: Int(page))) { folders.insert($0) }
    }
    return folders
  }

  /// Adds a page that stands in a folder of its own.
  private mutating func add(_ folder: String, _ content: PageContent) {
    pages.append(folder, "index.html", content)
  }

  private mutating func add(file: String, _ content: PageContent) {
    pages.append(file, "", content)
  }

  /// Adds a front page and its numbered pages.
  private mutating func add(
    _ paging: Paging,
    route: (Int?) -> String,
    content: (Int?) -> PageContent
  ) {
    add(route(nil), content(nil))
    for number in 0..<paging.numbered { add(route(number + 1), content(number + 1)) }
  }

  private mutating func addPosts() {
    if plan.hasFeed {
      add(plan.feedPaging, route: Routes.feed) { .feed(number: $0) }
    } else {
      add("", .channels)
    }
    var folder = ByteBuffer()
    for index in archive.posts.indices {
      for part in 1...plan.commentParts(of: index).total {
        folder.removeAll()
        Routes.append(post: archive.posts[index].slug, part: part, into: &folder)
        pages.append(folder.bytes, "index.html", .post(index, part: part))
      }
    }
    for root in plan.deepThreads.pages {
      let post = Int(archive.entries[root.index].container)
      let route = Routes.thread(
        archive.posts[post],
        root: archive.string(archive.entries[root.index].name)
      )
      add(route, .thread(post: post, root: root))
    }
  }

  private mutating func addChannels() {
    if plan.hasFeed, !archive.channels.isEmpty { add(Routes.channels, .channels) }
    for (index, channel) in archive.channels.enumerated() {
      switch channel.view {
      case .chat: add(Routes.channel(channel), .chatFront(channel: index))
      case .board: addBoard(index, channel)
      case .topics: addTopics(index, channel)
      }
      for (number, bucket) in plan.buckets[index].enumerated() {
        for part in 1...plan.parts(ofBucket: number, in: index).total {
          let route = Routes.bucket(bucket, of: channel, part: part)
          add(route, .bucket(channel: index, bucket: number, part: part))
        }
      }
    }
  }

  private mutating func addBoard(_ index: Int, _ channel: Channel) {
    add(Routes.channel(channel), .board(channel: index, order: .front, number: nil))
    let paging = Paging(count: channel.messages.count, size: channel.perPage)
    for order in [BoardOrder.newest, .oldest] {
      let numbered =
        order == .newest
        ? paging.numbered : Parts(count: paging.count, size: paging.size).total
      add(
        Routes.board(channel, order: order, number: nil),
        .board(channel: index, order: order, number: nil)
      )
      // The first page of the oldest order is `/oldest/` itself.
      let first = order == .newest ? 1 : 2
      if numbered < first { continue }
      for number in first...numbered {
        add(
          Routes.board(channel, order: order, number: number),
          .board(channel: index, order: order, number: number)
        )
      }
    }
  }

  private mutating func addTopics(_ index: Int, _ channel: Channel) {
    let paging = Paging(count: channel.topics.count, size: PageSize.topicList)
    add(
      paging,
      route: { Routes.topics(channel, number: $0) },
      content: { .topics(channel: index, number: $0) }
    )
    for topic in channel.topics {
      let parts = plan.parts(ofTopic: topic)
      for part in 1...parts.total {
        let route = Routes.topic(archive.topics[topic], of: channel, part: part)
        add(route, .topic(topic, part: part))
      }
    }
  }

  private mutating func addPeople() {
    guard plan.hasPeople else { return }
    add(plan.peoplePaging, route: Routes.people) { .people(number: $0) }
    for index in archive.people.indices where plan.hasPage[index] {
      let person = archive.people[index]
      let paging = Paging(count: person.entries.count, size: PageSize.lines)
      add(
        paging,
        route: { Routes.person(person, number: $0) },
        content: { .person(index, number: $0) }
      )
    }
  }

  private mutating func addTags() {
    guard !archive.tags.isEmpty else { return }
    add(Routes.tags, .tags)
    for (index, tag) in archive.tags.enumerated() {
      let paging = Paging(count: tag.entries.count, size: PageSize.lines)
      add(paging, route: { Routes.tag(tag, number: $0) }, content: { .tag(index, number: $0) })
    }
  }

  private mutating func addTimeline() {
    guard plan.hasTimeline else { return }
    add(Routes.timeline, .timeline)
    for (index, month) in plan.months.enumerated() { add(Routes.month(month), .month(index)) }
  }

  private mutating func addStandalone() {
    for (index, page) in archive.pages.enumerated() {
      add(Routes.standalone(page), .standalone(index))
    }
    addAliases()
  }

  private mutating func addAliases() {
    for post in archive.posts {
      for alias in post.aliases { addRedirect(from: alias, to: Routes.post(post)) }
    }
    for page in archive.pages {
      for alias in page.aliases { addRedirect(from: alias, to: Routes.standalone(page)) }
    }
  }

  private mutating func addRedirect(from alias: String, to target: String) {
    let isFile = alias.utf8.reversed().starts(with: ".html".utf8.reversed())
    let folder = isFile || alias.isEmpty || alias.utf8.last == UInt8(ascii: "/") ? "" : "/"
    add(file: isFile ? alias : alias + folder + "index.html", .redirect(target: target))
  }

  private mutating func addFeeds() {
    guard !archive.configuration.baseURL.isEmpty else { return }
    var scopes: [FeedScope] = [.archive]
    scopes += archive.channels.indices.map(FeedScope.channel)
    scopes += archive.people.indices.filter { plan.hasPage[$0] }.map(FeedScope.person)
    scopes += archive.tags.indices.map(FeedScope.tag)
    for scope in scopes {
      for format in [FeedFormat.atom, .json] {
        add(
          file: Routes.feedDocument(scope, format, in: archive),
          .feedDocument(scope, format)
        )
      }
    }
    for number in 0..<(archive.posts.count / PageSize.feedDocument) {
      add(file: Routes.feedArchive(number + 1), .feedArchive(number + 1))
    }
  }

  private mutating func addFurniture() {
    for (path, content) in [
      ("404.html", PageContent.missing), ("robots.txt", .robots), (".nojekyll", .noJekyll),
    ] where !archive.staticFiles.contains(path) {
      add(file: path, content)
    }
    guard !archive.configuration.baseURL.isEmpty else { return }
    let addresses = pages.indices.count { pages.content(at: $0).isListed }
    add(file: Routes.sitemap(nil), .sitemap(nil))
    if addresses > PageSize.sitemap {
      for number in 1...Parts(count: addresses, size: PageSize.sitemap).total {
        add(file: Routes.sitemap(number), .sitemap(number))
      }
    }
  }
}

extension Page {
  /// Whether the path is a folder's, with the name of its page behind.
  fileprivate var isFolder: Bool {
    path.utf8.reversed().starts(with: "index.html".utf8.reversed())
  }
}

extension PageContent {
  /// Whether users choose the whole path.
  fileprivate var isNamedFreely: Bool {
    switch self {
    case .standalone, .redirect: true
    case .feed, .post, .thread, .channels, .chatFront, .bucket, .board, .topics, .topic, .people,
      .person, .tags, .tag, .timeline, .month, .missing, .feedDocument, .feedArchive, .sitemap,
      .robots, .noJekyll:
      false
    }
  }

  /// Whether the page stands in the sitemap.
  var isListed: Bool {
    switch self {
    case .feed, .post, .thread, .channels, .chatFront, .bucket, .board, .topics, .topic, .people,
      .person, .tags, .tag, .timeline, .month, .standalone:
      true
    case .missing, .redirect, .feedDocument, .feedArchive, .sitemap, .robots, .noJekyll: false
    }
  }
}

extension Diagnostic {
  fileprivate static func pathTaken(_ path: String) -> Self {
    Self(
      .warning,
      headline: "Two pages want the address '\(path)'; the second is left out",
      suggestion: "give one of them another slug or alias"
    )
  }
}
