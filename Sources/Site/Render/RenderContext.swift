import Archive
import Bytes
import Mustache

/// What a page is rendered from: immutable.
///
/// Each worker takes a copy of its own. The copies share nearly all memory, but not the reference
/// counts of this object and its labels, which would go to and fro between the processors at every
/// call.
final class RenderContext: Sendable {
  let plan: Plan
  let archive: Archive
  /// The archive's folder.
  let root: String
  let zone: TimeZoneRules
  let baseURL: String
  /// What the site is called.
  let siteTitle: String
  let theme: Theme
  let links: Links
  let labels: Labels
  private let tape: SiteTape
  /// The tags by their names.
  let tags: TagIndex
  /// What many pages show of entries.
  let texts: EntryTexts
  /// Whether a planned file has this path: to resolve links inside bodies.
  let paths: PlannedPaths

  var configuration: Configuration { _read { yield archive.configuration } }

  init(root: String, plan: Plan, theme: Theme) {
    self.root = root
    self.plan = plan
    archive = plan.archive
    zone = plan.archive.configuration.timeZone
    baseURL = plan.archive.configuration.baseURL
    siteTitle = plan.archive.configuration.displayTitle
    self.theme = theme
    links = Links(isExplicit: plan.archive.configuration.links == .explicit)
    labels = Labels(theme.strings)
    paths = PlannedPaths(plan)
    var shared = TemplateData()
    SiteView(plan: plan, theme: theme, links: links).write(into: &shared)
    shared.notePlainTexts()
    tape = SiteTape(shared)
    tags = TagIndex(plan.archive.tags)
    texts = EntryTexts(plan.archive)
  }

  /// A copy for another worker, or with other kept texts.
  init(copying other: RenderContext, texts: EntryTexts? = nil) {
    self.texts = texts ?? other.texts
    tags = other.tags
    root = other.root
    zone = other.zone
    baseURL = other.baseURL
    siteTitle = other.siteTitle
    plan = other.plan
    archive = other.archive
    theme = other.theme
    links = other.links
    labels = Labels(other.theme.strings)
    paths = other.paths
    tape = other.tape
  }

  /// Whether a person is shown with a link.
  func hasPage(_ person: PersonID) -> Bool { plan.hasPage(person) }

  /// The site's object of docs/template-data.md.
  var shared: TemplateData { _read { yield tape.data } }
}

/// The object that all pages share.
private final class SiteTape: Sendable {
  let data: TemplateData

  init(_ data: consuming TemplateData) { self.data = data }
}

/// The paths of a plan, to be asked whether one exists.
struct PlannedPaths: Sendable {
  private let pages: PageTable

  init(_ plan: Plan) { pages = plan.pages }

  func contains(_ path: String) -> Bool { pages.position(of: path) != nil }
}

/// Writes the object that all pages share.
struct SiteView {
  let plan: Plan
  let theme: Theme
  let links: Links

  func write(into data: inout TemplateData) {
    let configuration = plan.archive.configuration
    data.beginObject()
    data.beginObject(.site)
    data.set(.title, configuration.displayTitle)
    data.set(.description, configuration.description)
    data.set(.language, configuration.language)
    data.set(.baseURL, configuration.baseURL)
    data.flag(.noIndex, !configuration.index)
    data.set(.homeURL, links.url(""))
    data.set(.generator, "Stillfeed")
    data.set(.style, links.url(theme.stylePath))
    data.set(.script, links.url(theme.scriptPath))
    if let icon = plan.staticFiles.first(where: { $0.hasPrefix("favicon.") }) {
      data.set(.icon, links.url(icon))
    }
    if !configuration.baseURL.isEmpty {
      data.set(.atomURL, "feed.xml")
      data.set(.jsonFeedURL, "feed.json")
    }
    data.endObject()
    data.beginObject(.strings)
    for (key, text) in theme.strings.texts.sorted(by: { $0.key < $1.key }) {
      if let id = theme.keys.key(named: key), !text.isEmpty { data.set(id, text) }
    }
    data.endObject()
    writeNavigation(into: &data)
    data.endObject()
  }

  private func writeNavigation(into data: inout TemplateData) {
    let archive = plan.archive
    data.beginObject(.nav)
    let hasChannels = !archive.channels.isEmpty
    data.flag(.hasFeed, plan.hasFeed)
    data.flag(.hasChannels, hasChannels)
    data.flag(.hasPeople, plan.hasPeople)
    data.flag(.hasTags, !archive.tags.isEmpty)
    data.flag(.hasTimeline, plan.hasTimeline)
    data.flag(.hasPages, !plan.standalone.isEmpty)
    data.set(.feedURL, links.url(""))
    data.set(.channelsURL, links.url(plan.hasFeed ? Routes.channels : ""))
    data.set(.peopleURL, links.url(Routes.people(number: nil)))
    data.set(.tagsURL, links.url(Routes.tags))
    data.set(.timelineURL, links.url(Routes.timeline))
    if !plan.standalone.isEmpty {
      data.beginArray(.pages)
      for page in plan.standalone.lazy.map({ archive.pages[$0] }) {
        data.beginObject()
        data.set(.title, page.title)
        data.set(.url, links.url(Routes.standalone(page)))
        data.endObject()
      }
      data.endArray()
    }
    data.endObject()
  }
}

extension Configuration {
  /// The title, or a word where none was given.
  var displayTitle: String { title.isEmpty ? "Archive" : title }
}
