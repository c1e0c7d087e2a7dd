import Bytes

/// Who may see an entry; a build is made for one audience and holds nothing above it.
public enum Audience: UInt8, Comparable, Sendable, CaseIterable {
  case everyone
  case friends
  case `private`

  /// The word used in content files and on the command line.
  public var word: String {
    switch self {
    case .everyone: "public"
    case .friends: "friends"
    case .private: "private"
    }
  }

  /// Who sees more comes later.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// How the body of an entry is written.
public enum BodyFormat: UInt8, Sendable {
  case markdown
  case plain
  case html
}

/// Where the record of an entry stands on disk.
///
/// `ordinal` counts the entries within one record in the order they are written (a post is 0, its
/// first nested comment 1, that comment's first reply 2 …).
public struct RecordRange: Hashable, Sendable {
  /// The content file.
  public var file: FileID
  /// Of the entry within the record.
  public var ordinal: UInt32
  /// Bytes from the start of the file.
  public var offset: UInt64
  /// Bytes; longer records are refused when they are read.
  public var length: UInt32

  /// A record of `length` bytes at `offset` in `file`.
  public init(file: FileID, ordinal: UInt32, offset: UInt64, length: UInt32) {
    self.file = file
    self.ordinal = ordinal
    self.offset = offset
    self.length = length
  }
}

/// One post, comment or message: a plain value of fixed size, about a hundred bytes.
///
/// It is an index, not the text: the body and the rarer fields are read in batches by
/// `DetailsReader` when a page is rendered.
public struct Entry: Sendable {
  /// What an entry is.
  public enum Kind: UInt8, Sendable {
    case post
    case comment
    case message
  }

  /// Yes or no.
  public struct Flags: OptionSet, Sendable {
    /// One bit a flag.
    public let rawValue: UInt16
    /// Flags by their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// A tombstone: it keeps its place, nothing else is shown.
    public static let deleted = Self(rawValue: 1)
    /// Kept on top.
    public static let pinned = Self(rawValue: 1 << 1)
    /// Not yet meant for readers.
    public static let draft = Self(rawValue: 1 << 2)
    /// Has a content warning.
    public static let sensitive = Self(rawValue: 1 << 3)
    /// Liked by the archive's owner.
    public static let liked = Self(rawValue: 1 << 4)
    /// `updated` was given and differs from `date`.
    public static let edited = Self(rawValue: 1 << 5)
    /// A line of the platform ("Ada joined"), not of a person.
    public static let system = Self(rawValue: 1 << 6)
    /// At least one medium.
    public static let hasMedia = Self(rawValue: 1 << 7)
    /// At least one medium is a picture.
    public static let hasPicture = Self(rawValue: 1 << 8)
    /// Names a parent that the archive doesn't hold.
    public static let missingParent = Self(rawValue: 1 << 9)
    /// Was the oldest entry of a reply cycle, which was cut here.
    public static let cutCycle = Self(rawValue: 1 << 10)
    /// At least one reaction.
    public static let hasReactions = Self(rawValue: 1 << 11)
    /// At least one tag.
    public static let hasTags = Self(rawValue: 1 << 12)
    /// Has no rarer fields, and its body stands in the record as `body` says, or behind the front
    /// matter of its document.
    public static let plain = Self(rawValue: 1 << 13)
  }

  /// What the entry is.
  public var kind: Kind
  /// Who may see it.
  public var audience: Audience
  /// How its body is written.
  public var format: BodyFormat
  /// Yes or no.
  public var flags: Flags
  /// Who wrote it; `.none` for nobody, and for tombstones.
  public var author: PersonID
  /// The index of the post (for posts and comments) in `Archive.posts`, or of the channel (for
  /// messages) in `Archive.channels`.
  public var container: UInt32
  /// The comment or message answered; `.none` at the top level.
  public var parent: EntryID
  /// The index in `Archive.topics`; `UInt32.max` outside of topics.
  public var topic: UInt32
  /// `.undated` sorts first.
  public var date: Timestamp
  /// The time of the last change; equals `date` if there was none.
  public var updated: Timestamp
  /// How many liked it.
  public var likes: UInt32
  /// How often it was shared.
  public var shares: UInt32
  /// The id as written or derived, unique within its kind and container.
  public var id: TextRange
  /// The id as a safe name in URLs and anchors, unique within its container also where case or
  /// normalisation is folded.
  public var name: TextRange
  /// Where its record stands on disk.
  public var record: RecordRange
  /// Where in the record the body stands between the quotes of a JSON string, of entries that are
  /// plain.
  public var body: TextRange
  /// The index in `Archive.documents` of the Markdown, YAML or TOML file that holds the entry;
  /// `UInt32.max` for JSON records.
  public var document: UInt32
  /// XXH3 of the record's bytes (with its ordinal): changes when anything that a page shows changes.
  public var fingerprint: UInt64

  /// An entry with nothing set: public, undated, without author, parent and topic.
  public init(kind: Kind) {
    self.kind = kind
    audience = .everyone
    format = .markdown
    flags = []
    author = .none
    container = 0
    parent = .none
    topic = .max
    date = .undated
    updated = .undated
    likes = 0
    shares = 0
    id = .empty
    name = .empty
    record = RecordRange(file: FileID(0), ordinal: 0, offset: 0, length: 0)
    body = .empty
    document = .max
    fingerprint = 0
  }

  /// Whether only its place is shown.
  public var isTombstone: Bool { flags.contains(.deleted) }
}
