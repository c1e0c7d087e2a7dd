import Bytes
import JSON

extension ArchiveWriter {
  /// Adds a message to a channel: to the file of what it answers, else to that of the newest
  /// message, in its form.
  public func addMessage(_ entry: NewEntry, to channel: String) async throws -> WriteReport {
    try entry.check()
    return try await perform { archive in
      let number = try find(channel: channel, in: archive)
      let messages = archive.channels[number].messages
      let parent = try archive.find(entry.replyTo, in: messages, prefix: "m-")
      let place = try messagePlace(archive, number, parent)
      let writer = RecordWriter(
        sample: place.sample,
        table: archive.channelTables[number],
        zone: archive.configuration.timeZone,
        dates: archive.channelDates[number],
        now: now
      )
      let id = NewID.make(entry, at: now, in: archive, messages)
      let name = archive.channels[number].name
      return try append(
        entry,
        place,
        writer,
        archive,
        id: id,
        parent: parent.map { ("replyTo", archive.string(archive.entries[$0.index].id)) },
        reference: "channels/\(name)#m-\(id)"
      )
    }
  }

  /// Adds a post as a Markdown file of its own.
  public func addPost(_ entry: NewEntry) async throws -> WriteReport {
    try entry.check()
    if !entry.slug.isEmpty, !Slug.isSafe(entry.slug) {
      throw WritingError(
        "'\(Diagnostic.shown(entry.slug))' can't be a slug: it must be a file's name",
        suggestion: "Write letters, digits and hyphens",
        isUsage: true
      )
    }
    return try await perform { archive in
      let slug = try slug(for: entry, in: archive)
      let day = archive.configuration.timeZone.civil(at: now)
      var date = ByteBuffer(capacity: 16)
      date.append(date: day)
      let path = "Content/posts/\(date.string)-\(slug).md"
      let media = try media(of: entry, beside: "Content/posts")
      let bytes = try document(entry, archive, id: nil, parent: nil, media: media)
      let reference = "posts/\(slug)"
      return WriteReport(
        action: "add",
        reference: reference,
        path: path,
        summary: "Added \(reference) as \(path)",
        notes: notes(entry, archive),
        changes: [FileChange(path: path, old: nil, new: bytes, expected: nil)]
      )
    }
  }

