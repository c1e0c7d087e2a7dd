import Bytes
import JSON

/// Fills an entry from the fields that a walk stands at.
enum EntryBuilder {
  static func entry(
    _ kind: Entry.Kind,
    _ ordinal: UInt32,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) -> Entry {
    var entry = Entry(kind: kind)
    let position = UInt32(truncatingIfNeeded: harvest.count)
    entry.record = RecordRange(
      file: file.source.file,
      ordinal: ordinal,
      offset: UInt64(truncatingIfNeeded: record.offset),
      length: UInt32(truncatingIfNeeded: record.length)
    )
    entry.document = record.document
    entry.fingerprint =
      ordinal == 0 ? record.fingerprint : Fingerprint.mix(record.fingerprint, UInt64(ordinal))
    if let key = walk.duplicate {
      harvest.report(.secondName(key.string, line: record.line, file))
    }
    readFlags(&entry, walk, record, file, into: &harvest)
    readDates(&entry, ordinal, walk, record, file, into: &harvest)
    readAudience(&entry, walk, record, file, into: &harvest)
    readAuthor(&entry, walk, record, file, into: &harvest)
    readParent(position, walk, into: &harvest)
    if let value = walk[.format] {
      entry.format = format(value, record, file, into: &harvest)
    } else if file.source.format == .html {
      entry.format = .html
    }
    if !entry.isTombstone {
      readMedia(&entry, walk, record, file, into: &harvest)
      readTags(&entry, position, walk, file, into: &harvest)
    }
    if let value = walk[.likes] { entry.likes = FieldValue.count(value) }
    if let value = walk[.shares] { entry.shares = FieldValue.count(value) }
    if entry.isTombstone { entry.makeTombstone() }
    readID(&entry, position, ordinal, walk, record, file, into: &harvest)
    if kind == .message, file.rules.gathersTopics { readTopic(position, walk, into: &harvest) }
    return entry
  }

  private static func readFlags(
    _ entry: inout Entry,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    func isSet(_ field: Field) -> Bool { walk[field].map { FieldValue.isTrue($0) } ?? false }
    if isSet(.deleted) { entry.flags.insert(.deleted) }
    if isSet(.pinned) { entry.flags.insert(.pinned) }
    if isSet(.draft) { entry.flags.insert(.draft) }
    if let value = walk[.published], FieldValue.isFalse(value) { entry.flags.insert(.draft) }
    if isSet(.liked) { entry.flags.insert(.liked) }
    if isSet(.system) { entry.flags.insert(.system) }
    if let type = walk[.type]?.text, type == "system" { entry.flags.insert(.system) }
    if let value = walk[.sensitive], !FieldValue.isFalse(value) {
      if value.text?.buffer.trimmed.isEmpty != true { entry.flags.insert(.sensitive) }
    }
    if let value = walk[.reactions], value.kind == .array, value.count > 0, !entry.isTombstone {
      entry.flags.insert(.hasReactions)
    }
    if let body = walk[.body], body.text == nil, body.double == nil {
      harvest.report(.bodyNotText(line: record.line(of: .body), file))
    }
  }

  private static func readDates(
    _ entry: inout Entry,
    _ ordinal: UInt32,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    if let value = walk[.date] ?? walk[.weakDate] {
      if let date = FieldValue.date(value, file.rules) {
        entry.date = date
      } else if ordinal == 0, !file.nameDate.isUndated {
        entry.date = file.nameDate
        harvest.report(.unreadableDate(value, line: record.line(of: .date), file, isKept: false))
      } else {
        harvest.report(.unreadableDate(value, line: record.line(of: .date), file, isKept: true))
      }
    } else if ordinal == 0, !file.nameDate.isUndated {
      entry.date = file.nameDate
    } else if file.source.target != .pages {
      harvest.report(.missingDate(line: record.line, file))
    }
    entry.updated = entry.date
    if let value = walk[.updated] ?? walk[.weakUpdated] {
      if let date = FieldValue.date(value, file.rules) {
        entry.updated = date
        if date != entry.date { entry.flags.insert(.edited) }
      } else {
        harvest.report(
          .unreadableDate(value, line: record.line(of: .updated), file, isKept: false)
        )
      }
    }
  }

  private static func readAuthor(
    _ entry: inout Entry,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    guard let value = walk[.author] ?? walk[.authors], !entry.isTombstone else { return }
    var number: Int?
    let isNamed = FieldValue.withName(of: value, isList: walk[.author] == nil) { name in
      let name = name.trimmed.cut(to: longestName)
      if name.isEmpty { return }
      number = harvest.authors.intern(name).number
    }
    if !isNamed {
      harvest.report(.authorNotText(line: record.line(of: .author), file))
    }
    guard let number else { return }
    entry.author = PersonID(number)
    if let avatar = walk[.avatar]?.text, !avatar.isEmpty, avatar.count <= 4096 {
      let position = UInt32(truncatingIfNeeded: harvest.count)
      harvest.note(avatar: avatar.buffer, of: number, position, entry.audience)
    }
  }

