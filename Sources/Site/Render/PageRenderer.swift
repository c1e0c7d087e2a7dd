import Archive
import Bytes
import JSON
import Markup
import Mustache

/// Renders pages, one after another, for one worker: its memory is used again for each.
struct PageRenderer: ~Copyable {
  let context: RenderContext
  /// The page's own object.
  var data = TemplateData()
  var details: DetailsReader
  var markdown = MarkdownWriter()
  var sanitizer = HTMLSanitizer()
  /// For fields that have no meaning here.
  var extraParser = JSONParser()
  var renderer: Renderer
  /// A body on its way to the tape.
  var scratch = ByteBuffer(capacity: 4096)
  /// The beginning of a body, to be kept.
  var excerptText = ByteBuffer(capacity: 1024)
  /// JSON-LD on its way to the tape.
  var json = ByteBuffer(capacity: 4096)
  var lastOutcome = MarkupOutcome()
  /// The body of the page's own entry, rendered before it is written; see `prepareBody`.
  var preparedBody: (entry: EntryID, isCut: Bool)?
  var bodyAhead = ByteBuffer(capacity: 4096)
  /// The beginning of that body as plain text; empty where it has to be read anew.
  var ownText = ByteBuffer(capacity: 1024)
  /// Where texts go that other pages show, too.
  let textRoom: TextRoom
  let used: UsedMedia
  let links: BodyLinks
  var times: TimeWriter
  var faces = Faces()
  var tally = PeopleTally()
  var feedItems = FeedItems()
  var pictureSizes: [Int: PictureSize?] = [:]
  /// A picture that the system didn't give: what was rendered since lacks its size.
  var failure: FileError?
  /// The way from the page to the site's root.
  var root = ""
  /// What was wrong with bodies; in the order of pages once merged.
  var diagnostics: [Diagnostic] = []

  init(_ context: RenderContext) {
    self.context = context
    details = DetailsReader(root: context.root, archive: context.archive)
    renderer = Renderer(context.theme.templates)
    times = TimeWriter(zone: context.zone, labels: context.labels)
    textRoom = TextRoom(context.texts)
    used = UsedMedia()
    links = BodyLinks(context: context, used: used)
  }

  /// Appends a page.
  ///
  /// - Throws: If the content changed since it was read, or a template cannot be rendered.
  mutating func render(_ page: Page, into output: inout ByteBuffer) throws {
    switch page.content {
    case .feedDocument(let scope, let format):
      try renderFeed(scope, format, path: page.path, into: &output)
    case .feedArchive(let number): try renderFeedArchive(number, path: page.path, into: &output)
    case .sitemap(let number): renderSitemap(number, into: &output)
    case .robots: renderRobots(into: &output)
    case .noJekyll: break
    default:
      try fill(page)
      let name = page.content.templateName(in: context)
      guard let template = renderer.template(named: name) else {
        throw ThemeError(
          path: context.configuration.theme,
          line: 0,
          column: 0,
          headline: "The theme has no template '\(name)'"
        )
      }
      try renderer.render(template, page: data, shared: context.shared, into: &output)
    }
    if let failure { throw failure }
  }

  /// Fills `data` with what a page's template sees.
  mutating func fill(_ page: Page) throws {
    data.removeAll()
    preparedBody = nil
    ownText.removeAll()
    root = page.content == .missing ? context.configuration.basePath : Links.root(from: page.path)
    data.beginObject()
    switch page.content {
    case .feed(let number): try fillFeed(number)
    case .post(let index, let part): try fillPost(index, part: part)
    case .thread(let post, let root): try fillThread(post, root: root)
    case .channels: fillChannels()
    case .chatFront(let channel): try fillChatFront(channel)
    case .bucket(let channel, let bucket, let part):
      try fillBucket(channel, bucket: bucket, part: part)
    case .board(let channel, let order, let number):
      try fillBoard(channel, order: order, number: number)
    case .topics(let channel, let number): try fillTopics(channel, number: number)
    case .topic(let index, let part): try fillTopic(index, part: part)
    case .people(let number): fillPeople(number)
    case .person(let index, let number): try fillPerson(index, number: number)
    case .tags: fillTags()
    case .tag(let index, let number): try fillTag(index, number: number)
    case .timeline: fillTimeline()
    case .month(let index): try fillMonth(index)
    case .standalone(let index): try fillStandalone(index)
    case .missing: fillMissing()
    case .redirect(let target): fillRedirect(to: target)
    case .feedDocument, .feedArchive, .sitemap, .robots, .noJekyll: break
    }
    data.endObject()
  }
}

extension PageContent {
  /// The template that shows the page; empty for files that no template makes.
  func templateName(in context: RenderContext) -> String {
    switch self {
    case .feed: "feed"
    case .post: "post"
    case .thread: "thread"
    case .channels: "channels"
    case .chatFront: "chat"
    case .bucket(let channel, _, _):
      context.archive.channels[channel].view == .board ? "board" : "chat"
    case .board: "board"
    case .topics: "topics"
    case .topic: "topic"
    case .people: "people"
    case .person: "person"
    case .tags: "tags"
    case .tag: "tag"
    case .timeline: "timeline"
    case .month: "month"
    case .standalone: "page"
    case .missing: "missing"
    case .redirect: "redirect"
    case .feedDocument, .feedArchive, .sitemap, .robots, .noJekyll: ""
    }
  }
}

extension Configuration {
  /// The path part of `baseURL`, with slashes at both ends: `/` or `/archive/`.
  var basePath: String {
    let bytes = Array(baseURL.utf8)
    guard
      let host = bytes.indices.dropFirst(2).first(where: {
        bytes[$0 - 1] == UInt8(ascii: "/") && bytes[$0 - 2] == UInt8(ascii: "/")
      }), let slash = bytes[host...].firstIndex(of: UInt8(ascii: "/"))
    else { return "/" }
    let path = String(decoding: bytes[slash...], as: UTF8.self)
    return path.hasSuffix("/") ? path : path + "/"
  }
}
