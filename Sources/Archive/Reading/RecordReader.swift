import Bytes
import JSON

/// Turns records into entries of a harvest: one per worker.
struct RecordReader: ~Copyable {
  private var parser = JSONParser()
  private var walk = RecordWalk()
  private var mended = ByteBuffer()
  private var scratch = ByteBuffer()

  init() {}

  /// Reads one record: an entry and those nested in it.
  ///
  /// `json` are the record's own bytes, or the front matter of a document as JSON text.
  mutating func read(
    _ json: UnsafeBufferPointer<UInt8>,
    as record: RecordPlace,
    of file: FileContext,
    into harvest: inout Harvest
  ) {
    let root: JSONValue
    var isMended = false
    do throws(JSONError) {
      root = try parser.parse(json)
    } catch {
      guard let value = mend(json, after: error, record, file, into: &harvest) else { return }
      root = value
      isMended = true
    }
    switch root.kind {
    case .object: break
    case .null: return
    case .array, .string, .integer, .double, .true, .false:
      harvest.report(.notRecord(line: record.line, file))
      return
    }
    let isOwnText = !isMended && record.document == .max
    readEntries(root, of: isOwnText ? json : nil, as: record, of: file, into: &harvest)
  }

  /// Reads the front matter of a page.
  mutating func readPage(
    _ json: UnsafeBufferPointer<UInt8>,
    as record: RecordPlace,
    body: Range<Int>,
    of file: FileContext,
    into harvest: inout Harvest
  ) {
    var scratch = Harvest()
    scratch.notesMedia = harvest.notesMedia
    scratch.fileNumber = harvest.fileNumber
    if let root = try? parser.parse(json), root.kind == .object {
      walk.begin(root)
    } else if let root = try? parser.parse(Array("{}".utf8).span) {
      walk.begin(root)
    }
    guard walk.next(file.rules.table) != nil else { return }
    let entry = EntryBuilder.entry(.message, 0, walk, record, file, into: &scratch)
    let aliases = PostFields.aliases(walk, record, file, into: &scratch)
    var slug: [UInt8] = []
    if let value = walk[.slug] { _ = FieldValue.append(value, to: &slug) }
    let title = walk[.title].flatMap { PostFields.title(of: $0) } ?? []
    for diagnostic in scratch.diagnostics { harvest.report(diagnostic) }
    harvest.mediaUses += scratch.mediaUses
    let page = StandalonePage(
      slug: "",
      title: String(decoding: title, as: UTF8.self),
      updated: entry.updated,
      aliases: aliases.map { String(decoding: $0, as: UTF8.self) },
      format: entry.format,
      record: entry.record,
      body: body
    )
    harvest.pages.append(
      Harvest.RawPage(
        slug: slug.isEmpty ? file.slug : slug,
        page: page,
        audience: entry.audience,
        isDraft: entry.flags.contains(.draft)
      )
    )
  }

  private mutating func mend(
    _ json: UnsafeBufferPointer<UInt8>,
    after error: JSONError,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) -> JSONValue? {
    let line = record.line(of: error.offset, in: json)
    guard error.isRepairable else {
      harvest.report(.notJSON(error, line: line, file))
      return nil
    }
    mended.removeAll()
    let notes = JSONRepair.repair(Span(_unsafeElements: json), into: &mended)
    do throws(JSONError) {
      let root = try parser.parse(mended.unsafeBytes)
      if notes.hasLosses { harvest.report(.mended(notes, line: line, file)) }
      return root
    } catch {
      harvest.report(.notJSON(error, line: line, file))
      return nil
    }
  }

  /// `json` is the record's own text, nil where `root` was made of another.
  private mutating func readEntries(
    _ root: JSONValue,
    of json: UnsafeBufferPointer<UInt8>?,
    as record: RecordPlace,
    of file: FileContext,
    into harvest: inout Harvest
  ) {
    let rootKind: Entry.Kind
    switch file.source.target {
    case .posts: rootKind = .post
    case .comments: rootKind = .comment
    case .channel, .pages: rootKind = .message
    }
    let post = UInt32(truncatingIfNeeded: harvest.posts.count)
    let base = UInt32(truncatingIfNeeded: harvest.count)
    walk.begin(root)
    // Bodies stand in the order of the walk; once one isn't found, no other is looked for.
    var searched = json == nil ? nil : 0
    while let visit = walk.next(file.rules.table) {
      let kind: Entry.Kind =
        visit.ordinal == 0 ? rootKind : (rootKind == .message ? .message : .comment)
      var entry = EntryBuilder.entry(kind, visit.ordinal, walk, record, file, into: &harvest)
      // A raw position, made an entry's when harvests are joined; a post itself is nobody's parent.
      if let parent = visit.parent, rootKind != .post || parent != base {
        entry.parent = EntryID(rawValue: parent)
      }
      if rootKind == .post { entry.container = post }
      if let json, let from = searched {
        searched = notePlainBody(in: json, from: from, of: &entry)
      } else if record.document != .max, visit.ordinal == 0 {
        notePlainDocument(&entry, in: harvest)
      }
      let position = UInt32(truncatingIfNeeded: harvest.count)
      harvest.append(entry)
      walk.push(position)
    }
    if walk.strays > 0 { harvest.report(.strays(walk.strays, line: record.line, file)) }
  }

