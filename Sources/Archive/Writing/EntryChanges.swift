import Bytes
import JSON

/// What an edit asks for; nil and empty mean "as it is".
public struct EntryChanges: Sendable {
  /// A new text; it sets the time of the last change.
  public var body: String?
  /// A new title.
  public var title: String?
  /// Who may see the entry from now on.
  public var audience: Audience?
  /// True likes (the count goes up by one), false takes that back; twice is once.
  public var liked: Bool?
  /// Whether it is pinned.
  public var pinned: Bool?
  /// Tags that it gets, if it hasn't got them.
  public var addedTags: [String] = []
  /// Tags that it loses.
  public var removedTags: [String] = []
  /// The body that the change of body began with; where it is another by now, the edit is refused.
  public var expectedBody: String?

  /// Nothing to change.
  public init() {}

  /// Whether nothing is asked for.
  public var isEmpty: Bool {
    body == nil && title == nil && audience == nil && liked == nil && pinned == nil
      && addedTags.isEmpty && removedTags.isEmpty
  }
}

/// Makes changes in one record.
struct EntryChanger {
  let archive: Archive
  let entry: Entry
  let now: Timestamp
  var editor: RecordEditor
  /// The fields that were changed, as the file calls them.
  private(set) var changed: [String] = []

  init(_ archive: Archive, _ entry: Entry, now: Timestamp, _ editor: RecordEditor) {
    self.archive = archive
    self.entry = entry
    self.now = now
    self.editor = editor
  }

  /// Makes all changes; what is already so is left alone.
  mutating func apply(_ changes: EntryChanges) throws {
    let fresh = editor
    try make(changes)
    if try changed.isEmpty || !needsID(fresh) { return }
    // An id that is derived from what changes is written down first.
    editor = fresh
    changed = []
    try set(.id, JSONLiteral.string(archive.string(entry.id)))
    try make(changes)
  }

  /// Takes the content away and keeps the place.
  mutating func bury() throws {
    if try needsID(editor) { try set(.id, JSONLiteral.string(archive.string(entry.id))) }
    if editor.isDocumentBody { try editor.setBody([]) }
    let content: [Field] = [
      .body, .format, .author, .authors, .avatar, .title, .tags, .categories, .taxonomies, .media,
      .likes, .liked, .shares, .reactions, .sensitive, .pinned, .summary, .description,
    ]
    for field in content where try editor.has(field) { try editor.remove(field) }
    try set(.deleted, Array("true".utf8))
  }

  private mutating func make(_ changes: EntryChanges) throws {
    if let title = changes.title { try setText(.title, title) }
    if let body = changes.body { try setBody(body, expecting: changes.expectedBody) }
    if let audience = changes.audience { try setAudience(audience) }
    if let liked = changes.liked { try setLiked(liked) }
    if let pinned = changes.pinned { try setFlag(.pinned, pinned) }
    for tag in changes.addedTags { try add(tag: tag) }
    for tag in changes.removedTags { try remove(tag: tag) }
  }

  private mutating func set(_ field: Field, _ value: [UInt8]) throws {
    let name = try editor.name(of: field)
    try editor.set(field, value)
    note(name)
  }

  private mutating func note(_ name: some Sequence<UInt8>) {
    let name = String(decoding: Array(name), as: UTF8.self)
    if !changed.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { changed.append(name) }
  }

  /// Whether the id would change with author, date or body.
  private func needsID(_ editor: RecordEditor) throws -> Bool {
    if try editor.has(.id) || editor.has(.weakID) { return false }
    switch entry.kind {
    case .comment, .message: return true
    case .post:
      if try editor.has(.slug) { return false }
      // A file with one post is called by its file's name.
      return editor.base.count == 1 && !isWholeFile(editor)
    }
  }

  private func isWholeFile(_ editor: RecordEditor) -> Bool {
    let bytes = editor.bytes
    let end = Int(entry.record.offset) + Int(entry.record.length)
    guard RecordEditor.format(of: editor.path) == .automatic, end <= bytes.count else {
      return false
    }
    var splitter = JSONSplitter(.automatic)
    var count = 0
    while count < 2, splitter.next(in: bytes.span) != nil { count += 1 }
    return count == 1 && splitter.layout != .array
  }

  private mutating func setText(_ field: Field, _ text: String) throws {
    let isSame = try editor.read(field) { value in
      value.map { FieldValue.string($0).utf8.elementsEqual(text.utf8) } ?? text.isEmpty
    }
    if !isSame { try set(field, JSONLiteral.string(text)) }
  }

  private mutating func setBody(_ text: String, expecting expected: String?) throws {
    let old = try editor.body()
    if let expected, !old.elementsEqual(expected.utf8) {
      throw WritingError(
        "Somebody else changed the text meanwhile; nothing was written",
        suggestion: "Look at the new text and edit it again"
      )
    }
    if old.elementsEqual(text.utf8) { return }
    let name = try editor.isDocumentBody ? Array("body".utf8) : editor.name(of: .body)
    try editor.setBody(Array(text.utf8))
    note(name)
    try renew()
  }

  /// Sets the time of the last change, in the form that the record's times have.
  private mutating func renew() throws {
    let field: Field =
      try !editor.has(.updated) && editor.has(.weakUpdated) ? .weakUpdated : .updated
    let other: Field = try editor.has(.date) ? .date : .weakDate
    let reading = dates
    let existing = try editor.has(field) ? field : other
    let form = try editor.read(existing) { DateForm(of: $0, reading: reading) }
    let isPrecise = entry.document == .max
    try set(field, form.json(now, zone: archive.configuration.timeZone, isPrecise: isPrecise))
  }

