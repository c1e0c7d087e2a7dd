import Bytes
import JSON

extension ArchiveWriter {
  /// Adds a comment to a post, where and how its other comments are written: nested in the post's
  /// record, in a file of comments, or as a file of its own.
  ///
  /// `post` is its reference, slug or id.
  public func addComment(_ entry: NewEntry, on post: String) async throws -> WriteReport {
    try entry.check()
    return try await perform { archive in
      let number = try find(post: post, in: archive)
      let comments = archive.posts[number].comments
      let parent = try archive.find(entry.replyTo, in: comments, prefix: "c-")
      let id = NewID.make(entry, at: now, in: archive, comments)
      let draft = Draft(
        entry: entry,
        id: id,
        parent: parent,
        reference: "posts/\(archive.posts[number].slug)#c-\(id)"
      )
      if let parent, try isNested(parent, archive) { return try nest(draft, in: parent, archive) }
      if let newest = comments.last.map({ EntryID($0) }) {
        return try add(draft, like: parent ?? newest, number, archive)
      }
      return try addFirst(draft, number, archive)
    }
  }

  /// A comment on its way into a file.
  struct Draft {
    var entry: NewEntry
    var id: String
    var parent: EntryID?
    var reference: String
  }

  private func find(post: String, in archive: Archive) throws -> Int {
    let name = post.utf8.starts(with: "posts/".utf8) ? post : "posts/\(post)"
    if let id = archive.entry(for: name), archive.entries[id.index].kind == .post {
      return Int(archive.entries[id.index].container)
    }
    let near = NameSuggestion.nearest(
      to: name,
      among: archive.posts.prefix(2000).map { "posts/\($0.slug)" }
    )
    throw WritingError(
      "There is no post '\(Diagnostic.shown(post))'",
      suggestion: near.map { "did you mean '\($0)'?" } ?? "'stillfeed list posts' prints them"
    )
  }

  /// Whether replies to an entry stand inside its record: others do, or it stands inside of one.
  private func isNested(_ id: EntryID, _ archive: Archive) throws -> Bool {
    let entry = archive.entries[id.index]
    if entry.record.ordinal > 0 { return true }
    return try editor(of: id, in: archive).editor.read(.replies) { $0?.kind == .array }
  }

  private func writer(_ archive: Archive, sample: [UInt8], isPrecise: Bool = true) -> RecordWriter {
    RecordWriter(
      sample: sample,
      table: .standard,
      zone: archive.configuration.timeZone,
      dates: archive.configuration.dates,
      now: now,
      isPrecise: isPrecise
    )
  }

  private func parent(of draft: Draft, _ archive: Archive) -> (String, String)? {
    draft.parent.map { ("parent", archive.string(archive.entries[$0.index].id)) }
  }

  /// Beside or like another comment of the post.
  private func add(
    _ draft: Draft,
    like other: EntryID,
    _ post: Int,
    _ archive: Archive
  ) throws -> WriteReport {
    let entry = archive.entries[other.index]
    let path = archive.files[entry.record.file.index].path
    let isApart = path.utf8.starts(with: "Content/comments/".utf8)
    var refused: Set<UInt32> = []
    if isApart, let place = try place(beside: other, archive, &refused) {
      return try append(
        draft.entry,
        place,
        writer(archive, sample: place.sample),
        archive,
        id: draft.id,
        parent: parent(of: draft, archive),
        reference: draft.reference
      )
    }
    if isApart, entry.document != .max, entry.record.ordinal == 0 {
      return try addFile(draft, like: path, archive)
    }
    if !isApart { return try nest(draft, in: archive.posts[post].entry, archive) }
    return try addFirst(draft, post, archive)
  }

