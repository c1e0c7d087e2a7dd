import Archive
import Bytes
import JSON

/// A selection of an archive's entries, for `stillfeed list`.
public struct EntryListing {
  /// Someone or something that the archive doesn't know.
  public struct Unknown: Error, CustomStringConvertible {
    /// In words, with a suggestion.
    public let description: String
  }

  private let root: String
  private let archive: Archive
  private let plan: Plan
  private let links: Links
  /// In the wished order.
  public private(set) var entries: [EntryID] = []

  /// Selects entries.
  ///
  /// - Parameters:
  ///   - archive: What is listed.
  ///   - root: Its folder.
  ///   - place: The beginning of a reference; empty takes all.
  ///   - author: A person's id or name; nil takes everybody.
  ///   - newestFirst: Whether the last changed stands first.
  /// - Throws: `Unknown` for an author or a place that the archive doesn't know.
  public init(
    _ archive: Archive,
    root: String,
    place: String,
    author: String?,
    newestFirst: Bool
  ) throws {
    self.archive = archive
    self.root = root
    var diagnostics: [Diagnostic] = []
    plan = Plan(of: archive, diagnostics: &diagnostics)
    links = Links(isExplicit: archive.configuration.links == .explicit)
    var person: PersonID?
    if let author {
      person = archive.names.person(named: author)
      if person == nil {
        let near = NameSuggestion.nearest(to: author, among: archive.people.map(\.id))
        throw Unknown(
          description: "Nobody is called '\(author)'"
            + (near.map { "; did you mean '\($0)'?" } ?? "")
        )
      }
    }
    let chosen = archive.entries.indices.filter { index in
      if let person, archive.entries[index].author != person { return false }
      return place.isEmpty || archive.reference(of: EntryID(index)).hasPrefix(place)
    }
    if chosen.isEmpty, !place.isEmpty { try Self.require(place, in: archive) }
    entries = archive.byChange(chosen.map { EntryID($0) })
    if newestFirst { entries.reverse() }
  }

  /// Tells a place where nothing stands from one that there isn't.
  private static func require(_ place: String, in archive: Archive) throws {
    let places =
      ["posts/", "channels/"] + archive.channels.map { "channels/\($0.name)" }
      + archive.posts.map { "posts/\($0.slug)" }
    if places.contains(where: { $0.hasPrefix(place) || place == $0 + "/" }) { return }
    if archive.entries.indices.contains(where: {
      archive.reference(of: EntryID($0)).hasPrefix(place)
    }) {
      return
    }
    let near = NameSuggestion.nearest(to: place, among: places)
    throw Unknown(
      description: "There is no '\(place)' in the archive"
        + (near.map { "; did you mean '\($0)'?" } ?? "")
    )
  }

  /// Prints one line an entry: reference, time, author, beginning of the text.
  public func printLines(_ list: some Sequence<EntryID>) throws {
    try forEach(list) { id, index, reader, output in
      let entry = archive.entries[id.index]
      output.append(text: archive.reference(of: id))
      output.append("\t")
      if !entry.updated.isUndated { output.append(rfc3339: entry.updated) }
      output.append("\t")
      output.append(text: name(of: entry.author))
      output.append("\t")
      output.appendLine(reader.body(index), limit: 80)
      output.append("\n")
    }
  }

  /// Prints a JSON array of objects.
  public func printJSON(_ list: some Sequence<EntryID>) throws {
    try StandardStream.output.write("[")
    var isFirst = true
    try forEach(list) { id, index, reader, output in
      output.append(isFirst ? "\n" : ",\n")
      isFirst = false
      append(id, rare: reader.rare(index), body: reader.body(index), into: &output)
    }
    try StandardStream.output.write(isFirst ? "]\n" : "\n]\n")
  }

  /// Reads entries in batches, and prints what `body` appends for each.
  private func forEach(
    _ list: some Sequence<EntryID>,
    _ body: (EntryID, Int, borrowing DetailsReader, inout ByteBuffer) -> Void
  ) throws {
    var reader = DetailsReader(root: root, archive: archive)
    var output = ByteBuffer(capacity: 1 << 16)
    var batch: [EntryID] = []
    func flush() throws {
      try reader.read(batch)
      for (index, id) in batch.enumerated() { body(id, index, reader, &output) }
      try StandardStream.output.write(output.bytes)
      output.removeAll()
      batch.removeAll(keepingCapacity: true)
    }
    for id in list {
      batch.append(id)
      if batch.count == 256 { try flush() }
    }
    try flush()
  }

  private func name(of person: PersonID) -> String {
    person == .none ? "" : archive.people.displayName(of: person)
  }

  private func append(
    _ id: EntryID,
    rare: RareFields?,
    body: Span<UInt8>,
    into output: inout ByteBuffer
  ) {
    let entry = archive.entries[id.index]
    output.append("{\"ref\":")
    output.appendJSON(string: archive.reference(of: id))
    output.append(",\"url\":")
    let route = plan.route(plan.permalink(of: id))
    let hasAnchor = entry.kind != .post
    let anchor = "#\(entry.kind.anchorPrefix)\(archive.string(entry.name))"
    output.appendJSON(string: links.url(route) + (hasAnchor ? anchor : ""))
    output.append(text: ",\"kind\":\"\(entry.kind)\",\"id\":")
    output.appendJSON(string: archive.string(entry.id))
    output.append(",\"author\":")
    output.appendJSON(string: entry.author == .none ? "" : archive.people[entry.author.index].id)
    output.append(",\"authorName\":")
    output.appendJSON(string: name(of: entry.author))
    output.append(time: entry.date, key: "date")
    output.append(time: entry.updated, key: "updated")
    output.append(",\"title\":")
    let title =
      entry.kind == .post
      ? archive.posts[Int(entry.container)].title : rare?.title ?? ""
    output.appendJSON(string: title)
    output.append(",\"body\":")
    output.appendJSON(string: body)
    output.append(text: ",\"audience\":\"\(entry.audience.word)\",\"likes\":\(entry.likes)")
    output.append(text: ",\"liked\":\(entry.flags.contains(.liked)),\"shares\":\(entry.shares)")
    output.append(text: ",\"pinned\":\(entry.flags.contains(.pinned))")
    output.append(text: ",\"draft\":\(entry.flags.contains(.draft))")
    output.append(text: ",\"deleted\":\(entry.flags.contains(.deleted)),\"parent\":")
    if entry.parent == .none {
      output.append("null")
    } else {
      output.appendJSON(string: archive.reference(of: entry.parent))
    }
    output.append("}")
  }
}

extension ByteBuffer {
  fileprivate mutating func append(time: Timestamp, key: StaticString) {
    append(",\"")
    append(key)
    if time.isUndated {
      append("\":null")
    } else {
      append("\":\"")
      append(rfc3339: time)
      append("\"")
    }
  }

  /// Appends the beginning of a text on one line, without control characters.
  fileprivate mutating func appendLine(_ text: Span<UInt8>, limit: Int) {
    let length = UnicodeText.length(of: text, cutTo: limit)
    for index in 0..<length {
      append(text[index] < 0x20 || text[index] == 0x7F ? 0x20 : text[index])
    }
    if length < text.count { append("…") }
  }
}