  private var dates: DateReading {
    entry.kind == .message
      ? archive.channelDates[Int(entry.container)] : archive.configuration.dates
  }

  private mutating func setAudience(_ audience: Audience) throws {
    if audience == entry.audience { return }
    let flag = try editor.members(.isPublic).first
    let isNamed = try editor.has(.audience)
    if let flag, !isNamed, audience != .private {
      try editor.set(
        Array((audience == .everyone ? "true" : "false").utf8),
        at: [.member(flag.name)]
      )
      return note(flag.name)
    }
    if flag != nil { try editor.remove(.isPublic) }
    try set(.audience, JSONLiteral.string(audience.word))
  }

  private mutating func setFlag(_ field: Field, _ flag: Bool) throws {
    let isSet = try editor.read(field) { $0.map { FieldValue.isTrue($0) } ?? false }
    if isSet != flag { try set(field, Array((flag ? "true" : "false").utf8)) }
  }

  private mutating func setLiked(_ liked: Bool) throws {
    let isLiked = try editor.read(.liked) { $0.map { FieldValue.isTrue($0) } ?? false }
    if isLiked == liked { return }
    let owner = archive.configuration.selfIDs.first ?? "me"
    let likes = try editor.read(.likes) { value -> [UInt8] in
      if let value, value.kind == .array { return Self.likers(value, owner, liked) }
      let count = Int64(value.map { FieldValue.count($0) } ?? 0)
      let number = "\(liked ? min(count + 1, Int64(UInt32.max)) : max(count - 1, 0))"
      return value?.text == nil ? Array(number.utf8) : JSONLiteral.string(number)
    }
    try set(.likes, likes)
    try set(.liked, Array((liked ? "true" : "false").utf8))
  }

  /// A list of those who like it, with the owner or without.
  private static func likers(_ value: JSONValue, _ owner: String, _ liked: Bool) -> [UInt8] {
    var all = value.elements.map { JSONLiteral.text($0) }
    let own = JSONLiteral.string(owner)
    if liked {
      all.append(own)
    } else if let place = all.lastIndex(of: own) {
      all.remove(at: place)
    }
    return JSONLiteral.array(all)
  }
}

// MARK: - Tags

extension EntryChanger {
  private struct Tags {
    var path: [JSONStep]
    /// As they stand in a list, or cut from a text.
    var names: [[UInt8]]
    /// What stands between them in a text; nil for a list.
    var separator: String?
  }

  private mutating func add(tag: String) throws {
    var tags = try self.tags()
    let all = try tagNames()
    if all.contains(where: { $0.elementsEqual(tag.utf8) }) { return }
    note("tags".utf8)
    if tags.separator == nil {
      return try editor.append(JSONLiteral.string(tag), to: tags.path)
    }
    tags.names.append(Array(tag.utf8))
    try write(tags)
  }

  private mutating func remove(tag: String) throws {
    var tags = try self.tags()
    guard let place = tags.names.firstIndex(where: { $0.elementsEqual(tag.utf8) }) else { return }
    note("tags".utf8)
    if tags.separator == nil {
      return try editor.removeAll(at: tags.path + [.element(place)])
    }
    tags.names.remove(at: place)
    try write(tags)
  }

  private mutating func write(_ tags: Tags) throws {
    let text = Array(tags.names.joined(separator: Array((tags.separator ?? ", ").utf8)))
    try editor.set(JSONLiteral.string(text), at: tags.path)
  }

  /// All tags of the entry, those of other fields too.
  private func tagNames() throws -> [[UInt8]] {
    try JSONLiteral.read(try editor.object()) { object in
      var walk = RecordWalk()
      walk.begin(object)
      _ = walk.next(editor.table)
      var names: [[UInt8]] = []
      FieldValue.forEachTag(walk, splitsAtBlanks: archive.splitsTagsAtBlanks(entry)) {
        names.append(Array($0))
      }
      return names
    }
  }

  /// Where tags are added: `tags`, or Zola's table.
  private func tags() throws -> Tags {
    if !(try editor.has(.tags)), let taxonomies = try editor.members(.taxonomies).first {
      let names = try JSONLiteral.read(taxonomies.value) { $0["tags"].map(Self.list) ?? [] }
      return Tags(path: [.member(taxonomies.name), .member("tags")], names: names)
    }
    let path: [JSONStep] = [.member(try editor.name(of: .tags))]
    let splitsAtBlanks = archive.splitsTagsAtBlanks(entry)
    return try editor.read(.tags) { value in
      guard let text = value?.text?.array else {
        return Tags(path: path, names: value.map(Self.list) ?? [])
      }
      let hasCommas = text.contains(UInt8(ascii: ","))
      let atBlanks = splitsAtBlanks && !hasCommas
      let parts = text.split { atBlanks ? isBlankByte($0) : $0 == UInt8(ascii: ",") }
      let names = parts.map { part in Array(part).withUnsafeBufferPointer { Array($0.trimmed) } }
      let separator = atBlanks ? " " : ", "
      return Tags(path: path, names: names.filter { !$0.isEmpty }, separator: separator)
    }
  }

  private static func list(_ value: JSONValue) -> [[UInt8]] {
    value.kind == .array ? value.elements.map { Array(FieldValue.string($0).utf8) } : []
  }
}
