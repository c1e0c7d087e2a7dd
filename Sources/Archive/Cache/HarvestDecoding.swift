import Bytes

extension Harvest {
  /// Reads what `encode` wrote; nil where anything is not as a reader of files would make it.
  ///
  /// - Parameters:
  ///   - input: The bytes, which nobody vouches for.
  ///   - place: The files that the harvest is of.
  ///   - filePart: The part of a large file that it must be; nil for a run of files.
  init?(decoding input: inout CacheCursor, _ place: HarvestPlace, part filePart: FilePart?) {
    self.init()
    let lines = input.number(upTo: place.bytes.count + 1)
    guard (filePart != nil) == (lines > 0) else { return nil }
    if let filePart {
      part = Part(isFirst: filePart.isFirst, lines: lines - 1)
      reserveBlock()
    }
    text = Array(input.countedBytes())
    decodeTables(&input)
    decodeDocuments(&input, place)
    decodePosts(&input)
    let count = input.count()
    let files = input.number(upTo: place.sources.count)
    var next = -1
    for _ in 0..<files {
      let file = input.number(upTo: place.sources.count - 1)
      guard file > next else { return nil }
      next = file
      decodeSegment(&input, place, file)
      if input.isBroken { return nil }
    }
    guard self.count == count, postsWithEntries == posts.count else { return nil }
    decodeUses(&input)
    decodePages(&input, place)
    decodeDiagnostics(&input, place)
    if input.isBroken { return nil }
  }

  private mutating func decodeTables(_ input: inout CacheCursor) {
    for path in [\Harvest.authors, \Harvest.tags, \Harvest.topics] {
      let count = input.count()
      var table = TextTable()
      for _ in 0..<count where !table.intern(input.countedBytes()).isNew { input.fail() }
      self[keyPath: path] = table
    }
    if input.isBroken { return }
    topicHasID = (0..<topics.count).map { _ in input.flag() }
  }

  private mutating func decodeDocuments(_ input: inout CacheCursor, _ place: HarvestPlace) {
    let count = input.count()
    let size = place.sizes.max() ?? 0
    for _ in 0..<count {
      let frontMatter = input.range(in: text.count)
      let start = input.number(upTo: size)
      let length = input.number(upTo: size - start)
      documents.append(Document(frontMatter: frontMatter, body: start..<start + length))
    }
  }

  private mutating func decodePosts(_ input: inout CacheCursor) {
    let count = input.count()
    for _ in 0..<count {
      posts.append(
        RawPost(
          entry: UInt32(truncatingIfNeeded: input.number(upTo: Int(UInt32.max) - 1)),
          slug: input.range(in: text.count),
          title: input.range(in: text.count),
          hasOwnID: input.flag()
        )
      )
    }
  }

  private mutating func decodeSegment(
    _ input: inout CacheCursor,
    _ place: HarvestPlace,
    _ file: Int
  ) {
    let source = place.source(file)
    let start = count
    var expected = EntryExpectation(recordEnd: Int64(place.bytes.lowerBound))
    var post = Int64(postsWithEntries) - 1
    let length = input.count()
    for _ in 0..<length {
      guard var entry = decodeEntry(&input, &expected, segmentStart: start, place.sizes[file])
      else {
        return input.fail()
      }
      entry.record.file = source.file
      switch source.target {
      case .posts:
        guard entry.kind == (entry.record.ordinal == 0 ? .post : .comment) else {
          return input.fail()
        }
        if entry.kind == .post { post += 1 }
        guard post >= 0, post < posts.count else { return input.fail() }
        entry.container = UInt32(truncatingIfNeeded: post)
        if entry.kind == .post, Int(posts[Int(post)].entry) != count { return input.fail() }
      case .comments: guard entry.kind == .comment else { return input.fail() }
      case .channel: guard entry.kind == .message else { return input.fail() }
      case .pages: return input.fail()
      }
      if entry.parent != .none {
        let parent = self[entry.parent.index]
        if parent.kind != entry.kind || parent.container != entry.container { return input.fail() }
      }
      append(entry)
    }
    postsWithEntries = Int(post + 1)
    if count == start { return input.fail() }
    endSegment(source.target, from: start)
  }

