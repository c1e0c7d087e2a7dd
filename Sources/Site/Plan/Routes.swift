import Archive
import Bytes

/// The paths of DESIGN's URL contract: raw names below the output folder, ending in `/` for a page.
///
/// They derive from ids and dates alone. `Links` turns them into what stands in an `href`.
enum Routes {
  static func feed(number: Int?) -> String { number.map { "page/\($0)/" } ?? "" }

  static func post(_ post: Post, part: Int = 1) -> String {
    text { append(post: post.slug, part: part, into: &$0) }
  }

  static func append(post slug: String, part: Int, into output: inout ByteBuffer) {
    output.append("posts/")
    output.append(text: slug)
    output.append("/")
    append(part: part, into: &output)
  }

  static func thread(_ post: Post, root: String) -> String {
    text { append(threadOf: post.slug, root: root, into: &$0) }
  }

  static func append(threadOf slug: String, root: String, into output: inout ByteBuffer) {
    append(post: slug, part: 1, into: &output)
    output.append("thread/")
    output.append(text: root)
    output.append("/")
  }

  static func channel(_ channel: Channel) -> String { "channels/\(channel.name)/" }

  static func bucket(_ bucket: Bucket, of channel: Channel, part: Int = 1) -> String {
    text { append(bucket, of: channel.name, part: part, into: &$0) }
  }

  static func append(
    _ bucket: Bucket,
    of channel: String,
    part: Int,
    into output: inout ByteBuffer
  ) {
    output.append("channels/")
    output.append(text: channel)
    output.append("/")
    bucket.appendPath(into: &output)
    append(part: part, into: &output)
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
    text { append(topic: topic.name, of: channel.name, part: part, into: &$0) }
  }

  static func append(
    topic: String,
    of channel: String,
    part: Int,
    into output: inout ByteBuffer
  ) {
    output.append("channels/")
    output.append(text: channel)
    output.append("/topics/")
    output.append(text: topic)
    output.append("/")
    if part > 1 { output.append("page/") }
    append(part: part, into: &output)
  }

  static let channels = "channels/"
  static let tags = "tags/"
  static let timeline = "timeline/"

  static func people(number: Int?) -> String { "people/" + (number.map { "page/\($0)/" } ?? "") }

  static func person(_ person: Person, number: Int? = nil) -> String {
    text { append(person: person.name, number: number, into: &$0) }
  }

  static func append(person name: String, number: Int?, into output: inout ByteBuffer) {
    output.append("people/")
    append(list: name, number: number, into: &output)
  }

  static func tag(_ tag: Tag, number: Int? = nil) -> String {
    text { append(tag: tag.name, number: number, into: &$0) }
  }

  static func append(tag name: String, number: Int?, into output: inout ByteBuffer) {
    output.append("tags/")
    append(list: name, number: number, into: &output)
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
  private static func append(list name: String, number: Int?, into output: inout ByteBuffer) {
    output.append(text: name)
    output.append("/")
    guard let number else { return }
    output.append("page/")
    output.append(decimal: number)
    output.append("/")
  }

  /// The first part has its list's own address.
  private static func append(part: Int, into output: inout ByteBuffer) {
    if part <= 1 { return }
    output.append(decimal: part)
    output.append("/")
  }

  private static func text(_ write: (inout ByteBuffer) -> Void) -> String {
    var output = ByteBuffer(capacity: 64)
    write(&output)
    return output.string
  }
}
