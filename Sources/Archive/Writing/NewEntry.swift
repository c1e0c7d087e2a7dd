import Bytes
import JSON

/// A post, comment or message to be added.
public struct NewEntry: Sendable {
  /// A person's id or any name.
  public var author: String
  /// Markdown.
  public var body: String
  /// May be empty.
  public var title = ""
  /// Who may see it.
  public var audience = Audience.everyone
  /// In the order in which they are written.
  public var tags: [String] = []
  /// Of a message in a topics channel.
  public var topic = ""
  /// The id answered; empty for none.
  public var replyTo = ""
  /// Of a post; empty to make one from the title.
  public var slug = ""
  /// Whether a post is a draft.
  public var isDraft = false
  /// Files to be copied into `Content/media`.
  public var attachments: [String] = []

  /// A public entry with nothing but a text.
  public init(author: String, body: String) {
    self.author = author
    self.body = body
  }

  func check() throws(WritingError) {
    if Array(author.utf8).withUnsafeBufferPointer({ $0.trimmed.isEmpty }) {
      throw WritingError("The author is missing", isUsage: true)
    }
    for (name, text) in [("author", author), ("title", title), ("topic", topic)] {
      if text.utf8.contains(where: { $0 < 0x20 }) {
        throw WritingError("The \(name) must stand on one line", isUsage: true)
      }
      if text.utf8.count > longestName {
        throw WritingError("The \(name) is over \(longestName) bytes", isUsage: true)
      }
    }
    let isBlank = Array(body.utf8).withUnsafeBufferPointer { $0.trimmed.isEmpty }
    if isBlank, attachments.isEmpty, title.isEmpty {
      throw WritingError("There is no text to add", isUsage: true)
    }
  }
}

/// Writes the record of a new entry the way its neighbours are written.
struct RecordWriter {
  /// The record of a neighbour, as JSON text of an object; empty for none.
  var sample: [UInt8] = []
  let table: FieldTable
  let zone: TimeZoneRules
  let dates: DateReading
  let now: Timestamp
  var isPrecise = true

  /// The record as JSON text.
  ///
  /// `id` is nil where the file's name says it, `parent` is the id answered with our own name for
  /// that field, and `media` are paths in `Content/media`.
  func record(
    _ entry: NewEntry,
    id: String?,
    parent: (name: String, id: String)?,
    media: [String],
    hasBody: Bool = true
  ) throws -> [UInt8] {
    var members: [(field: Field, value: [UInt8])] = []
    if let id { members.append((.id, JSONLiteral.string(id))) }
    if !entry.title.isEmpty { members.append((.title, JSONLiteral.string(entry.title))) }
    if let parent { members.append((.parent, JSONLiteral.string(parent.id))) }
    if !entry.topic.isEmpty { members.append((.topic, JSONLiteral.string(entry.topic))) }
    members.append((.author, JSONLiteral.string(entry.author)))
    members.append((.date, try date()))
    if hasBody { members.append((.body, JSONLiteral.string(entry.body))) }
    if !entry.tags.isEmpty {
      members.append((.tags, JSONLiteral.array(entry.tags.map { JSONLiteral.string($0) })))
    }
    if !media.isEmpty {
      members.append((.media, JSONLiteral.array(media.map { JSONLiteral.string($0) })))
    }
    if entry.audience != .everyone {
      members.append((.audience, JSONLiteral.string(entry.audience.word)))
    }
    if entry.isDraft { members.append((.draft, Array("true".utf8))) }
    return try inOrder(members, parentName: parent?.name ?? "parent")
  }

  /// Names and order are those of the neighbour; what it doesn't have stands behind.
  private func inOrder(
    _ members: [(field: Field, value: [UInt8])],
    parentName: String
  ) throws -> [UInt8] {
    let known: [(field: Field, name: [UInt8])] =
      sample.isEmpty
      ? []
      : try JSONLiteral.read(sample) { object in
        object.members.compactMap { key, value in table[key].map { ($0, key.array) } }
      }
    let placed = members.enumerated().map { index, member in
      let place = known.firstIndex { $0.field == member.field }
      var name = place.map { known[$0].name } ?? table.name(for: member.field)
      if member.field == .parent, place == nil, table[Array(parentName.utf8)] == .parent {
        name = Array(parentName.utf8)
      }
      // A picture's own name holds one path, not a list.
      if member.field == .media, name != Array("media".utf8), table[Array("media".utf8)] == .media {
        name = Array("media".utf8)
      }
      return (place: place ?? known.count + index, name: name, value: member.value)
    }
    let sorted = placed.enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }
    return JSONLiteral.object(sorted.map { ($0.element.name, $0.element.value) })
  }

  private func date() throws -> [UInt8] {
    guard !sample.isEmpty else {
      return DateForm.zoned.json(now, zone: zone, isPrecise: isPrecise)
    }
    let form = try JSONLiteral.read(sample) { object in
      DateForm(of: object.members.first { table[$0.key] == .date }?.value, reading: dates)
    }
    return form.json(now, zone: zone, isPrecise: isPrecise)
  }
}

/// Ids of new entries: the time and a hash, such as `20240517-093000-1a2b`.
enum NewID {
  /// An id that none of the entries in `range` has, also where case is folded.
  static func make(
    _ entry: NewEntry,
    at now: Timestamp,
    in archive: Archive,
    _ range: Range<Int>
  )
    -> String
  {
    var taken: Set<UInt64> = []
    for index in range {
      for text in [archive.entries[index].id, archive.entries[index].name] {
        taken.insert(key(archive.string(text)))
      }
    }
    var hash = Fingerprint.mix(
      Fingerprint.of(entry.author),
      Fingerprint.mix(Fingerprint.of(entry.body), UInt64(bitPattern: now.milliseconds))
    )
    let time = CivilTime(at: now, offset: 0)
    while true {
      var buffer = ByteBuffer(capacity: 32)
      buffer.append(decimal: time.year, width: 4)
      buffer.append(twoDigits: time.month)
      buffer.append(twoDigits: time.day)
      buffer.append(UInt8(ascii: "-"))
      for part in [time.hour, time.minute, time.second] { buffer.append(twoDigits: part) }
      buffer.append(UInt8(ascii: "-"))
      buffer.append(hexadecimal: hash, digits: 4)
      let id = buffer.string
      if !taken.contains(key(id)) { return id }
      hash = hash &+ 1
    }
  }

  private static func key(_ text: String) -> UInt64 {
    Fingerprint.of(PathName.collisionKey(of: Array(text.utf8).span).span)
  }
}