  @inline(__always)
  private func decodeEntry(
    _ input: inout CacheCursor,
    _ expected: inout EntryExpectation,
    segmentStart: Int,
    _ size: Int
  ) -> Entry? {
    let head = input.number()
    guard let kind = Entry.Kind(rawValue: UInt8(head & 3)),
      let audience = Audience(rawValue: UInt8(head >> 2 & 3)),
      let format = BodyFormat(rawValue: UInt8(head >> 4 & 3)),
      head >> EntryHead.firstFlag <= UInt64(Entry.Flags.known)
    else { return nil }
    var entry = Entry(kind: kind)
    entry.audience = audience
    entry.format = format
    entry.flags = Entry.Flags(rawValue: UInt16(truncatingIfNeeded: head >> EntryHead.firstFlag))
    if head & EntryHead.author != 0 {
      entry.author = PersonID(rawValue: input.index(below: authors.count))
    }
    if head & EntryHead.parent != 0 {
      let distance = input.number(upTo: count - segmentStart)
      if distance == 0 { return nil }
      entry.parent = EntryID(count - distance)
    }
    entry.date.milliseconds = expected.date &+ input.signed()
    entry.updated = entry.date
    if head & EntryHead.updated != 0 {
      entry.updated.milliseconds = entry.date.milliseconds &+ input.signed()
    }
    if head & EntryHead.likes != 0 { entry.likes = input.count32() }
    if head & EntryHead.shares != 0 { entry.shares = input.count32() }
    if head & EntryHead.document != 0 { entry.document = input.index(below: documents.count) }
    let length = input.number(upTo: text.count)
    if length > 0 {
      let offset = expected.idEnd &+ input.signed()
      guard offset >= 0, offset <= text.count - length else { return nil }
      entry.id = TextRange(
        offset: UInt32(truncatingIfNeeded: offset),
        length: UInt32(truncatingIfNeeded: length)
      )
      expected.idEnd = offset + Int64(length)
    }
    if head & EntryHead.inside != 0 {
      guard count > segmentStart, expected.ordinal < .max else { return nil }
      let record = self[count - 1].record
      entry.record.offset = record.offset
      entry.record.length = record.length
      entry.record.ordinal = expected.ordinal + 1
      entry.fingerprint = Fingerprint.mix(expected.fingerprint, UInt64(entry.record.ordinal))
    } else {
      let offset = expected.recordEnd &+ input.signed()
      let length = Int64(input.count32())
      guard offset >= 0, offset <= size, length <= Int64(size) - offset else { return nil }
      entry.record.offset = UInt64(offset)
      entry.record.length = UInt32(truncatingIfNeeded: length)
      entry.record.ordinal = input.count32()
      entry.fingerprint = input.fixed()
      expected.recordEnd = offset + length
      expected.fingerprint = entry.fingerprint
    }
    if entry.flags.contains(.plain) { entry.body = input.range(in: Int(entry.record.length)) }
    expected.ordinal = entry.record.ordinal
    expected.date = entry.date.milliseconds
    let isKnown = entry.date.isUndated || entry.date.isInRange
    let isUpdateKnown = entry.updated.isUndated || entry.updated.isInRange
    guard isKnown, isUpdateKnown, !input.isBroken else { return nil }
    // A body is cut out of the record, which may be shorter than other files of the run.
    let bodyEnd = entry.document == .max ? 0 : documents[Int(entry.document)].body.upperBound
    return bodyEnd <= Int(entry.record.length) ? entry : nil
  }

