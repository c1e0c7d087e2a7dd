/// A stream of messages.
public struct Channel: Sendable {
  /// How the messages are shown.
  public enum View: String, Sendable {
    case chat
    case board
    case topics
  }

  /// Entries per page where `channel.yml` says nothing.
  public static let defaultPerPage = 100

  /// What one page of the stream spans.
  public enum Bucket: String, Sendable {
    case day
    case month
    case year
  }

  /// The folder's name.
  public var id: String
  /// A safe, unique name for the URL `/channels/NAME/`.
  public var name: String
  /// The folder's name where `channel.yml` gives none.
  public var title: String
  /// May be empty.
  public var description: String
  /// Chat where nothing is said.
  public var view: View
  /// Months where nothing is said.
  public var bucket: Bucket
  /// Entries per page.
  public var perPage: Int
  /// In `entries`, by time.
  public var messages: Range<Int>
  /// In `Archive.topics`; empty unless `view` is `.topics`.
  public var topics: Range<Int>

  /// An empty channel.
  public init(
    id: String,
    name: String,
    title: String = "",
    description: String = "",
    view: View = .chat,
    bucket: Bucket = .month,
    perPage: Int = Channel.defaultPerPage,
    messages: Range<Int> = 0..<0,
    topics: Range<Int> = 0..<0
  ) {
    self.id = id
    self.name = name
    self.title = title
    self.description = description
    self.view = view
    self.bucket = bucket
    self.perPage = perPage
    self.messages = messages
    self.topics = topics
  }
}

/// A thread of a topics channel.
public struct Topic: Sendable {
  /// The topic's own id or one derived from its first entry, safe and unique for the URL.
  public var name: String
  /// The newest title that its messages give; may be empty.
  public var title: String
  /// An index in `Archive.channels`.
  public var channel: UInt32
  /// By time.
  public var messages: EntryRun

  /// An empty topic.
  public init(
    name: String,
    title: String,
    channel: UInt32,
    messages: EntryRun = EntryRun()
  ) {
    self.name = name
    self.title = title
    self.channel = channel
    self.messages = messages
  }
}
