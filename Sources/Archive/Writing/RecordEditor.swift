import Bytes
import JSON

/// Changes one entry in its file, whatever form the file has, under the names that are in use there.
struct RecordEditor {
  private enum Storage {
    case json(JSONEditor)
    case document(DocumentEditor)
  }

  private var storage: Storage
  /// The way to the entry's object.
  let base: [JSONStep]
  let table: FieldTable
  let path: String

  /// Finds an entry in the bytes of its file as it is now.
  init(_ bytes: [UInt8], path: String, of entry: Entry, _ table: FieldTable) throws(WritingError) {
    self.path = path
    self.table = table
    do {
      let record: [UInt8]
      var start: [JSONStep] = []
      if entry.document == .max {
        let end = Int(entry.record.offset) + Int(entry.record.length)
        guard end <= bytes.count else { throw SpliceError("it changed") }
        record = Array(bytes[Int(entry.record.offset)..<end])
        start = [.offset(Int(entry.record.offset))]
        storage = .json(JSONEditor(bytes, format: Self.format(of: path)))
      } else {
        let format: Source.Format = Self.isYAML(path) ? .yaml : .markdown
        let document = try DocumentEditor(bytes, path: path, format: format)
        record = document.json
        storage = .document(document)
      }
      let found = try JSONLiteral.read(record) {
        RecordPath.find(entry.record.ordinal, in: $0, table)
      }
      guard let found else { throw SpliceError("the entry isn't where it was") }
      base = start + found
    } catch {
      throw .unsplicable(path, Self.reason(error))
    }
  }

  static func reason(_ error: any Error) -> String {
    switch error {
    case let error as SpliceError: error.reason
    case let error as JSONEditError: SpliceError(error).reason
    case let error as WritingError: error.headline
    default: "\(error)"
    }
  }

  static func format(of path: String) -> JSONSplitter.Format {
    path.utf8.suffix(5).map { $0 | 0x20 }.elementsEqual(".json".utf8) ? .automatic : .lines
  }

  static func isYAML(_ path: String) -> Bool {
    let end = path.utf8.suffix(5).map { $0 | 0x20 }
    return end.elementsEqual(".yaml".utf8) || end.suffix(4).elementsEqual(".yml".utf8)
  }

  /// The file with the changes.
  var bytes: [UInt8] {
    switch storage {
    case .json(let editor): editor.bytes
    case .document(let editor): editor.bytes
    }
  }

  /// Whether the entry is a document's own, with a body below its front matter.
  var isDocumentBody: Bool {
    guard case .document = storage, base.isEmpty, !Self.isYAML(path) else { return false }
    return true
  }

  /// The entry's object as JSON text.
  func object() throws -> [UInt8] {
    switch storage {
    case .json(let editor): return Array(editor.bytes[try editor.range(of: base)])
    case .document(let editor):
      let shadow = JSONEditor(editor.json)
      return Array(editor.json[try shadow.range(of: base)])
    }
  }

  /// The names and values of a field in their order; null ones are left out.
  func members(_ field: Field) throws -> [(name: [UInt8], value: [UInt8])] {
    try JSONLiteral.read(try object()) { object in
      object.members.filter { table[$0.key] == field && !$0.value.isNull }
        .map { ($0.key.array, JSONLiteral.text($0.value)) }
    }
  }

  func has(_ field: Field) throws -> Bool { try !members(field).isEmpty }

  /// Calls `body` with the value of a field; nil where it is missing.
  func read<Result>(_ field: Field, _ body: (JSONValue?) throws -> Result) throws -> Result {
    guard let value = try members(field).first?.value else { return try body(nil) }
    return try JSONLiteral.read(value) { try body($0) }
  }

  /// The name under which a field stands, or should be added: a null's, one that the channel
  /// declares, or our own.
  func name(of field: Field) throws -> [UInt8] {
    if let name = try members(field).first?.name { return name }
    let null = try JSONLiteral.read(try object()) { object in
      object.members.first { table[$0.key] == field }?.key.array
    }
    return null ?? table.name(for: field)
  }

  mutating func set(_ field: Field, _ value: [UInt8]) throws {
    try set(value, at: [.member(try name(of: field))])
  }

  /// Sets a value at a path below the entry.
  mutating func set(_ value: [UInt8], at path: [JSONStep]) throws {
    switch storage {
    case .json(var editor):
      try editor.set(value, at: base + path)
      storage = .json(editor)
    case .document(var editor):
      try editor.set(value, at: base + path)
      storage = .document(editor)
    }
  }

  /// Appends to a list of the entry, which is made if it isn't there.
  mutating func append(_ value: [UInt8], to path: [JSONStep]) throws {
    let isList = try isList(at: path)
    if !isList { return try set(JSONLiteral.array([value]), at: path) }
    switch storage {
    case .json(var editor):
      try editor.append(value, to: base + path)
      storage = .json(editor)
    case .document(var editor):
      try editor.append(value, to: base + path)
      storage = .document(editor)
    }
  }

  private func isList(at path: [JSONStep]) throws -> Bool {
    let json = JSONEditor(try object())
    guard let range = try? json.range(of: path) else { return false }
    return json.bytes[range.lowerBound] == UInt8(ascii: "[")
  }

  /// Removes all members of a field.
  mutating func remove(_ field: Field) throws {
    for member in try members(field) { try removeAll(at: [.member(member.name)]) }
  }

  /// Removes what is at a path below the entry; the empty path is the entry itself.
  mutating func removeAll(at path: [JSONStep]) throws {
    switch storage {
    case .json(var editor):
      try editor.remove(base + path)
      storage = .json(editor)
    case .document(var editor):
      try editor.remove(base + path)
      storage = .document(editor)
    }
  }

  /// The text of the entry.
  func body() throws -> [UInt8] {
    if isDocumentBody, case .document(let editor) = storage, !editor.body.isEmpty {
      return editor.bodyText
    }
    return try read(.body) { $0.map { Array(FieldValue.string($0).utf8) } ?? [] }
  }

  mutating func setBody(_ text: [UInt8]) throws {
    if isDocumentBody, case .document(var editor) = storage {
      let isInMatter = try has(.body) && editor.body.isEmpty
      if !isInMatter {
        try editor.setBody(text)
        storage = .document(editor)
        return
      }
    }
    try set(.body, JSONLiteral.string(text))
  }
}

extension FieldTable {
  /// What a field is called where a record doesn't have it yet.
  func name(for field: Field) -> [UInt8] {
    if let own = additions.first(where: { $0.field == field }) { return Array(own.name.utf8) }
    let free = field.names.first { self[Array($0.utf8)] == field }
    return Array((free ?? field.names[0]).utf8)
  }
}
