import Bytes

/// What one worker gathers from a run of files: entries, and tables that refer to them by position.
///
/// Harvests are joined in the order of the files, so that the result does not depend on
/// the number of workers.
struct Harvest: Sendable {
  /// Entries of one file and where they belong.
  struct Segment: Sendable {
    var target: Target
    var entries: Range<Int>
    /// What later stages need not find out again.
    var facts = SegmentFacts()
  }

  struct Named: Sendable {
    var entry: UInt32
    var name: TextRange
  }

  /// An entry without an id of its own.
  struct Nameless: Sendable {
    var entry: UInt32
    /// XXH3 of the body.
    var body: UInt64
  }

  struct RawPost: Sendable {
    var entry: UInt32
    /// As written, or from the file's name; empty if neither says anything.
    var slug: TextRange
    var title: TextRange
    var hasOwnID: Bool
  }

  struct TopicUse: Sendable {
    var entry: UInt32
    /// In `topics`; `.max` where only a title is known.
    var topic: UInt32
    var title: TextRange
  }

  /// A page of `Content/pages`.
  struct RawPage: Sendable {
    var slug: [UInt8]
    var page: StandalonePage
    var audience: Audience
    var isDraft: Bool
  }

  struct AvatarUse: Sendable {
    var entry: UInt32
    var author: UInt32
    var avatar: TextRange
    var audience: Audience
  }

  /// A path looked up among the media.
  struct MediaUse: Sendable {
    /// The place in its run of the file that names it.
    var file: Int
    var written: String
    /// What was found.
    var signature: UInt64
  }

  struct TagUse: Sendable {
    var entry: UInt32
    var tag: UInt32
  }

  /// A part of a file of JSON lines; its diagnostics count lines from its own beginning.
  struct Part: Sendable {
    var isFirst: Bool
    /// Line ends in the part.
    var lines = 0
    /// Whether something in it goes on behind its end, so that the file can't be read in parts.
    var runsOver = false
    /// Of its bytes, where it was read from them.
    var hash: UInt64?
  }

  static let blockSize = 16384

  private(set) var blocks: [[Entry]] = []
  private var block: [Entry] = []
  var text: [UInt8] = []
  var segments: [Segment] = []
  var authors = TextTable()
  /// Avatars beside names, in the order of entries, each once for a run of entries.
  var avatarUses: [AvatarUse] = []
  /// By author: its last place in `avatarUses`, or -1.
  private var lastAvatars: [Int32] = []
  var tags = TextTable()
  var tagUses: [TagUse] = []
  var parents: [Named] = []
  var nameless: [Nameless] = []
  var posts: [RawPost] = []
  /// Old paths by local post.
  var aliases: [Named] = []
  var topics = TextTable()
  /// By topic: whether the name is an id of its own (else a title).
  var topicHasID: [Bool] = []
  var topicUses: [TopicUse] = []
  var documents: [Document] = []
  var pages: [RawPage] = []
  var statuses: [(file: FileID, status: FileStatus)] = []
  /// Small files, kept so that they need not be read again.
  var texts: [(file: FileID, text: [UInt8])] = []
  var diagnostics: [Diagnostic] = []
  /// How much was reported of each file, also what was left out.
  var tallies: [FileTally] = []
  /// Set where this is a part of a large file.
  var part: Part?

  /// Local media that entries name, where the harvest may be kept: it is good as long as the same
  /// is found.
  var mediaUses: [MediaUse] = []
  var notesMedia = false
  /// The place in its run of the file that is being read.
  var fileNumber = 0
  /// Whether a file could not be read to its end.
  var hasFailed = false
  /// What it is called among kept harvests.
  var keptName: UInt64?
  /// While a kept harvest is read.
  var postsWithEntries = 0

  subscript(index: Int) -> Entry {
    let number = index / Self.blockSize
    return number < blocks.count
      ? blocks[number][index % Self.blockSize] : block[index - blocks.count * Self.blockSize]
  }

  var count: Int { blocks.count * Self.blockSize + block.count }

  mutating func append(_ entry: Entry) {
    if block.capacity == 0 { block.reserveCapacity(min(Self.blockSize, 64)) }
    block.append(entry)
    if block.count == Self.blockSize {
      blocks.append(block)
      block = []
      block.reserveCapacity(Self.blockSize)
    }
  }

  /// Takes room for a full block at once: what isn't filled is never touched, so it costs nothing.
  mutating func reserveBlock() { block.reserveCapacity(Self.blockSize) }

  /// Closes the segment of a file, of all entries since `start`.
  mutating func endSegment(_ target: Target, from start: Int) {
    guard count > start else { return }
    var segment = Segment(target: target, entries: start..<count)
    var index = start
    while index < count {
      let isLast = index >= blocks.count * Self.blockSize
      let run = isLast ? block : blocks[index / Self.blockSize]
      segment.facts.add(run[(index % Self.blockSize)...], text: text)
      index += run.count - index % Self.blockSize
    }
    segment.facts.forgetLast()
    segments.append(segment)
  }

  /// Gives away the entries, the oldest block first, so that memory is held once.
  mutating func takeBlocks() -> [[Entry]] {
    let taken = block.isEmpty ? blocks : blocks + [block]
    blocks = []
    block = []
    return taken
  }

  mutating func append(text bytes: UnsafeBufferPointer<UInt8>) -> TextRange {
    let range = TextRange(
      offset: UInt32(truncatingIfNeeded: text.count),
      length: UInt32(truncatingIfNeeded: bytes.count)
    )
    text.append(contentsOf: bytes)
    return range
  }

  /// Notes an avatar, unless an entry that as many may see already gave the same.
  mutating func note(
    avatar: UnsafeBufferPointer<UInt8>,
    of author: Int,
    _ entry: UInt32,
    _ audience: Audience
  ) {
    while lastAvatars.count <= author { lastAvatars.append(-1) }
    if lastAvatars[author] >= 0 {
      let last = avatarUses[Int(lastAvatars[author])]
      let isSame = text.withUnsafeBufferPointer {
        equalBytes(UnsafeBufferPointer(rebasing: $0[last.avatar.bounds]), avatar)
      }
      if isSame, last.audience <= audience { return }
    }
    lastAvatars[author] = Int32(truncatingIfNeeded: avatarUses.count)
    let range = append(text: avatar)
    avatarUses.append(
      AvatarUse(
        entry: entry,
        author: UInt32(truncatingIfNeeded: author),
        avatar: range,
        audience: audience
      )
    )
  }

  /// The number of a topic by a name that stands in `text`.
  mutating func internTopic(_ name: TextRange, hasOwnID: Bool) -> Int {
    let start = Int(name.offset)
    let found = text.withUnsafeBufferPointer { text in
      topics.intern(UnsafeBufferPointer(rebasing: text[start..<start + Int(name.length)]))
    }
    if found.isNew { topicHasID.append(hasOwnID) }
    return found.number
  }

  mutating func report(_ diagnostic: Diagnostic) {
    if tallies.last?.path != diagnostic.path { tallies.append(FileTally(path: diagnostic.path)) }
    if tallies[tallies.count - 1].admits(diagnostic) { diagnostics.append(diagnostic) }
  }
}

/// What the entries of a file belong to.
enum Target: Hashable, Sendable {
  case posts
  /// An index in `ContentScan.commentFolders`.
  case comments(Int)
  /// An index in the sorted channels.
  case channel(Int)
  case pages
}