  /// Notes that the document read last holds nothing but its body that pages show.
  private func notePlainDocument(_ entry: inout Entry, in harvest: borrowing Harvest) {
    let hasBody = harvest.documents.last?.body.isEmpty == false
    if hasBody || walk[.body] == nil, !entry.isTombstone,
      !RareReader.mayHaveFields(walk, entry.kind)
    {
      entry.flags.insert(.plain)
    }
  }

  /// Notes where the body stands, so that it can be read again without parsing the record.
  ///
  /// - Returns: The end of the body; `start` where there is none to be noted, nil where it wasn't found.
  private mutating func notePlainBody(
    in json: UnsafeBufferPointer<UInt8>,
    from start: Int,
    of entry: inout Entry
  ) -> Int? {
    let isPlain = !entry.isTombstone && !RareReader.mayHaveFields(walk, entry.kind)
    guard let body = walk[.body] else {
      if isPlain { entry.flags.insert(.plain) }
      return start
    }
    guard let text = body.text else { return start }
    var end = start
    if !text.isEmpty {
      let rest = UnsafeBufferPointer(rebasing: json[start...])
      guard let range = JSONString.range(of: text.buffer, in: rest, scratch: &scratch) else {
        return nil
      }
      end += range.upperBound
      guard isPlain else { return end }
      entry.body = TextRange(
        offset: UInt32(truncatingIfNeeded: start + range.lowerBound),
        length: UInt32(truncatingIfNeeded: range.count)
      )
    }
    if isPlain { entry.flags.insert(.plain) }
    return end
  }
}

/// Where a record stands.
struct RecordPlace {
  var offset: Int
  var length: Int
  /// Counted from 1.
  var line: Int
  /// XXH3 of the record's bytes.
  var fingerprint: UInt64
  /// In `Harvest.documents`; `UInt32.max` for JSON records.
  var document: UInt32 = .max
  /// Whether it is all that its file holds.
  var isWholeFile = false
  /// The top-level keys of front matter.
  var keys: [KeyLine] = []

  /// The line on which a field stands, or else the record.
  func line(of field: Field) -> Int {
    if keys.isEmpty { return line }
    let names = field.names
    return keys.first { key in names.contains { $0.utf8.elementsEqual(key.key.utf8) } }?.line
      ?? line
  }

  /// The line of a byte of the record.
  func line(of offset: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard let offset, document == .max else { return line }
    return bytes[..<min(max(offset, 0), bytes.count)].reduce(line) { $0 + ($1 == 0x0A ? 1 : 0) }
  }
}

/// A file while it is read; shared by its records.
final class FileContext: Sendable {
  let source: Source
  let rules: SourceRules
  let media: MediaIndex
  /// From the file's name; `.undated` if that doesn't begin with a date.
  let nameDate: Timestamp
  /// Whether a tag string is split at blanks, as Jekyll does; else at commas.
  let splitsTagsAtBlanks: Bool
  /// Of the date in the file's name; 0 without one, or where nothing stands behind.
  private let prefixLength: Int

  init(_ source: Source, rules: SourceRules, media: MediaIndex) {
    self.source = source
    self.rules = rules
    self.media = media
    let (prefix, length) = source.withName { name in
      (TimestampParser.fileNamePrefix(Span(_unsafeElements: name), zone: rules.zone), name.count)
    }
    nameDate = prefix?.time ?? .undated
    splitsTagsAtBlanks = prefix != nil
    prefixLength = prefix.map { $0.length < length ? $0.length : 0 } ?? 0
  }

  /// Of the file, from the archive's root.
  var folder: String { source.folder }

  /// The file's name without date prefix, or the folder's for `index`.
  var slug: [UInt8] { source.withName { Array($0[prefixLength...]) } }
}

extension Diagnostic {
  fileprivate static func notJSON(_ error: JSONError, line: Int, _ file: FileContext) -> Self {
    Self(
      .error,
      path: file.source.path,
      line: line,
      headline: "This record is left out, it isn't valid JSON: \(error.reason)"
    )
  }

  fileprivate static func mended(_ notes: JSONRepair.Notes, line: Int, _ file: FileContext) -> Self
  {
    Self(
      .warning,
      path: file.source.path,
      line: line,
      headline: "This record had to be mended: \(notes.summary)",
      explanation: "What could not be read was replaced by U+FFFD"
    )
  }

  fileprivate static func notRecord(line: Int, _ file: FileContext) -> Self {
    Self(
      .warning,
      path: file.source.path,
      line: line,
      headline: "A record must be an object; this one is left out",
      suggestion: "Write {\"author\": …, \"date\": …, \"body\": …}"
    )
  }

  fileprivate static func strays(_ count: Int, line: Int, _ file: FileContext) -> Self {
    Self(
      .warning,
      path: file.source.path,
      line: line,
      headline: "\(count) nested comments are no objects and are left out"
    )
  }
}
