import Bytes

/// Harvests joined in the order of their files: everything of the archive, still unsorted and with
/// names where the archive has positions.
struct RawArchive: Sendable {
  var entries: [Entry] = []
  var text: [UInt8] = []
  var authors = TextTable()
  var avatarUses: [Harvest.AvatarUse] = []
  var tags = TextTable()
  var tagUses: [Harvest.TagUse] = []
  var parents: [Harvest.Named] = []
  var nameless: [Harvest.Nameless] = []
  var posts: [Harvest.RawPost] = []
  var aliases: [Harvest.Named] = []
  var topics = TextTable()
  var topicHasID: [Bool] = []
  var topicUses: [Harvest.TopicUse] = []
  var documents: [Document] = []
  var pages: [Harvest.RawPage] = []
  var statuses: [(file: FileID, status: FileStatus)] = []
  var texts: [(file: FileID, text: [UInt8])] = []
  var diagnostics: [Diagnostic] = []
  /// Comments whose post is still to be found: entries by comment folder.
  var loose: [(folder: Int, entries: Range<Int>)] = []
  /// Set where a derived id or name had no room: the archive is of no use then.
  private(set) var isOverfull = false
  /// Lets stages that would change nothing pass by.
  private(set) var facts = JoinedFacts()
  /// Of the file whose diagnostics came last.
  private var tally = FileTally(path: "")
  /// Line ends before the next part of a large file.
  private var linesBefore = 0

  init(joining harvests: consuming [Harvest]) {
    entries.reserveCapacity(harvests.reduce(0) { $0 + $1.count })
    text.reserveCapacity(harvests.reduce(0) { $0 + $1.text.count })
    entries.preferLargePages()
    text.preferLargePages()
    for index in harvests.indices {
      // Taken out, so that the memory of what is copied is given back at once.
      var harvest = Harvest()
      swap(&harvest, &harvests[index])
      add(&harvest)
    }
    if let summary = tally.summary { diagnostics.append(summary) }
  }

  private mutating func add(_ harvest: inout Harvest) {
    let base = UInt32(truncatingIfNeeded: entries.count)
    let textBase = UInt32(truncatingIfNeeded: text.count)
    let postBase = UInt32(truncatingIfNeeded: posts.count)
    let documentBase = UInt32(truncatingIfNeeded: documents.count)
    func moved(_ range: TextRange) -> TextRange {
      range.isEmpty ? .empty : TextRange(offset: range.offset + textBase, length: range.length)
    }
    func moved(_ named: Harvest.Named, by base: UInt32) -> Harvest.Named {
      Harvest.Named(entry: named.entry + base, name: moved(named.name))
    }
    text += harvest.text
    let authorNumbers = join(harvest.authors, &authors)
    avatarUses += harvest.avatarUses.map { use in
      var use = use
      use.entry += base
      use.author = authorNumbers[Int(use.author)]
      use.avatar = moved(use.avatar)
      return use
    }
    addEntries(of: &harvest, authorNumbers, textBase: textBase, documentBase: documentBase)
    let tagNumbers = join(harvest.tags, &tags)
    tagUses += harvest.tagUses.map {
      Harvest.TagUse(entry: $0.entry + base, tag: tagNumbers[Int($0.tag)])
    }
    let topicNumbers = join(harvest.topics, &topics)
    for (topic, hasID) in harvest.topicHasID.enumerated()
    where Int(topicNumbers[topic]) == topicHasID.count {
      topicHasID.append(hasID)
    }
    topicUses += harvest.topicUses.map {
      Harvest.TopicUse(
        entry: $0.entry + base,
        topic: $0.topic == .max ? .max : topicNumbers[Int($0.topic)],
        title: moved($0.title)
      )
    }
    parents += harvest.parents.map { moved($0, by: base) }
    nameless += harvest.nameless.map {
      Harvest.Nameless(entry: $0.entry + base, body: $0.body)
    }
    aliases += harvest.aliases.map { moved($0, by: postBase) }
    posts += harvest.posts.map {
      Harvest.RawPost(
        entry: $0.entry + base,
        slug: moved($0.slug),
        title: moved($0.title),
        hasOwnID: $0.hasOwnID
      )
    }
    documents += harvest.documents.map {
      Document(frontMatter: moved($0.frontMatter), body: $0.body)
    }
    for segment in harvest.segments {
      let range = segment.entries.lowerBound + Int(base)..<segment.entries.upperBound + Int(base)
      switch segment.target {
      case .posts: for index in range { entries[index].container += postBase }
      case .comments(let folder): loose.append((folder, range))
      case .channel(let channel):
        let channel = UInt32(truncatingIfNeeded: channel)
        entries.withUnsafeMutableBufferPointer { entries in
          for index in range { entries[index].container = channel }
        }
      case .pages: break
      }
      facts.add(segment, range, entries, text)
    }
    pages += harvest.pages
    statuses += harvest.statuses
    texts += harvest.texts
    addDiagnostics(of: harvest)
  }