  /// Into the `comments` of a post's record, or the `replies` of a comment's.
  private func nest(_ draft: Draft, in holder: EntryID, _ archive: Archive) throws -> WriteReport {
    let (editor, old, status) = try editor(of: holder, in: archive)
    let folder = editor.path.lastSlash.map { editor.path[..<$0] } ?? ""
    let media = try media(of: draft.entry, beside: String(folder))
    return try naming(editor.path) {
      var editor = editor
      let isPost = archive.entries[holder.index].kind == .post
      let name = try isPost ? editor.name(of: .comments) : replyName(editor)
      let sample = try sample(in: editor, name)
      let isDocument = archive.entries[holder.index].document != .max
      let record = try writer(archive, sample: sample, isPrecise: !isDocument)
        .record(draft.entry, id: draft.id, parent: nil, media: media)
      try editor.append(record, to: [.member(name)])
      return WriteReport(
        action: "add",
        reference: draft.reference,
        path: editor.path,
        summary: "Added \(draft.reference) to \(editor.path)",
        notes: notes(draft.entry, archive),
        changes: [FileChange(path: editor.path, old: old, new: editor.bytes, expected: status)]
      )
    }
  }

  /// What replies are called: as in the record, else to go with what its comments are called.
  private func replyName(_ editor: RecordEditor) throws -> [UInt8] {
    if try editor.has(.replies) { return try editor.name(of: .replies) }
    for case .member(let name) in editor.base.reversed() {
      if editor.table[name] == .replies { return name }
      if name == Array("postComments".utf8) { return Array("replyComments".utf8) }
    }
    return try editor.name(of: .replies)
  }

  /// The record that a new one is to look like: the last of the list, else the one that holds it.
  private func sample(in editor: RecordEditor, _ name: [UInt8]) throws -> [UInt8] {
    let object = try editor.object()
    return try JSONLiteral.read(object) { value in
      let list = value[name].flatMap { $0.kind == .array ? $0.elements : nil }
      return list?.reversed().first { $0.kind == .object }.map { JSONLiteral.text($0) } ?? object
    }
  }

  /// A file of its own beside another comment's.
  private func addFile(
    _ draft: Draft,
    like path: String,
    _ archive: Archive
  ) throws -> WriteReport {
    let slash = path.lastSlash ?? path.startIndex
    let folder = String(path[..<slash])
    let ending = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(path[$0...]) } ?? ".md"
    // `comments/POST-ID.md` holds one comment; the next one goes into a folder.
    let isFolder = !folder.utf8.elementsEqual("Content/comments".utf8)
    let stem = String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex)])
    let target = "\(isFolder ? folder : stem)/\(draft.id)\(ending)"
    let media = try media(of: draft.entry, beside: isFolder ? folder : stem)
    let parent = parent(of: draft, archive)
    let bytes: [UInt8]
    if RecordEditor.isYAML(path) {
      let json = try writer(archive, sample: [], isPrecise: false)
        .record(draft.entry, id: draft.id, parent: parent, media: media)
      let scalars = YAMLScalars()
      bytes = try JSONLiteral.read(json) { object in
        Array(
          object.members.map { scalars.member($0.key.array, $0.value, indent: []) + [0x0A] }
            .joined()
        )
      }
    } else {
      bytes = try document(draft.entry, archive, id: draft.id, parent: parent, media: media)
    }
    return WriteReport(
      action: "add",
      reference: draft.reference,
      path: target,
      summary: "Added \(draft.reference) as \(target)",
      notes: notes(draft.entry, archive),
      changes: [FileChange(path: target, old: nil, new: bytes, expected: nil)]
    )
  }

  /// The first comment of a post: into an empty list or file that is there, else a file of lines.
  private func addFirst(_ draft: Draft, _ post: Int, _ archive: Archive) throws -> WriteReport {
    let id = archive.posts[post].entry
    let names = [archive.string(archive.entries[id.index].id), archive.posts[post].slug]
    let safe = names.filter { Slug.isSafe($0) }
    let paths = safe.flatMap { name in
      ["jsonl", "json", "ndjson"].map { "Content/comments/\(name).\($0)" }
    }
    let existing = try paths.first { try store.exists($0) }
    if existing == nil, archive.entries[id.index].document == .max {
      let hasList = try editor(of: id, in: archive).editor.read(.comments) { $0?.kind == .array }
      if hasList { return try nest(draft, in: id, archive) }
    }
    guard let path = existing ?? paths.first else {
      throw WritingError(
        "The post's id '\(Diagnostic.shown(names[0]))' can't be the name of a file of comments"
      )
    }
    let place = try newPlace(path)
    return try append(
      draft.entry,
      place,
      writer(archive, sample: []),
      archive,
      id: draft.id,
      parent: parent(of: draft, archive),
      reference: draft.reference
    )
  }
}
