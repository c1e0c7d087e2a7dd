import Archive
import Bytes

/// The paths of DESIGN's URL contract: raw names below the output folder, ending in `/` for a page.
///
/// They derive from ids and dates alone. `Links` turns them into what stands in an `href`.
enum Routes {
  static func feed(number: Int?) -> String { number.map { "page/\($0)/" } ?? "" }

  static func post(_ post: Post, part: Int = 1) -> String {
    "posts/\(post.slug)/" + (part > 1 ? "\(part)/" : "")
  }

  static func thread(_ post: Post, root: String) -> String { "posts/\(post.slug)/thread/\(root)/" }

  static func channel(_ channel: Channel) -> String { "channels/\(channel.name)/" }

  static func bucket(_ bucket: Bucket, of channel: Channel, part: Int = 1) -> String {
    "channels/\(channel.name)/" + bucket.path + (part > 1 ? "\(part)/" : "")
  }

  static func board(_ channel: Channel, order: BoardOrder, number: Int?) -> String {
    let page = number.map { "page/\($0)/" } ?? ""
    switch order {
    case .front: return "channels/\(channel.name)/"
    case .newest: return "channels/\(channel.name)/newest/" + page
    case .oldest: return "channels/\(channel.name)/oldest/" + page
    }
  }

  static func topics(_ channel: Channel, number: Int?) -> String {
    "channels/\(channel.name)/" + (number.map { "page/\($0)/" } ?? "")
  }

  static func topic(_ topic: Topic, of channel: Channel, part: Int = 1) -> String {
    "channels/\(channel.name)/topics/\(topic.name)/" + (part > 1 ? "page/\(part)/" : "")
  }

  static let channels = "channels/"
  static let tags = "tags/"
  static let timeline = "timeline/"

  static func people(number: Int?) -> String { "people/" + (number.map { "page/\($0)/" } ?? "") }

  static func person(_ person: Person, number: Int? = nil) -> String {
    "people/\(person.name)/" + (number.map { "page/\($0)/" } ?? "")
  }

  static func tag(_ tag: Tag, number: Int? = nil) -> String {
    "tags/\(tag.name)/" + (number.map { "page/\($0)/" } ?? "")
  }

  static func month(_ month: Plan.Month) -> String {
    "timeline/" + padded(month.year, 4) + "/" + padded(month.month, 2) + "/"
  }

  static func standalone(_ page: StandalonePage) -> String { "\(page.slug)/" }

  static func feedDocument(_ scope: FeedScope, _ format: FeedFormat, in archive: Archive) -> String
  {
    let folder =
      switch scope {
      case .archive: ""
      case .channel(let index): channel(archive.channels[index])
      case .person(let index): person(archive.people[index])
      case .tag(let index): tag(archive.tags[index])
      }
    return folder + (format == .atom ? "feed.xml" : "feed.json")
  }

  static func feedArchive(_ number: Int) -> String { "feed/archive/\(number).xml" }

  static func sitemap(_ number: Int?) -> String {
    number.map { "sitemap-\($0).xml" } ?? "sitemap.xml"
  }
}