  private static func readAudience(
    _ entry: inout Entry,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    if let value = walk[.audience] {
      if let audience = value.text.flatMap({ FieldValue.audience($0.buffer.trimmed) }) {
        entry.audience = audience
      } else {
        // Unreadable is not public: nothing may be shown by mistake.
        entry.audience = .private
        harvest.report(.unknownAudience(value, line: record.line(of: .audience), file))
      }
    }
    if let value = walk[.isPublic] {
      if walk[.audience] != nil {
        harvest.report(.secondName("isPublic", line: record.line, file))
      } else if !FieldValue.isTrue(value) {
        entry.audience = .friends
      }
    }
  }

  private static func readParent(
    _ position: UInt32,
    _ walk: borrowing RecordWalk,
    into harvest: inout Harvest
  ) {
    guard let value = walk[.parent] ?? walk[.weakParent],
      let name = FieldValue.append(value, to: &harvest.text), !name.isEmpty
    else { return }
    harvest.parents.append(Harvest.Named(entry: position, name: name))
  }

  private static func format(
    _ value: JSONValue,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) -> BodyFormat {
    guard let format = FieldValue.format(value) else {
      harvest.report(.unknownFormat(value, line: record.line(of: .format), file))
      return .plain
    }
    return format
  }

  private static func readMedia(
    _ entry: inout Entry,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    guard let value = walk[.media] else { return }
    for element in MediaReading.elements(of: value) {
      guard let found = MediaReading.medium(element, in: file.media, beside: file.folder) else {
        continue
      }
      entry.flags.insert(.hasMedia)
      if found.medium.kind == .image { entry.flags.insert(.hasPicture) }
      if harvest.notesMedia { harvest.note(found.medium.written, file) }
      switch found.outcome {
      case .found, .remote: break
      case .missing:
        harvest.report(.missingMedium(found.medium.written, line: record.line(of: .media), file))
      case .refused:
        harvest.report(.refusedMedium(found.medium.written, line: record.line(of: .media), file))
      }
    }
  }

  private static func readTags(
    _ entry: inout Entry,
    _ position: UInt32,
    _ walk: borrowing RecordWalk,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    let first = harvest.tagUses.count
    FieldValue.forEachTag(walk, splitsAtBlanks: file.splitsTagsAtBlanks) { tag in
      let tag = UInt32(truncatingIfNeeded: harvest.tags.intern(tag.cut(to: longestName)).number)
      harvest.tagUses.append(Harvest.TagUse(entry: position, tag: tag))
    }
    if harvest.tagUses.count > first { entry.flags.insert(.hasTags) }
  }

  private static func readID(
    _ entry: inout Entry,
    _ position: UInt32,
    _ ordinal: UInt32,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    if let value = walk[.id] ?? walk[.weakID] {
      if let id = FieldValue.append(value, to: &harvest.text) {
        entry.id = id
      } else {
        harvest.report(.idNotText(line: record.line(of: .id), file))
      }
    }
    let hasOwnID = !entry.id.isEmpty
    if entry.kind == .post {
      var slug = walk[.slug].flatMap { FieldValue.append($0, to: &harvest.text) } ?? .empty
      if slug.isEmpty, record.isWholeFile, ordinal == 0 {
        slug = file.slug.withUnsafeBufferPointer { harvest.append(text: $0.cut(to: longestName)) }
      }
      if slug.isEmpty { slug = entry.id }
      if entry.id.isEmpty { entry.id = slug }
      PostFields.read(position, slug, hasOwnID, entry, walk, record, file, into: &harvest)
    }
    if entry.id.isEmpty {
      let body = walk[.body]?.text.map { Fingerprint.of($0.buffer) } ?? 0
      harvest.nameless.append(Harvest.Nameless(entry: position, body: body))
    }
  }

  private static func readTopic(
    _ position: UInt32,
    _ walk: borrowing RecordWalk,
    into harvest: inout Harvest
  ) {
    var use = Harvest.TopicUse(entry: position, topic: .max, title: .empty)
    if let value = walk[.topic] {
      let id = value.kind == .object ? value["id"] ?? value["title"] : value
      let title = value.kind == .object ? value["title"] : value
      if let id, let range = FieldValue.append(id, to: &harvest.text), !range.isEmpty {
        let own = value.kind == .object && value["id"] != nil
        use.topic = UInt32(truncatingIfNeeded: harvest.internTopic(range, hasOwnID: own))
      }
      if let title { use.title = FieldValue.append(title, to: &harvest.text) ?? .empty }
    }
    if use.title.isEmpty, let title = walk[.title] {
      use.title = FieldValue.append(title, to: &harvest.text) ?? .empty
    }
    if use.topic != .max || !use.title.isEmpty { harvest.topicUses.append(use) }
  }
}