  private func slug(for entry: NewEntry, in archive: Archive) throws -> String {
    func key(_ name: some Sequence<UInt8>) -> [UInt8] {
      PathName.collisionKey(of: Array(name).span)
    }
    func isTaken(_ slug: String) -> Bool {
      let wanted = key(slug.utf8)
      return archive.posts.contains { post in
        key(post.slug.utf8) == wanted
          || key(archive.string(archive.entries[post.entry.index].id).utf8) == wanted
      }
    }
    if !entry.slug.isEmpty {
      guard !isTaken(entry.slug) else {
        throw WritingError("There is a post 'posts/\(entry.slug)' already")
      }
      return entry.slug
    }
    var base = Slug.make(from: entry.title)
    if !Slug.isSafe(base) { base = NewID.make(entry, at: now, in: archive, 0..<0) }
    if !isTaken(base) { return base }
    var number = 2
    while isTaken("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }

  /// A Markdown file with front matter.
  func document(
    _ entry: NewEntry,
    _ archive: Archive,
    id: String?,
    parent: (String, String)?,
    media: [String]
  ) throws -> [UInt8] {
    let writer = RecordWriter(
      table: .standard,
      zone: archive.configuration.timeZone,
      dates: archive.configuration.dates,
      now: now,
      isPrecise: false
    )
    let json = try writer.record(entry, id: id, parent: parent, media: media, hasBody: false)
    let scalars = YAMLScalars()
    let members = try JSONLiteral.read(json) { object in
      object.members.map { scalars.member($0.key.array, $0.value, indent: []) + [0x0A] }
    }
    let mark = Array("---\n".utf8)
    let start = mark + Array(members.joined()) + mark + [0x0A]
    var editor = try DocumentEditor(start, path: "new.md", format: .markdown)
    try editor.setBody(Array(entry.body.utf8))
    return editor.bytes
  }

  /// Puts a record into a file.
  func append(
    _ entry: NewEntry,
    _ place: Place,
    _ writer: RecordWriter,
    _ archive: Archive,
    id: String,
    parent: (String, String)?,
    reference: String
  ) throws -> WriteReport {
    let folder = place.path.lastSlash.map { place.path[..<$0] } ?? ""
    let media = try media(of: entry, beside: String(folder))
    let record = try writer.record(entry, id: id, parent: parent, media: media)
    return try naming(place.path) {
      var editor = JSONEditor(place.bytes, format: RecordEditor.format(of: place.path))
      if RecordEditor.format(of: place.path) == .lines {
        try editor.appendLine(record)
      } else {
        try editor.append(record)
      }
      return WriteReport(
        action: "add",
        reference: reference,
        path: place.path,
        summary: "Added \(reference) to \(place.path)",
        notes: notes(entry, archive),
        changes: [
          FileChange(
            path: place.path,
            old: place.status == nil ? nil : place.bytes,
            new: editor.bytes,
            expected: place.status
          )
        ]
      )
    }
  }

  func media(of entry: NewEntry, beside folder: String) throws -> [String] {
    try MediaCopy(store: store).names(of: entry.attachments, beside: folder, isDryRun: isDryRun)
  }

  /// Whether nobody is called like the author yet.
  func notes(_ entry: NewEntry, _ archive: Archive) -> [String] {
    if archive.people.isEmpty || archive.names.person(named: entry.author) != nil { return [] }
    let names = archive.people.prefix(2000).flatMap { [$0.id, $0.displayName] }
    let near = NameSuggestion.nearest(to: entry.author, among: names)
    return [
      "Nobody was called '\(Diagnostic.shown(entry.author))' before"
        + (near.map { "; did you mean '\($0)'?" } ?? "")
    ]
  }
}

// MARK: - Where a message goes

extension ArchiveWriter {
  /// A file that takes further records.
  struct Place {
    var path: String
    /// As it is now; what a new file begins with where it isn't there.
    var bytes: [UInt8]
    var status: FileStatus?
    /// The record of a neighbour.
    var sample: [UInt8] = []
  }

  private func find(channel: String, in archive: Archive) throws -> Int {
    let prefix = "channels/"
    let name =
      channel.utf8.starts(with: prefix.utf8)
      ? String(decoding: channel.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : channel
    let found = archive.channels.firstIndex {
      $0.id.utf8.elementsEqual(name.utf8) || $0.name.utf8.elementsEqual(name.utf8)
    }
    if let found { return found }
    let near = NameSuggestion.nearest(to: name, among: archive.channels.map(\.id))
    throw WritingError(
      "There is no channel '\(Diagnostic.shown(name))'",
      suggestion: near.map { "did you mean '\($0)'?" } ?? "'stillfeed add channel' makes one"
    )
  }

  private func messagePlace(
    _ archive: Archive,
    _ channel: Int,
    _ parent: EntryID?
  ) throws -> Place {
    var refused: Set<UInt32> = []
    if let parent, let place = try place(beside: parent, archive, &refused) { return place }
    let messages = archive.channels[channel].messages
    for index in messages.reversed() {
      guard let place = try place(beside: EntryID(index), archive, &refused) else { continue }
      return try successor(of: place, archive.entries[index].date, archive.configuration.timeZone)
    }
    return try newPlace("Content/channels/\(archive.channels[channel].id)/messages.jsonl")
  }

  /// The file of an entry, if it is JSON lines or an array in which the entry is a record.
  func place(
    beside id: EntryID,
    _ archive: Archive,
    _ refused: inout Set<UInt32>
  ) throws -> Place? {
    let entry = archive.entries[id.index]
    guard entry.document == .max, entry.record.ordinal == 0, !entry.isTombstone,
      !refused.contains(entry.record.file.rawValue)
    else { return nil }
    let path = archive.files[entry.record.file.index].path
    let (bytes, status) = try store.read(entry.record.file, of: archive)
    var splitter = JSONSplitter(RecordEditor.format(of: path))
    _ = splitter.next(in: bytes.span)
    let isList = splitter.layout == .array || RecordEditor.format(of: path) == .lines
    guard isList, splitter.layout != .values else {
      refused.insert(entry.record.file.rawValue)
      return nil
    }
    let start = Int(entry.record.offset)
    let end = start + Int(entry.record.length)
    guard end <= bytes.count else { throw Stale() }
    return Place(path: path, bytes: bytes, status: status, sample: Array(bytes[start..<end]))
  }

  /// A file that isn't there yet, or has no records.
  func newPlace(_ path: String) throws -> Place {
    let isArray = RecordEditor.format(of: path) == .automatic
    guard try store.exists(path) else {
      return Place(path: path, bytes: isArray ? Array("[]\n".utf8) : [], status: nil)
    }
    let (bytes, status) = try store.read(path)
    let isBlank = bytes.allSatisfy(isBlankByte)
    return Place(path: path, bytes: isArray && isBlank ? Array("[]\n".utf8) : bytes, status: status)
  }

  /// Where files are called by year, month or day, the one for now.
  private func successor(
    of place: Place,
    _ date: Timestamp,
    _ zone: TimeZoneRules
  ) throws -> Place {
    let name = Array(place.path.utf8)
    guard let slash = name.lastIndex(of: UInt8(ascii: "/")),
      let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > slash, !date.isUndated
    else { return place }
    let stem = name[(slash + 1)..<dot]
    guard [4, 7, 10].contains(stem.count) else { return place }
    var old = ByteBuffer(capacity: 16)
    old.append(date: zone.civil(at: date))
    var new = ByteBuffer(capacity: 16)
    new.append(date: zone.civil(at: now))
    let current = new.array.prefix(stem.count)
    guard stem.elementsEqual(old.array.prefix(stem.count)), !stem.elementsEqual(current) else {
      return place
    }
    let path = String(decoding: name[...slash] + current + name[dot...], as: UTF8.self)
    var successor = try newPlace(path)
    successor.sample = place.sample
    return successor
  }
}

extension Archive {
  /// The entry that a reply names: by id, by name, or by reference.
  func find(_ id: String, in range: Range<Int>, prefix: String) throws -> EntryID? {
    if id.isEmpty { return nil }
    var name = Array(id.utf8)
    if let hash = name.firstIndex(of: UInt8(ascii: "#")), id.utf8.contains(UInt8(ascii: "/")) {
      name = Array(name[(hash + 1)...])
    }
    func matches(_ range: TextRange, _ name: [UInt8]) -> Bool {
      Int(range.length) == name.count && text[range.bounds].elementsEqual(name)
    }
    let short = name.starts(with: prefix.utf8) ? Array(name.dropFirst(prefix.utf8.count)) : name
    for candidate in [name, short] {
      let found = range.first {
        matches(entries[$0].id, candidate) || matches(entries[$0].name, candidate)
      }
      if let found { return EntryID(found) }
    }
    let known = range.prefix(2000).map { string(entries[$0].id) }
    let near = NameSuggestion.nearest(to: id, among: known)
    throw WritingError(
      "There is nothing called '\(Diagnostic.shown(id))' to reply to",
      suggestion: near.map { "did you mean '\($0)'?" } ?? "'stillfeed list' prints the references"
    )
  }
}
