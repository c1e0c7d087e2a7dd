import Archive
import Bytes

/// Computes for each page a number that changes when anything changes that it is made from, but for
/// what it looks up (see `Lookup`).
///
/// Pages of which a site has only a handful have none: they are always rendered and compared.
struct PageKeys: Sendable {
  let context: RenderContext
  let entries: EntryKeys
  /// Of what all pages share.
  private let site: UInt64
  /// People with a page, as the list of people numbers them.
  private let listed: [Int]

  var plan: Plan { _read { yield context.plan } }
  var archive: Archive { _read { yield context.archive } }

  init(_ context: RenderContext, program: UInt64, jobs: Int) async {
    self.context = context
    entries = await EntryKeys(context, jobs: jobs)
    site = Self.key(ofSite: context, program: program)
    listed = context.archive.people.indices.filter { context.plan.hasPage[$0] }
  }

  /// The keys of all pages, in their order; 0 for a page that is always rendered.
  func all(jobs: Int) async -> [UInt64] {
    await ParallelRuns.map(plan.pages.count, jobs: jobs) { range, output in
      for index in range { output.append(key(ofPage: index) ?? 0) }
    }
  }

  /// The key of a page, by its position in the plan; nil if it is always rendered.
  func key(ofPage index: Int) -> UInt64? {
    var hash = KeyHash(site)
    hash.add(plan.pages.paths.withBytes(of: plan.pages.place(at: index)) { Fingerprint.of($0) })
    let content = plan.pages.content(at: index)
    let name = content.templateName(in: context)
    if let template = context.theme.templates.template(named: name) {
      hash.add(context.theme.templates.fingerprint(of: template))
    }
    guard add(content, to: &hash) else { return nil }
    return hash.value
  }

  /// Adds what a page shows; false if it is always rendered.
  private func add(_ content: PageContent, to hash: inout KeyHash) -> Bool {
    switch content {
    case .feed(let number):
      guard let number else { return false }
      add(feed: number, to: &hash)
    case .post(let index, let part): add(post: index, part: part, to: &hash)
    case .thread(let post, let root): add(thread: root, of: post, to: &hash)
    case .chatFront(let channel): add(chatFront: channel, to: &hash)
    case .bucket(let channel, let bucket, let part):
      add(bucket: bucket, of: channel, part: part, to: &hash)
    case .board(let channel, let order, let number):
      add(board: channel, order, number, to: &hash)
    case .topics(let channel, let number): add(topicsOf: channel, number, to: &hash)
    case .topic(let index, let part): add(topic: index, part: part, to: &hash)
    case .people(let number): add(people: number, to: &hash)
    case .person(let index, let number): add(person: index, number, to: &hash)
    case .tag(let index, let number): add(tag: index, number, to: &hash)
    case .month(let index): add(month: index, to: &hash)
    case .redirect(let target): hash.add(target)
    case .feedDocument(let scope, let format):
      add(FeedSelection(scope, in: context), to: &hash)
      hash.add(format == .atom)
      if scope == .archive { hash.add(archive.posts.count / PageSize.feedDocument) }
    case .feedArchive(let number):
      add(FeedSelection(archived: number, in: context), to: &hash)
      hash.add(number)
      hash.add(number < archive.posts.count / PageSize.feedDocument)
    case .channels, .tags, .timeline, .standalone, .missing, .sitemap, .robots, .noJekyll:
      return false
    }
    return true
  }
}

extension PageKeys {
  func add(_ id: EntryID, to hash: inout KeyHash) {
    hash.add(entries.entries[id.index])
    let entry = archive.entries[id.index]
    // The number of comments is shown where a post is, but not where it is answered.
    if entry.kind == .post { hash.add(archive.posts[Int(entry.container)].commentCount) }
  }

  func add(_ range: Range<Int>, to hash: inout KeyHash) {
    hash.add(range.count)
    for index in range { hash.add(entries.entries[index]) }
  }

  func add(_ list: some Sequence<EntryID>, to hash: inout KeyHash) {
    for id in list { add(id, to: &hash) }
  }

  /// Adds what `writePagination` shows.
  func add(_ paging: Paging, current: Int?, to hash: inout KeyHash) {
    hash.add(current)
    let position = current ?? paging.numbered + 1
    let top = min(paging.numbered, position + PageRenderer.reach)
    hash.add(position)
    hash.add(top)
    hash.add(top < paging.numbered)
    hash.add(position < paging.numbered)
  }

  /// Adds what `writeParts` shows.
  func add(_ parts: Parts, current: Int, to hash: inout KeyHash) {
    hash.add(current)
    let top = min(parts.total, current + PageRenderer.reach)
    hash.add(top)
    hash.add(top < parts.total)
  }

  private func add(_ selection: FeedSelection, to hash: inout KeyHash) {
    hash.add(selection.title)
    hash.add(selection.route)
    add(selection.entries, to: &hash)
    // What comments answer.
    for id in selection.entries {
      let entry = archive.entries[id.index]
      if entry.kind == .comment { hash.add(entries.posts[Int(entry.container)]) }
    }
  }
}

extension PageKeys {
  /// Of what all pages share: program, theme, configuration, top bar and rail.
  private static func key(ofSite context: RenderContext, program: UInt64) -> UInt64 {
    let configuration = context.configuration
    var hash = KeyHash(program)
    hash.add(context.theme.fingerprint)
    for text in [
      configuration.title, configuration.description, configuration.baseURL,
      configuration.language, configuration.links.rawValue, configuration.audience.word,
      configuration.commentOrder.rawValue,
    ] {
      hash.add(text)
    }
    hash.add(configuration.timeZone.fingerprint)
    hash.add(configuration.index)
    hash.add(configuration.feedSize)
    hash.add(configuration.includesDrafts)
    var shared = ByteBuffer(capacity: 16 << 10)
    context.shared.writeJSON(keys: context.theme.keys, into: &shared)
    hash.add(Fingerprint.of(shared.bytes))
    let channels = context.archive.channels
    hash.add(channels.count > PageRenderer.railLimit)
    for channel in channels.prefix(PageRenderer.railLimit) {
      hash.add(channel.title)
      hash.add(channel.view.rawValue)
      hash.add(channel.name)
    }
    hash.add(context.plan.hasFeed)
    return hash.value
  }

  func add(people number: Int?, to hash: inout KeyHash) {
    let paging = plan.peoplePaging
    for index in listed[paging.range(of: number)] {
      hash.add(entries.people[index])
      hash.add(archive.people[index].biography)
      hash.add(archive.people[index].entries.count)
    }
    add(paging, current: number, to: &hash)
  }
}
