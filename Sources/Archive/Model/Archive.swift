import Bytes

/// An archive, read: immutable, shared by all workers, an index into the content files.
///
/// `entries` holds the posts, then the comments post by post, then the messages channel by channel;
/// each run is in time order (date, then id; undated first).
public struct Archive: Sendable {
  /// What `stillfeed.yml` said.
  public var configuration: Configuration
  /// The content files, by `FileID`.
  public var files: [ContentFile]
  /// The bytes of small files, by their position in `files`; empty for others.
  var texts: [[UInt8]] = []
  /// The bytes behind every `TextRange`, UTF-8.
  public var text: [UInt8]
  /// All entries, in the order described above.
  public var entries: [Entry]
  /// In the order of `entries`: by date, then id.
  public var posts: [Post]
  /// By id, in byte order.
  public var channels: [Channel]
  /// By channel, then by first appearance.
  public var topics: Topics
  /// By id, in byte order.
  public var people: People
  /// By name, in byte order.
  public var tags: [Tag]
  /// By slug, in byte order.
  public var pages: [StandalonePage]
  /// Paths below `Content/static`, copied as they are.
  public var staticFiles: [String]
  /// The files that entries may show.
  public var media: MediaIndex
  /// The front matter and body ranges of Markdown, YAML and TOML files; see `Entry.document`.
  public var documents: [Document]
  /// Finds a person by id, name or other name.
  public var names: NameIndex

  /// How the records of each channel name their fields.
  var channelTables: [FieldTable] = []
  /// How the numbers in each channel's dates are meant.
  var channelDates: [DateReading] = []

  /// An empty archive.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
    files = []
    text = []
    entries = []
    posts = []
    channels = []
    topics = Topics()
    people = People()
    tags = []
    pages = []
    staticFiles = []
    media = MediaIndex()
    documents = []
    names = NameIndex()
  }

  /// A fingerprint of how the records of a channel name their fields.
  public func fieldFingerprint(ofChannel channel: Int) -> UInt64 {
    channelTables.indices.contains(channel) ? channelTables[channel].fingerprint : 0
  }

  func fieldTable(of entry: Entry) -> FieldTable {
    entry.kind == .message ? channelTables[Int(entry.container)] : .standard
  }

  /// Whether tags of the entry's file are split at blanks: its name begins with a date.
  func splitsTagsAtBlanks(_ entry: Entry) -> Bool {
    let source = Source(
      file: entry.record.file,
      path: files[entry.record.file.index].path,
      format: .markdown,
      target: .posts
    )
    return source.withName {
      TimestampParser.fileNamePrefix(Span(_unsafeElements: $0), zone: .utc) != nil
    }
  }

  /// The bytes of a text range, for as long as the archive is held.
  @_lifetime(borrow self)
  public func bytes(_ range: TextRange) -> Span<UInt8> {
    let start = min(Int(range.offset), text.count)
    let end = min(start + Int(range.length), text.count)
    return text.span.extracting(start..<end)
  }

  /// A copy of a text range.
  public func string(_ range: TextRange) -> String {
    let start = min(Int(range.offset), text.count)
    return String(decoding: text[start..<min(start + Int(range.length), text.count)], as: UTF8.self)
  }
}

/// A file with front matter (or wholly YAML) as it was when it was read, so that its front matter
/// need not be parsed again.
public struct Document: Sendable {
  /// The front matter as JSON text of an object, in `Archive.text`; empty if it has none.
  public var frontMatter: TextRange
  /// Where the body stands in its file, in bytes; empty where the front matter holds it.
  public var body: Range<Int>
}

/// A file of the content folder as it was when it was read.
public struct ContentFile: Sendable {
  /// From the archive's root: `Content/posts/rain.md`.
  public var path: String
  /// Bytes.
  public var size: UInt64
  /// Nanoseconds since 1970.
  public var modified: Int64
  /// Another number means another file, even where size and time are the same.
  public var inode: UInt64

  /// A file as the system described it.
  public init(
    path: String,
    size: UInt64,
    modified: Int64,
    inode: UInt64
  ) {
    self.path = path
    self.size = size
    self.modified = modified
    self.inode = inode
  }
}

/// A post's part of the index; the rest is in its entry.
public struct Post: Sendable {
  /// Its entry, which is at the same position among all entries as the post among posts.
  public var entry: EntryID
  /// A safe, unique name for the URL `/posts/SLUG/`.
  public var slug: String
  /// On one line; may be empty.
  public var title: String
  /// Indices in `Archive.tags`.
  public var tags: [UInt32]
  /// Old paths, relative to the site's root, that redirect to the post.
  public var aliases: [String]
  /// In `entries`, by time.
  public var comments: Range<Int>
  /// Comments and replies at every depth, without tombstones.
  public var commentCount: Int

  /// A post of `entry`, with nothing else set.
  public init(
    entry: EntryID,
    slug: String,
    title: String = "",
    tags: [UInt32] = [],
    aliases: [String] = [],
    comments: Range<Int> = 0..<0,
    commentCount: Int = 0
  ) {
    self.entry = entry
    self.slug = slug
    self.title = title
    self.tags = tags
    self.aliases = aliases
    self.comments = comments
    self.commentCount = commentCount
  }
}

/// A tag with the entries that carry it, in time order.
public struct Tag: Sendable {
  /// As its earliest entry writes it; tags that differ only in case are one.
  public var title: String
  /// A safe, unique name for the URL `/tags/NAME/`.
  public var name: String
  /// In time order, each once.
  public var entries: [EntryID]

  /// A tag that no entry carries yet.
  public init(
    title: String,
    name: String,
    entries: [EntryID] = []
  ) {
    self.title = title
    self.name = name
    self.entries = entries
  }
}

/// A page of `Content/pages`.
public struct StandalonePage: Sendable {
  /// A safe, unique name for the URL `/SLUG/`.
  public var slug: String
  /// On one line; may be empty.
  public var title: String
  /// Of the last change; may be undated.
  public var updated: Timestamp
  /// Old paths, relative to the site's root, that redirect to the page.
  public var aliases: [String]
  /// How the body is written.
  public var format: BodyFormat
  /// The whole file.
  public var record: RecordRange
  /// Where the body starts in its file, in bytes.
  public var body: Range<Int>

  /// A page whose record is a whole file.
  public init(
    slug: String,
    title: String,
    updated: Timestamp = .undated,
    aliases: [String] = [],
    format: BodyFormat = .markdown,
    record: RecordRange,
    body: Range<Int>
  ) {
    self.slug = slug
    self.title = title
    self.updated = updated
    self.aliases = aliases
    self.format = format
    self.record = record
    self.body = body
  }
}