  private mutating func decodeUses(_ input: inout CacheCursor) {
    for _ in 0..<input.count() {
      let (entry, author) = (input.index(below: count), input.index(below: authors.count))
      let avatar = input.range(in: text.count)
      let audience = Audience(rawValue: UInt8(truncatingIfNeeded: input.number(upTo: 2)))
      avatarUses.append(
        AvatarUse(entry: entry, author: author, avatar: avatar, audience: audience ?? .private)
      )
    }
    for _ in 0..<input.count() {
      let entry = input.index(below: count)
      tagUses.append(TagUse(entry: entry, tag: input.index(below: tags.count)))
    }
    for _ in 0..<input.count() {
      let entry = input.index(below: count)
      parents.append(Named(entry: entry, name: input.range(in: text.count)))
    }
    for _ in 0..<input.count() {
      let post = input.index(below: posts.count)
      aliases.append(Named(entry: post, name: input.range(in: text.count)))
    }
    for _ in 0..<input.count() {
      let entry = input.index(below: count)
      if !input.isBroken, !self[Int(entry)].id.isEmpty { input.fail() }
      nameless.append(Nameless(entry: entry, body: input.fixed()))
    }
    for _ in 0..<input.count() {
      let entry = input.index(below: count)
      let topic = input.index(below: topics.count + 1)
      topicUses.append(
        TopicUse(
          entry: entry,
          topic: topic == 0 ? .max : topic - 1,
          title: input.range(in: text.count)
        )
      )
    }
  }

  private mutating func decodePages(_ input: inout CacheCursor, _ place: HarvestPlace) {
    for _ in 0..<input.count() {
      let file = input.number(upTo: place.sources.count - 1)
      if input.isBroken || place.source(file).target != .pages { return input.fail() }
      let size = place.sizes[file]
      let length = input.number(upTo: min(size, Int(UInt32.max)))
      let slug = Array(input.countedBytes())
      let title = input.countedText()
      let updated = Timestamp(milliseconds: input.signed())
      let aliases = (0..<input.count()).map { _ in input.countedText() }
      let format = BodyFormat(rawValue: UInt8(truncatingIfNeeded: input.number(upTo: 2)))
      let start = input.number(upTo: size)
      let end = start + input.number(upTo: size - start)
      let audience = Audience(rawValue: UInt8(truncatingIfNeeded: input.number(upTo: 2)))
      let page = StandalonePage(
        slug: "",
        title: title,
        updated: updated,
        aliases: aliases,
        format: format ?? .plain,
        record: RecordRange(
          file: place.source(file).file,
          ordinal: 0,
          offset: 0,
          length: UInt32(truncatingIfNeeded: length)
        ),
        body: start..<end
      )
      if !updated.isUndated, !updated.isInRange { input.fail() }
      let isDraft = input.flag()
      pages.append(
        RawPage(slug: slug, page: page, audience: audience ?? .private, isDraft: isDraft)
      )
    }
  }

  private mutating func decodeDiagnostics(_ input: inout CacheCursor, _ place: HarvestPlace) {
    let largest = 1 << 40
    for _ in 0..<input.count() {
      let file = input.number(upTo: place.sources.count - 1)
      let (warnings, errors) = (input.number(upTo: largest), input.number(upTo: largest))
      if input.isBroken { return }
      tallies.append(
        FileTally(path: place.source(file).path, warnings: warnings, errors: errors)
      )
    }
    for _ in 0..<input.count() {
      let file = input.number(upTo: place.sources.count - 1)
      let severity = Diagnostic.Severity(
        rawValue: UInt8(truncatingIfNeeded: input.number(upTo: 2))
      )
      let (line, column) = (input.number(upTo: largest), input.number(upTo: largest))
      let headline = input.countedText()
      let explanation = input.countedText()
      let suggestion = input.countedText()
      if input.isBroken { return }
      diagnostics.append(
        Diagnostic(
          severity ?? .error,
          path: place.source(file).path,
          line: line,
          column: column,
          headline: headline,
          explanation: explanation,
          suggestion: suggestion
        )
      )
    }
  }
}

extension CacheCursor {
  fileprivate mutating func count32() -> UInt32 {
    UInt32(truncatingIfNeeded: number(upTo: Int(UInt32.max)))
  }
}

extension Entry.Flags {
  /// Every bit that means something.
  fileprivate static let known = UInt16(1 << 14) - 1
}
