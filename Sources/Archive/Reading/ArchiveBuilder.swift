import Bytes

/// Makes an archive of joined harvests, stage by stage; each stage is in a file of its own.
struct ArchiveBuilder {
  var raw: RawArchive
  let scan: ContentScan
  var rules: [ChannelRules]
  let audience: Audience
  let includesDrafts: Bool
  var archive: Archive
  var people: PeopleTable
  /// Where each raw entry went; `.max` for those left out.
  var positions: [UInt32] = []
  var orderly = OrderlyIDs([], count: 0)
  /// What to say about entries, with the lines still to be found.
  var remarks: [Remark] = []

  /// The whole, in order.
  mutating func build() -> Archive {
    deriveIDs(of: .post)
    attachComments()
    deriveIDs(of: .comment)
    deriveIDs(of: .message)
    sortEntries()
    linkParents()
    cutCycles()
    hidePeople()
    let facts = raw.facts
    if facts.audience > audience || (facts.hasDrafts && !includesDrafts) {
      let channelsInUse = usedChannels()
      dropUnseen()
      nameEntries()
      dropChannels(since: channelsInUse)
    } else {
      nameEntries()
    }
    listPosts()
    listChannels()
    listTopics()
    listPeople()
    listTags()
    listPages()
    archive.text = raw.text
    archive.documents = raw.documents
    archive.entries = raw.entries
    return archive
  }
}

/// Something to say about an entry.
struct Remark: Sendable {
  var record: RecordRange
  /// For entries of documents the line is 1.
  var isDocument: Bool
  var diagnostic: Diagnostic
}

/// A channel as `channel.yml` describes it, and how its records are read.
struct ChannelRules: Sendable {
  var channel: Channel
  var rules: SourceRules
}

extension ArchiveBuilder {
  mutating func remark(on entry: Entry, _ headline: String, explanation: String = "") {
    guard remarks.count < 10_000 else { return }
    remarks.append(
      Remark(
        record: entry.record,
        isDocument: entry.document != .max,
        diagnostic: Diagnostic(
          .warning,
          path: scan.paths[entry.record.file.index],
          headline: headline,
          explanation: explanation
        )
      )
    )
  }

  /// A number for the container within which ids are unique: all posts, a post's comments, a
  /// channel.
  @inline(__always)
  static func space(of entry: Entry) -> UInt64 {
    switch entry.kind {
    case .post: 1 << 40
    case .comment: 2 << 40 | UInt64(entry.container)
    case .message: 3 << 40 | UInt64(entry.container)
    }
  }
}

// MARK: - Ids of entries that have none

extension ArchiveBuilder {
  /// Derives ids from author and date; where that is taken or there is no date, from the body as
  /// well; among equals an ordinal tells them apart.
  mutating func deriveIDs(of kind: Entry.Kind) {
    if raw.nameless.isEmpty { return nameSlugs(of: kind) }
    var taken = writtenIDs(of: kind)
    // Where many entries are equal, counting goes on from the last.
    var ordinals: [UInt64: UInt64] = [:]
    for nameless in raw.nameless {
      let index = Int(nameless.entry)
      let entry = raw.entries[index]
      guard entry.kind == kind else { continue }
      let author = entry.author == .none ? 0 : raw.authors.hashes[entry.author.index]
      var base = Fingerprint.mix(author, UInt64(bitPattern: entry.date.milliseconds))
      let space = Self.space(of: entry)
      if entry.date.isUndated || !taken.insert(Self.key(base, space)).inserted {
        base = Fingerprint.mix(base, nameless.body)
        let key = Fingerprint.mix(space, base)
        var ordinal = ordinals[key] ?? 1
        var candidate = ordinal == 1 ? base : Fingerprint.mix(base, ordinal)
        while !taken.insert(Self.key(candidate, space)).inserted {
          ordinal += 1
          candidate = Fingerprint.mix(base, ordinal)
        }
        ordinals[key] = ordinal
        base = candidate
      }
      let id = raw.append(Self.hexadecimal(base, digits: 12))
      raw.entries[index].id = id
      // As when ids are read.
      raw.entries[index].name = id
    }
    nameSlugs(of: kind)
  }

  private mutating func nameSlugs(of kind: Entry.Kind) {
    guard kind == .post else { return }
    for index in raw.posts.indices where raw.posts[index].slug.isEmpty {
      raw.posts[index].slug = raw.entries[Int(raw.posts[index].entry)].id
    }
  }

  /// A derived id within its container: its 12 digits.
  private static func key(_ id: UInt64, _ space: UInt64) -> UInt64 {
    Fingerprint.mix(space, id & 0xFFFF_FFFF_FFFF)
  }

  /// Ids that were derived once and then written down, so that those of others stay what they were.
  private func writtenIDs(of kind: Entry.Kind) -> Set<UInt64> {
    var taken: Set<UInt64> = []
    for entry in raw.entries where entry.kind == kind && entry.id.length == 12 {
      let digits = raw.withBytes(entry.id) { String(decoding: $0, as: UTF8.self) }
      guard let id = UInt64(digits, radix: 16) else { continue }
      taken.insert(Self.key(id, Self.space(of: entry)))
    }
    return taken
  }

  static func hexadecimal(_ value: UInt64, digits: Int) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 16)
    buffer.append(hexadecimal: value, digits: digits)
    return buffer.array
  }
}

// MARK: - Comments in files of their own

extension ArchiveBuilder {
  /// Gives the comments of `comments/POST-ID…` to the post of that id, or else of that slug.
  mutating func attachComments() {
    var table = TextTable()
    var owners: [UInt32] = []
    func insert(_ range: TextRange, _ post: Int) {
      let found = raw.withBytes(range) { table.intern($0) }
      if found.isNew { owners.append(UInt32(truncatingIfNeeded: post)) }
    }
    if !raw.loose.isEmpty {
      let order = raw.withOrder { order in
        raw.posts.indices.sorted { order.isBefore(raw.posts[$0].entry, raw.posts[$1].entry) }
      }
      for post in order { insert(raw.entries[Int(raw.posts[post].entry)].id, post) }
      for post in order { insert(raw.posts[post].slug, post) }
    }
    var homeless: [Int: Int] = [:]
    for (folder, entries) in raw.loose {
      var name = scan.commentFolders[folder]
      let found =
        name.withUTF8 { table.find($0) }
        ?? UnicodeText.nfc(Array(name.utf8).span).withUnsafeBufferPointer { table.find($0) }
      let post = found.map { owners[$0] } ?? .max
      for index in entries { raw.entries[index].container = post }
      if post == .max { homeless[folder, default: 0] += entries.count }
    }
    for (folder, count) in homeless.sorted(by: { $0.key < $1.key }) {
      let name = scan.commentFolders[folder]
      let known = table.count <= 2000 ? (0..<table.count).map { table.string($0) } : []
      let near = NameSuggestion.nearest(to: name, among: known)
      raw.diagnostics.append(
        Diagnostic(
          .warning,
          path: "Content/comments/\(name)",
          headline: count == 1
            ? "No post has the id '\(name)'; its comment is left out"
            : "No post has the id '\(name)'; its \(count) comments are left out",
          suggestion: near.map { "Did you mean '\($0)'?" } ?? ""
        )
      )
    }
  }
}

extension TextRange {
  var bounds: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
}