  /// Takes over diagnostics: lines of a part are counted from the file's beginning from now on, and
  /// no file says more than it may.
  private mutating func addDiagnostics(of harvest: Harvest) {
    if harvest.part?.isFirst ?? true { linesBefore = 0 }
    var rest = harvest.diagnostics[...]
    for reported in harvest.tallies {
      if tally.path != reported.path {
        if let summary = tally.summary { diagnostics.append(summary) }
        tally = FileTally(path: reported.path)
      }
      var (warnings, errors) = (reported.warnings, reported.errors)
      while var diagnostic = rest.first, diagnostic.path == reported.path {
        rest.removeFirst()
        if diagnostic.severity == .error { errors -= 1 } else { warnings -= 1 }
        if diagnostic.line > 0 { diagnostic.line += linesBefore }
        if tally.admits(diagnostic) { diagnostics.append(diagnostic) }
      }
      tally.add(warnings: warnings, errors: errors)
    }
    linesBefore += harvest.part?.lines ?? 0
  }

  private mutating func addEntries(
    of harvest: inout Harvest,
    _ authorNumbers: [UInt32],
    textBase: UInt32,
    documentBase: UInt32
  ) {
    let base = entries.count
    var blocks = harvest.takeBlocks()
    for index in blocks.indices {
      // Given back one by one.
      var block: [Entry] = []
      swap(&block, &blocks[index])
      entries.append(contentsOf: block)
    }
    let parentBase = UInt32(truncatingIfNeeded: base)
    entries.withUnsafeMutableBufferPointer { entries in
      authorNumbers.withUnsafeBufferPointer { authorNumbers in
        for index in base..<entries.count {
          var id = entries[index].id
          if !id.isEmpty { id.offset += textBase }
          entries[index].id = id
          // Changed later where it is no safe name.
          entries[index].name = id
          let author = entries[index].author
          if author != .none {
            entries[index].author = PersonID(rawValue: authorNumbers[author.index])
          }
          let parent = entries[index].parent
          if parent != .none {
            entries[index].parent = EntryID(rawValue: parent.rawValue + parentBase)
          }
          if entries[index].document != .max { entries[index].document += documentBase }
        }
      }
    }
  }

  private func join(_ table: TextTable, _ all: inout TextTable) -> [UInt32] {
    (0..<table.count).map { number in
      table.withBytes(number) { bytes in
        UInt32(truncatingIfNeeded: all.intern(bytes, hash: table.hashes[number]).number)
      }
    }
  }

  /// The bytes of a range of `text`.
  @inline(__always)
  func withBytes<Result>(
    _ range: TextRange,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    text.withUnsafeBufferPointer { text in
      let start = Int(range.offset)
      return body(UnsafeBufferPointer(rebasing: text[start..<start + Int(range.length)]))
    }
  }

  func string(_ range: TextRange) -> String { withBytes(range) { $0.string } }

  /// Notes that something had no room.
  mutating func refuse() { isOverfull = true }

  mutating func append(_ bytes: [UInt8]) -> TextRange {
    if text.count + bytes.count > ArchiveTooLarge.limit {
      isOverfull = true
      return .empty
    }
    let range = TextRange(
      offset: UInt32(truncatingIfNeeded: text.count),
      length: UInt32(truncatingIfNeeded: bytes.count)
    )
    text += bytes
    return range
  }
}
