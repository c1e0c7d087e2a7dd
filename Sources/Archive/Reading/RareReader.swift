import Bytes
import JSON

/// Decodes the fields that few entries have.
enum RareReader {
  /// The fields of which rare ones are made.
  private static let fields: FieldSet = [
    .title, .media, .reactions, .tags, .categories, .taxonomies, .sensitive, .summary, .description,
    .source, .avatar,
  ]
  /// The fields that have no meaning for some kinds of entry, and are shown as unknown ones are.
  private static let extraFields: FieldSet = [.address, .aliases, .redirects, .slug, .type]
  /// Of a post, without those that `Archive.posts` holds.
  private static let fieldsOfPost: FieldSet = [
    .media, .reactions, .sensitive, .summary, .description, .source, .avatar, .type,
  ]

  /// Whether the entry that the walk stands at may have such fields.
  static func mayHaveFields(_ walk: borrowing RecordWalk, _ kind: Entry.Kind) -> Bool {
    if kind == .post { return walk.hasUnknown || walk.seen.meets(fieldsOfPost) }
    return walk.hasUnknown || walk.seen.meets(fields) || walk.seen.meets(extraFields)
  }

  /// The fields of the entry that the walk stands at; nil if it has none.
  static func fields(
    of entry: Entry,
    _ walk: borrowing RecordWalk,
    _ table: FieldTable,
    _ archive: Archive
  ) -> RareFields? {
    guard mayHaveFields(walk, entry.kind) else { return nil }
    let hasExtra = walk.hasUnknown || walk.seen.meets(extraFields)
    var rare = RareFields()
    if entry.kind != .post, let value = walk[.title], let title = PostFields.title(of: value) {
      rare.title = String(decoding: title, as: UTF8.self)
    }
    if let value = walk[.media] { rare.media = media(value, of: entry, archive) }
    if let value = walk[.reactions] { rare.reactions = reactions(value, archive) }
    if entry.kind != .post, entry.flags.contains(.hasTags) {
      FieldValue.forEachTag(walk, splitsAtBlanks: archive.splitsTagsAtBlanks(entry)) { tag in
        if rare.tags.count < 1000 { rare.tags.append(tag.cut(to: longestName).string) }
      }
    }
    if let value = walk[.sensitive] { rare.sensitive = value.text?.string ?? "" }
    let summary = FieldValue.string(walk[.summary])
    rare.summary = summary.isEmpty ? FieldValue.string(walk[.description]) : summary
    if let value = walk[.source] {
      if value.kind == .object {
        rare.sourcePlatform = FieldValue.string(value["platform"])
        rare.sourceURL = FieldValue.string(value["url"])
      } else if let text = value.text {
        if MediaReading.isRemote(text.string) {
          rare.sourceURL = text.string
        } else {
          rare.sourcePlatform = text.string
        }
      }
      if !SafeURL.isAllowed(rare.sourceURL) { rare.sourceURL = "" }
    }
    if let avatar = walk[.avatar]?.text, avatar.count <= 4096 { rare.avatar = avatar.string }
    if hasExtra { rare.extra = extra(of: entry, walk, table) }
    return rare.isEmpty ? nil : rare
  }

  private static func media(_ value: JSONValue, of entry: Entry, _ archive: Archive) -> [Medium] {
    let path = archive.files[entry.record.file.index].path
    let folder = path.lastSlash.map { String(path[..<$0]) } ?? ""
    return MediaReading.elements(of: value).compactMap {
      MediaReading.medium($0, in: archive.media, beside: folder)?.medium
    }
  }

  /// Reactions with a name; those who gave them without addresses and hidden persons.
  private static func reactions(_ value: JSONValue, _ archive: Archive) -> [Reaction] {
    guard value.kind == .array else { return [] }
    return value.elements.compactMap { element in
      if let text = element.text { return Reaction(name: text.string, count: 1) }
      let name = FieldValue.string(element["name"])
      if name.isEmpty { return nil }
      let by = element["by"].map { MediaReading.elements(of: $0).compactMap { who($0, archive) } }
      let given = element["by"].map { $0.kind == .array ? $0.count : 1 } ?? 0
      let count = element["count"].map { Int(FieldValue.count($0)) } ?? given
      return Reaction(name: name, count: count, by: by ?? [])
    }
  }

  private static func who(_ value: JSONValue, _ archive: Archive) -> String? {
    let written = FieldValue.string(value.kind == .object ? value["id"] ?? value["name"] : value)
    if written.isEmpty || written.utf8.count > longestName { return nil }
    if let person = archive.names.find(written) {
      guard person != .none, archive.people.hiding(of: person) == .nothing else { return nil }
      return archive.people[person.index].id
    }
    return MailAddress.shown(written)
  }

  /// Fields that have no meaning here, as a JSON object.
  private static func extra(
    of entry: Entry,
    _ walk: borrowing RecordWalk,
    _ table: FieldTable
  ) -> String {
    guard let object = walk.object else { return "" }
    var json = ByteBuffer()
    for member in object.members {
      switch table[member.key] {
      case nil: break
      case .address, .aliases, .redirects, .slug: if entry.kind == .post { continue }
      case .type: if member.value.text.map({ $0 == "system" }) == true { continue }
      default: continue
      }
      if member.value.isNull { continue }
      json.append(json.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      json.appendJSON(string: member.key.buffer)
      json.append(UInt8(ascii: ":"))
      json.appendJSON(member.value)
    }
    if json.isEmpty { return "" }
    json.append(UInt8(ascii: "}"))
    return json.string
  }
}

extension ByteBuffer {
  /// Appends a parsed value as JSON text; explicit stack.
  mutating func appendJSON(_ value: JSONValue) {
    enum Frame {
      case members(JSONMembers, isFirst: Bool)
      case elements(JSONElements, isFirst: Bool)
    }
    var stack: [Frame] = []
    var current: JSONValue? = value
    while true {
      if let value = current {
        current = nil
        switch value.kind {
        case .object:
          append(UInt8(ascii: "{"))
          stack.append(.members(value.members, isFirst: true))
        case .array:
          append(UInt8(ascii: "["))
          stack.append(.elements(value.elements, isFirst: true))
        case .string: if let text = value.text { appendJSON(string: text.buffer) }
        case .integer:
          if let number = value.integer {
            appendJSON(integer: Int(number))
          } else if let number = value.unsigned {
            append(text: "\(number)")
          }
        case .double: appendJSON(number: value.double ?? 0)
        case .true: appendJSON(flag: true)
        case .false: appendJSON(flag: false)
        case .null: append("null")
        }
      }
      switch stack.popLast() {
      case nil: return
      case .members(var members, let isFirst):
        guard let member = members.next() else {
          append(UInt8(ascii: "}"))
          continue
        }
        if !isFirst { append(UInt8(ascii: ",")) }
        appendJSON(string: member.key.buffer)
        append(UInt8(ascii: ":"))
        stack.append(.members(members, isFirst: false))
        current = member.value
      case .elements(var elements, let isFirst):
        guard let element = elements.next() else {
          append(UInt8(ascii: "]"))
          continue
        }
        if !isFirst { append(UInt8(ascii: ",")) }
        stack.append(.elements(elements, isFirst: false))
        current = element
      }
    }
  }
}
