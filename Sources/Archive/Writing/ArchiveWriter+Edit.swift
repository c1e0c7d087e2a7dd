import Bytes
import JSON

extension ArchiveWriter {
  /// Changes an entry.
  ///
  /// - Throws: `WritingError` for what can't be done, `FileError` for what the system refuses.
  public func edit(_ reference: String, _ changes: EntryChanges) async throws -> WriteReport {
    try await perform { archive in
      let id = try entry(reference, in: archive)
      let entry = archive.entries[id.index]
      let (editor, old, status) = try editor(of: id, in: archive)
      let name = archive.reference(of: id)
      return try naming(editor.path) {
        if try editor.read(.deleted, { $0.map { FieldValue.isTrue($0) } ?? false }) {
          throw WritingError(
            "\(name) was deleted, only its place is left",
            suggestion: "Remove 'deleted' in \(editor.path) to bring it back"
          )
        }
        var changer = EntryChanger(archive, entry, now: now, editor)
        try changer.apply(changes)
        var report = WriteReport(
          action: "edit",
          reference: name,
          path: editor.path,
          summary: "Nothing to change in \(name): it is so already",
          fields: changer.changed
        )
        if changer.changed.isEmpty { return report }
        let fields = changer.changed.map { Diagnostic.shown($0) }.joined(separator: ", ")
        report.summary = "Changed \(fields) of \(name) in \(editor.path)"
        report.changes = [
          FileChange(path: editor.path, old: old, new: changer.editor.bytes, expected: status)
        ]
        return report
      }
    }
  }

  /// The text of an entry as it is now, for an editor to begin with.
  public func body(of reference: String) async throws -> String {
    for _ in 0..<5 {
      do {
        let archive = try await read()
        let (editor, _, _) = try editor(of: try entry(reference, in: archive), in: archive)
        return try naming(editor.path) { String(decoding: try editor.body(), as: UTF8.self) }
      } catch is Stale {
        continue
      }
    }
    throw WritingError("Another program keeps changing the file")
  }

  /// What deleting an entry would take away, in words; for the question before it.
  public func describe(_ reference: String) async throws -> String {
    let archive = try await read()
    let id = try entry(reference, in: archive)
    return description(of: id, in: archive) + tail(of: id, in: archive)
  }

  /// Deletes an entry; what is nested in it goes with it, and so do the comments of a post.
  ///
  /// With `isTombstone` the entry keeps its place in its thread, without what it said.
  public func delete(_ reference: String, isTombstone: Bool = false) async throws -> WriteReport {
    try await perform { archive in
      let id = try entry(reference, in: archive)
      let entry = archive.entries[id.index]
      let (editor, old, status) = try editor(of: id, in: archive)
      let name = archive.reference(of: id)
      var report = WriteReport(action: "delete", reference: name, path: editor.path, summary: "")
      if isTombstone {
        if try editor.read(.deleted, { $0.map { FieldValue.isTrue($0) } ?? false }) {
          report.summary = "Nothing to change: \(name) is a tombstone already"
          return report
        }
        return try naming(editor.path) {
          var changer = EntryChanger(archive, entry, now: now, editor)
          try changer.bury()
          report.fields = ["deleted"]
          report.summary = "Deleted what \(name) said, and kept its place in \(editor.path)"
          report.changes = [
            FileChange(path: editor.path, old: old, new: changer.editor.bytes, expected: status)
          ]
          return report
        }
      }
      let new = try remaining(editor, entry)
      report.changes = [FileChange(path: editor.path, old: old, new: new, expected: status)]
      if entry.kind == .post { report.changes += try commentFiles(of: id, in: archive) }
      report.summary = "Deleted \(name)\(tail(of: id, in: archive)) from \(editor.path)"
      return report
    }
  }

  /// The file without the entry; nil where nothing would be left in it.
  private func remaining(_ editor: RecordEditor, _ entry: Entry) throws -> [UInt8]? {
    if entry.document != .max, editor.base.isEmpty { return nil }
    var editor = editor
    do {
      try editor.removeAll(at: [])
      let isEmpty =
        RecordEditor.format(of: editor.path) == .automatic && editor.bytes.allSatisfy(isBlankByte)
      return isEmpty ? nil : editor.bytes
    } catch JSONEditError.onlyValue {
      return nil
    } catch {
      throw WritingError.unsplicable(editor.path, RecordEditor.reason(error))
    }
  }

  /// The files below `Content/comments` that hold nothing but comments of a post.
  private func commentFiles(of id: EntryID, in archive: Archive) throws -> [FileChange] {
    let post = Int(archive.entries[id.index].container)
    var files: [FileID] = []
    for comment in archive.posts[post].comments {
      let file = archive.entries[comment].record.file
      let isApart = archive.files[file.index].path.utf8.starts(with: "Content/comments/".utf8)
      if isApart, !files.contains(file) { files.append(file) }
    }
    return try files.map { file in
      let path = archive.files[file.index].path
      let old = try store.read(path).bytes
      return FileChange(path: path, old: old, new: nil, expected: nil, isChecked: false)
    }
  }

  private func description(of id: EntryID, in archive: Archive) -> String {
    let entry = archive.entries[id.index]
    let name = archive.reference(of: id)
    guard entry.author != .none else { return name }
    return "\(name) by \(Diagnostic.shown(archive.people[entry.author.index].displayName))"
  }

  /// ` and its 3 comments`: what goes with an entry.
  private func tail(of id: EntryID, in archive: Archive) -> String {
    let entry = archive.entries[id.index]
    if entry.kind == .post {
      let count = archive.posts[Int(entry.container)].comments.count
      return count == 0 ? "" : count == 1 ? " and its comment" : " and its \(count) comments"
    }
    let count = nested(in: id, archive)
    return count == 0 ? "" : count == 1 ? " and the reply in it" : " and the \(count) replies in it"
  }

  /// How many replies stand inside the record of an entry.
  private func nested(in id: EntryID, _ archive: Archive) -> Int {
    let entry = archive.entries[id.index]
    let range =
      entry.kind == .message
      ? archive.channels[Int(entry.container)].messages
      : archive.posts[Int(entry.container)].comments
    // Nested replies name the entry that holds them as their parent.
    var inside: Set<Int> = [id.index]
    let siblings = range.filter { index in
      let other = archive.entries[index].record
      return other.file == entry.record.file && other.offset == entry.record.offset
        && other.ordinal > entry.record.ordinal
    }
    for index in siblings.sorted(by: {
      archive.entries[$0].record.ordinal < archive.entries[$1].record.ordinal
    }) where inside.contains(archive.entries[index].parent.index) {
      inside.insert(index)
    }
    return inside.count - 1
  }
}
