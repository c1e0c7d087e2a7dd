import Bytes
import JSON

/// A channel to be added.
public struct NewChannel: Sendable {
  /// Also the name of its folder.
  public var id: String
  /// Empty for the id.
  public var title = ""
  /// May be empty.
  public var description = ""
  /// How it is shown.
  public var view = Channel.View.chat

  /// A chat of that id.
  public init(id: String) { self.id = id }
}

/// A person to be added.
public struct NewPerson: Sendable {
  /// By which entries name their author.
  public var id: String
  /// Empty for the id.
  public var name = ""
  /// A picture in `Content/media`; may be empty.
  public var avatar = ""
  /// An address on the web; may be empty.
  public var url = ""
  /// Other names.
  public var also: [String] = []

  /// A person who is called by the id.
  public init(id: String) { self.id = id }
}

extension ArchiveWriter {
  /// Adds a channel: its folder with `channel.yml`.
  public func addChannel(_ channel: NewChannel) async throws -> WriteReport {
    try check(channel.id, what: "a channel's id")
    return try await perform { archive in
      let key = PathName.collisionKey(of: Array(channel.id.utf8).span)
      let isTaken = archive.channels.contains {
        PathName.collisionKey(of: Array($0.id.utf8).span) == key
      }
      let path = "Content/channels/\(channel.id)/channel.yml"
      if try isTaken || store.exists(path) {
        throw WritingError("There is a channel '\(channel.id)' already")
      }
      var members: [(key: [UInt8], value: [UInt8])] = []
      let title = channel.title.isEmpty ? channel.id : channel.title
      members.append((Array("title".utf8), JSONLiteral.string(title)))
      if !channel.description.isEmpty {
        members.append((Array("description".utf8), JSONLiteral.string(channel.description)))
      }
      members.append((Array("view".utf8), JSONLiteral.string(channel.view.rawValue)))
      let bytes = try yaml(members)
      return WriteReport(
        action: "add",
        reference: "channels/\(channel.id)",
        path: path,
        summary: "Added channels/\(channel.id) as \(path)",
        changes: [FileChange(path: path, old: nil, new: bytes, expected: nil)]
      )
    }
  }

  /// Adds a person to `people.yml` or `people.json` in its form, or as `people/ID.md`.
  public func addPerson(_ person: NewPerson) async throws -> WriteReport {
    try check(person.id, what: "a person's id")
    return try await perform { archive in
      if let known = archive.names.person(named: person.id), known != .none,
        archive.people[known.index].isListed
      {
        throw WritingError(
          "The archive has a person '\(Diagnostic.shown(archive.people[known.index].id))' already"
        )
      }
      let paths = ["yml", "yaml", "json"].map { "Content/people.\($0)" }
      let existing = try paths.first { try store.exists($0) }
      let isFolder =
        try existing == nil && FileSystem.directoryExists("\(root)/Content/people")
      let path = existing ?? (isFolder ? "Content/people/\(person.id).md" : paths[0])
      let change =
        isFolder
        ? FileChange(path: path, old: nil, new: try personFile(person), expected: nil)
        : try naming(path) { try append(person, to: path) }
      return WriteReport(
        action: "add",
        reference: "people/\(person.id)",
        path: path,
        summary: "Added people/\(person.id) to \(path)",
        changes: [change]
      )
    }
  }

  private func check(_ id: String, what: String) throws(WritingError) {
    if Slug.isSafe(id) { return }
    throw WritingError(
      "'\(Diagnostic.shown(id))' can't be \(what): it must be a file's name",
      suggestion: "Write letters, digits and hyphens",
      isUsage: true
    )
  }

  private func yaml(_ members: [(key: [UInt8], value: [UInt8])]) throws -> [UInt8] {
    let scalars = YAMLScalars()
    return try members.reduce([]) { bytes, member in
      try bytes + JSONLiteral.read(member.value) { scalars.member(member.key, $0, indent: []) }
        + [0x0A]
    }
  }

  private func members(
    of person: NewPerson,
    hasID: Bool
  ) -> [(key: [UInt8], value: [UInt8])] {
    var members: [(key: String, value: [UInt8])] = []
    if hasID { members.append(("id", JSONLiteral.string(person.id))) }
    let name = person.name.isEmpty ? person.id : person.name
    members.append(("name", JSONLiteral.string(name)))
    if !person.avatar.isEmpty { members.append(("avatar", JSONLiteral.string(person.avatar))) }
    if !person.url.isEmpty { members.append(("url", JSONLiteral.string(person.url))) }
    if !person.also.isEmpty {
      members.append(("also", JSONLiteral.array(person.also.map { JSONLiteral.string($0) })))
    }
    return members.map { (Array($0.key.utf8), $0.value) }
  }

  private func personFile(_ person: NewPerson) throws -> [UInt8] {
    let mark = Array("---\n".utf8)
    return mark + (try yaml(members(of: person, hasID: false))) + mark
  }

  /// Appends to a list of people, or adds to a map by id.
  private func append(_ person: NewPerson, to path: String) throws -> FileChange {
    let isThere = try store.exists(path)
    let (old, status) = isThere ? try store.read(path) : ([], nil as FileStatus?)
    let isJSON = RecordEditor.format(of: path) == .automatic
    var json = ByteBuffer()
    if isJSON {
      json.append(old.allSatisfy(isBlankByte) ? Array("[]".utf8) : old)
    } else {
      _ = try YAMLText.writeJSON(old.span, into: &json)
    }
    let kind = try JSONLiteral.read(json.array) { $0.kind }
    let isMap = kind == .object
    let value = JSONLiteral.object(members(of: person, hasID: !isMap))
    let step = JSONStep.member(person.id)
    if isJSON {
      var editor = JSONEditor(old.allSatisfy(isBlankByte) ? Array("[]\n".utf8) : old)
      if isMap { try editor.set(value, at: [step]) } else { try editor.append(value) }
      return FileChange(path: path, old: isThere ? old : nil, new: editor.bytes, expected: status)
    }
    var editor = try YAMLEditor(old)
    if isMap { try editor.set(value, at: [step]) } else { try editor.append(value, to: []) }
    var shadow = JSONEditor(kind == .null ? Array("[]".utf8) : json.array)
    if isMap { try shadow.set(value, at: [step]) } else { try shadow.append(value) }
    var now = ByteBuffer()
    _ = try YAMLText.writeJSON(editor.bytes.span, into: &now)
    let isSame = try JSONLiteral.read(now.array) { new in
      try JSONLiteral.read(shadow.bytes) { JSONLiteral.text($0) == JSONLiteral.text(new) }
    }
    guard isSame else { throw SpliceError("it would be read as something else") }
    return FileChange(path: path, old: isThere ? old : nil, new: editor.bytes, expected: status)
  }
}
