import Archive
import Bytes
import Mustache

/// What stands around the content of a page.
struct Frame {
  /// Which item of the top bar is the current one.
  enum Section {
    case feed
    case channels
    case people
    case tags
    case timeline
    case none
  }

  var kind: StaticString
  var flag: Key
  var section = Section.none
  /// The `h1`.
  var heading: String
  /// Below the output folder; ends in `/` for a page.
  var route: String
  var description = ""
  /// An entry whose own description counts, and where it stands in the batch that `details` has read.
  var described: (entry: EntryID, position: Int)?
  var channel: Int?
  /// The page's own feeds.
  var feeds: FeedScope?
  var previous: String?
  var next: String?
  var isArticle = false
  var picture: (file: Int, alt: String)?
}

extension PageRenderer {
  /// Channels in the left rail; a community may have thousands.
  static let railLimit = 40

  /// Writes what every page has.
  mutating func writeFrame(_ frame: Frame) {
    let context = context
    let siteTitle = context.siteTitle
    // A missing page's is the path of the base URL as it was written, all others are made here.
    if frame.flag == .isMissing { data.set(.root, root) } else { data.setURL(.root, root) }
    data.set(.kind, frame.kind)
    data.flag(frame.flag)
    if frame.route.isEmpty || frame.heading.isEmpty {
      data.set(.title, siteTitle)
    } else {
      data.write(.title) {
        $0.append(text: frame.heading)
        $0.append(" · ")
        $0.append(text: siteTitle)
      }
    }
    data.set(.heading, frame.heading.isEmpty ? siteTitle : frame.heading)
    if let (entry, position) = frame.described {
      writeDescription(of: entry, at: position)
    } else {
      data.set(.description, frame.description)
    }
    writeSection(frame.section)
    writeAddresses(frame)
    writeRail(current: frame.channel)
  }

  private mutating func writeSection(_ section: Frame.Section) {
    let key: Key
    switch section {
    case .feed: key = .feed
    case .channels: key = .channels
    case .people: key = .people
    case .tags: key = .tags
    case .timeline: key = .timeline
    case .none: return
    }
    data.beginObject(.in)
    data.flag(key)
    data.endObject()
  }

  private mutating func writeAddresses(_ frame: Frame) {
    let context = context
    if let previous = frame.previous { writeAddress(.previousURL, of: previous) }
    if let next = frame.next { writeAddress(.nextURL, of: next) }
    let baseURL = context.baseURL
    if baseURL.isEmpty { return }
    data.write(.canonical) {
      $0.append(text: baseURL)
      context.links.append(frame.route, into: &$0)
    }
    if frame.isArticle { data.set(.ogType, "article") } else { data.set(.ogType, "website") }
    if let (file, alt) = frame.picture {
      used.insert(file)
      let output = context.archive.media.files[file].output
      data.write(.ogImage) {
        $0.append(text: baseURL)
        context.links.append(output, into: &$0)
      }
      data.set(.ogImageAlt, alt)
    }
    if let feeds = frame.feeds {
      writeAddress(.feedAtomURL, of: Routes.feedDocument(feeds, .atom, in: context.archive))
      writeAddress(.feedJSONURL, of: Routes.feedDocument(feeds, .json, in: context.archive))
      data.set(
        .feedTitle,
        feeds == .archive ? context.siteTitle : frame.heading
      )
    }
  }

  /// Writes the address of a route; an empty one is left out.
  private mutating func writeAddress(_ key: Key, of route: String) {
    let links = context.links
    if route.isEmpty, !links.isExplicit { return }
    data.writeURL(key) { links.append(route, into: &$0) }
  }

  private mutating func writeRail(current: Int?) {
    let channels = context.archive.channels
    if channels.isEmpty { return }
    data.beginObject(.rail)
    data.beginArray(.channels)
    for (index, channel) in channels.prefix(Self.railLimit).enumerated() {
      writeChannelLink(channel, isCurrent: index == current)
    }
    data.endArray()
    if channels.count > Self.railLimit {
      let links = context.links
      let route = context.plan.hasFeed ? Routes.channels : ""
      data.writeURL(.more) { links.append(route, into: &$0) }
    }
    data.endObject()
  }

  private mutating func writeChannelLink(_ channel: Channel, isCurrent: Bool) {
    let context = context
    data.beginObject()
    writeChannelName(channel)
    data.writeURL(.url) { context.links.append(Routes.channel(channel), into: &$0) }
    data.flag(.current, isCurrent)
    data.endObject()
  }

  /// Writes title and view into the object that is open.
  mutating func writeChannelName(_ channel: Channel) {
    data.set(.title, channel.title)
    data.set(.view, channel.view.rawValue)
    switch channel.view {
    case .chat: data.flag(.isChat)
    case .board: data.flag(.isBoard)
    case .topics: data.flag(.isTopics)
    }
  }

  /// Writes those of a page who are shown by name, by the number of their entries on it, then by id.
  mutating func writeAside(people: some Sequence<PersonID>, months: [MonthLink] = []) {
    tally.removeAll()
    for person in people { count(person) }
    writeAside(months: months)
  }

  /// Counts one of a page in `tally`, unless it is nobody or not shown by name.
  mutating func count(_ person: PersonID) {
    if person == .none || context.archive.people.hiding(of: person) != .nothing { return }
    tally.add(person)
  }

  /// Writes those who were counted in `tally`.
  mutating func writeAside(months: [MonthLink] = []) {
    let people = tally.mostFrequent(12)
    if people.isEmpty, months.isEmpty { return }
    data.beginObject(.aside)
    if !people.isEmpty {
      data.beginObject(.people)
      data.beginArray(.items)
      for person in people { writeAuthor(nil, person.id) }
      data.endArray()
      data.endObject()
    }
    if !months.isEmpty {
      data.beginObject(.months)
      data.beginArray(.items)
      for month in months {
        data.beginObject()
        data.set(.label, month.label)
        data.set(.url, context.links.url(month.route))
        data.flag(.current, month.isCurrent)
        data.set(.countLabel, month.count)
        data.endObject()
      }
      data.endArray()
      data.endObject()
    }
    data.endObject()
  }

  /// Writes `{url, label}` under a key.
  mutating func writeLink(_ key: Key, route: String, label: String) {
    let links = context.links
    data.beginObject(key)
    data.writeURL(.url) { links.append(route, into: &$0) }
    data.set(.label, label)
    data.endObject()
  }
}

/// A line of the right rail.
struct MonthLink {
  let label: String
  let route: String
  let isCurrent: Bool
  let count: String
}
