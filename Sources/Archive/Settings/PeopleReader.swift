import Bytes
import JSON

/// Reads `people.yml`, `people.json` and `people/ID.md`.
enum PeopleReader {
  private static let keys = [
    "id", "name", "avatar", "url", "links", "also", "hide", "self", "biography", "bio",
  ]

  static func read(
    _ paths: [String],
    in root: String,
    _ configuration: Configuration,
    _ diagnostics: inout [Diagnostic]
  ) -> PeopleTable {
    var table = PeopleTable()
    for path in paths {
      var file = SettingsFile(path, in: root)
      read(&file, configuration, into: &table)
      diagnostics += file.diagnostics
    }
    return table
  }

  private static func read(
    _ file: inout SettingsFile,
    _ configuration: Configuration,
    into table: inout PeopleTable
  ) {
    let root = file.root
    if !file.path.utf8.starts(with: "Content/people.".utf8) {
      // One person a file; its name is the id.
      let slash = file.path.lastSlash
      let name = slash.map { file.path[file.path.index(after: $0)...] } ?? file.path[...]
      let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
      add(root, id: String(name[..<dot]), &file, configuration, into: &table)
      return
    }
    switch root.kind {
    case .array:
      for element in root.elements { add(element, id: "", &file, configuration, into: &table) }
    case .object:
      for member in root.members {
        let id = String(decoding: member.key.buffer.cut(to: longestName), as: UTF8.self)
        add(member.value, id: id, &file, configuration, into: &table)
      }
    case .null: return
    case .string, .integer, .double, .true, .false:
      file.report(.error, "People must be a list, or a map by id")
    }
  }

  private static func add(
    _ value: JSONValue,
    id: String,
    _ file: inout SettingsFile,
    _ configuration: Configuration,
    into table: inout PeopleTable
  ) {
    guard value.kind == .object || !id.isEmpty else {
      file.report(.warning, "A person must be an object with an id; this one is left out")
      return
    }
    if value.kind == .object { file.checkKeys(keys, of: value, below: id) }
    var written = cut(FieldValue.string(value["id"]))
    if written.isEmpty { written = id }
    // A map from id to a name alone.
    let name = value.kind == .object ? value["name"] : value
    var displayName = cut(FieldValue.string(name))
    if written.isEmpty { written = displayName }
    if written.isEmpty {
      file.report(.warning, "A person without an id is left out")
      return
    }
    let masked = Array(written.utf8).withUnsafeBufferPointer { MailAddress.masked($0) }
    if displayName.isEmpty {
      displayName = masked.map { String(decoding: $0.shown, as: UTF8.self) } ?? written
    }
    var person = Person(
      id: masked.map { String(decoding: $0.id, as: UTF8.self) } ?? written,
      name: "",
      displayName: MailAddress.shown(displayName),
      avatar: FieldValue.string(value["avatar"]),
      links: links(of: value),
      biography: FieldValue.string(value["biography"] ?? value["bio"]),
      hiding: hiding(value["hide"], &file, id: id),
      isListed: true
    )
    if person.biography.isEmpty { person.biography = String(decoding: file.body, as: UTF8.self) }
    person.isSelf =
      value["self"].map { FieldValue.isTrue($0) } ?? false
      || configuration.selfIDs.contains { $0.utf8.elementsEqual(written.utf8) }
    if table.names.find(person.id) != nil {
      file.report(
        .warning,
        "The id '\(Diagnostic.shown(person.id))' belongs to another person already",
        key: id,
        explanation: "This one is left out"
      )
      return
    }
    var also =
      value["also"].map { MediaReading.elements(of: $0).map { FieldValue.string($0) } } ?? []
    also.append(written)
    also.append(FieldValue.string(name))
    table.add(person, also: also)
  }

  private static func cut(_ text: String) -> String {
    Array(text.utf8).withUnsafeBufferPointer { $0.trimmed.cut(to: longestName).string }
  }

  private static func hiding(
    _ value: JSONValue?,
    _ file: inout SettingsFile,
    id: String
  ) -> Person.Hiding {
    guard let value, !value.isNull, !FieldValue.isFalse(value) else { return .nothing }
    let word = FieldValue.string(value)
    if word.utf8.elementsEqual("name".utf8) { return .name }
    let isKnown = FieldValue.isTrue(value) || word == "everything" || word == "all"
    if !isKnown {
      file.report(
        .warning,
        "'hide' can't be '\(Diagnostic.shown(word))'; everything is hidden",
        key: id,
        suggestion: "Write name or everything"
      )
    }
    return .everything
  }

  /// `url`, one or several, and `links`: addresses, or objects with a name.
  private static func links(of value: JSONValue) -> [Person.Link] {
    var links: [Person.Link] = []
    for key in [value["url"], value["links"]] {
      guard let key else { continue }
      if key.kind == .object, key["url"] == nil, key["href"] == nil {
        // A map from label to address.
        for member in key.members {
          links.append(
            Person.Link(label: member.key.string, href: FieldValue.string(member.value))
          )
        }
        continue
      }
      for element in MediaReading.elements(of: key) {
        let href = FieldValue.string(
          element.text != nil ? element : element["url"] ?? element["href"]
        )
        let label = element.kind == .object ? element["label"] ?? element["name"] : nil
        links.append(Person.Link(label: FieldValue.string(label), href: href))
      }
    }
    return links.filter {
      !$0.href.isEmpty && $0.href.utf8.count <= 4096 && SafeURL.isAllowed($0.href)
    }
  }
}
