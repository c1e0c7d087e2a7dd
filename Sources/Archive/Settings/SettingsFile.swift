import Bytes
import JSON

/// A small file of settings (YAML or JSON), parsed, with the lines of its keys.
///
/// Its values live as long as the file is held.
struct SettingsFile: ~Copyable {
  let path: String
  private var parser = JSONParser()
  private var keys: [KeyLine] = []
  /// What is wrong with the file.
  private(set) var diagnostics: [Diagnostic] = []
  /// The file's body after front matter; empty for YAML and JSON.
  private(set) var body: [UInt8] = []

  /// The most bytes that settings may have.
  static let limit = 16 << 20

  /// Reads a file; one that can't be read has no values and a diagnostic.
  init(_ path: String, in root: String) {
    self.path = path
    do throws(FileError) {
      let bytes = try FileSystem.read("\(root)/\(path)", limit: Self.limit, followsLinks: false)
      parse(bytes)
    } catch {
      diagnostics.append(.unreadable(path, error))
    }
  }

  private mutating func parse(_ bytes: [UInt8]) {
    var bytes = bytes
    if !UnicodeText.isValidUTF8(bytes.span) {
      bytes = UnicodeText.repaired(bytes.span)
      report(.warning, "The file isn't valid UTF-8; what could not be read became U+FFFD")
    }
    if path.utf8.reversed().starts(with: ".json".utf8.reversed()) {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      parse(json: bytes.span)
    } else if path.utf8.reversed().starts(with: "ml".utf8.reversed()) {
      parse(yaml: bytes.span, line: 1)
    } else {
      bytes.withUnsafeBufferPointer { buffer in
        let matter = FrontMatter(buffer)
        body = Array(buffer[matter.body])
        let content = bytes.span.extracting(matter.content)
        switch matter.form {
        case .yaml: parse(yaml: content, line: matter.line)
        case .toml: parse(toml: content, line: matter.line)
        case .json: parse(json: content)
        // Neither is a form of settings: such a file is all body.
        case .none, .script, .headers: break
        }
      }
    }
  }

  private mutating func parse(yaml: Span<UInt8>, line: Int) {
    var json = ByteBuffer()
    do throws(YAMLError) {
      keys = try YAMLText.writeJSON(yaml, into: &json)
      for index in keys.indices { keys[index].line += line - 1 }
      parse(json: json.bytes)
    } catch {
      reportUnparsed(error.reason, line: error.line + line - 1, column: error.column)
    }
  }

  private mutating func parse(toml: Span<UInt8>, line: Int) {
    var json = ByteBuffer()
    do throws(TOMLError) {
      keys = try TOMLText.writeJSON(toml, into: &json)
      for index in keys.indices { keys[index].line += line - 1 }
      parse(json: json.bytes)
    } catch {
      reportUnparsed(error.reason, line: error.line + line - 1, column: error.column)
    }
  }

  private mutating func reportUnparsed(_ reason: String, line: Int, column: Int) {
    diagnostics.append(
      Diagnostic(
        .error,
        path: path,
        line: line,
        column: column,
        headline: "The file can't be read: \(reason)"
      )
    )
  }

  private mutating func parse(json: Span<UInt8>) {
    do throws(JSONError) {
      try parser.parse(json)
    } catch {
      report(.error, "The file can't be read: \(error.reason)")
    }
  }

  /// The whole; `null` where the file couldn't be read.
  var root: JSONValue { parser.root }

  /// A member of the top-level object; nil where it is missing or null.
  subscript(_ key: StaticString) -> JSONValue? { root[key].flatMap { $0.isNull ? nil : $0 } }

  /// The line of a top-level key; 0 when unknown.
  func line(of key: String) -> Int {
    keys.first { $0.key.utf8.elementsEqual(key.utf8) }?.line ?? 0
  }

  mutating func report(
    _ severity: Diagnostic.Severity,
    _ headline: String,
    key: String = "",
    explanation: String = "",
    suggestion: String = ""
  ) {
    diagnostics.append(
      Diagnostic(
        severity,
        path: path,
        line: line(of: key),
        headline: headline,
        explanation: explanation,
        suggestion: suggestion
      )
    )
  }

  /// Reports keys that nothing reads, each with the nearest that is.
  mutating func checkKeys(_ known: [String], of object: JSONValue? = nil, below parent: String = "")
  {
    let object = object ?? root
    guard object.kind == .object else {
      if object.kind != .null { report(.error, "The file must hold keys with values", key: parent) }
      return
    }
    var seen: [String] = []
    for member in object.members {
      let key = String(decoding: member.key.buffer.cut(to: longestName), as: UTF8.self)
      if !known.contains(where: { $0.utf8.elementsEqual(key.utf8) }) {
        let near = NameSuggestion.nearest(to: key, among: known)
        report(
          .warning,
          "The key '\(Diagnostic.shown(key))' isn't known",
          key: parent.isEmpty ? key : parent,
          suggestion: near.map { "Did you mean '\($0)'?" }
            ?? "Known are \(known.joined(separator: ", "))"
        )
      } else if seen.contains(where: { $0.utf8.elementsEqual(key.utf8) }) {
        report(.warning, "The key '\(key)' stands twice; the first is taken", key: key)
      }
      if seen.count < 100 { seen.append(key) }
    }
  }

  /// Text on one line; nil with a diagnostic where the value is something else.
  mutating func text(_ key: StaticString) -> String? {
    guard let value = self[key] else { return nil }
    if value.text != nil || value.double != nil {
      return String(
        decoding: FieldValue.string(value).utf8.map { $0 < 0x20 ? 0x20 : $0 },
        as: UTF8.self
      )
    }
    report(.warning, "'\(key)' must be text", key: "\(key)")
    return nil
  }

  /// One of several words.
  mutating func choice<Choice>(_ key: StaticString, _ choices: [(word: String, Choice)]) -> Choice?
  {
    guard let word = text(key) else { return nil }
    return choice(word, key: "\(key)", choices)
  }

  mutating func choice<Choice>(
    _ word: String,
    key: String,
    _ choices: [(word: String, value: Choice)]
  ) -> Choice? {
    if let found = choices.first(where: { $0.word.utf8.elementsEqual(word.utf8) }) {
      return found.value
    }
    let words = choices.map(\.word)
    let near = NameSuggestion.nearest(to: word, among: words)
    report(
      .warning,
      "'\(key)' can't be '\(Diagnostic.shown(word))'",
      key: key,
      suggestion: near.map { "Did you mean '\($0)'?" } ?? "Write \(words.joined(separator: ", "))"
    )
    return nil
  }

  /// A whole number within bounds.
  mutating func number(_ key: StaticString, in bounds: ClosedRange<Int>) -> Int? {
    guard let value = self[key] else { return nil }
    return number(value, key: "\(key)", in: bounds)
  }

  mutating func number(
    _ value: JSONValue,
    key: String,
    below parent: String = "",
    in bounds: ClosedRange<Int>
  ) -> Int? {
    if let number = value.integer, let whole = Int(exactly: number), bounds.contains(whole) {
      return whole
    }
    report(
      .warning,
      "'\(key)' must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)",
      key: parent.isEmpty ? key : parent
    )
    return nil
  }

  /// `true` or `false`.
  mutating func flag(_ key: StaticString) -> Bool? {
    guard let value = self[key] else { return nil }
    if FieldValue.isTrue(value) { return true }
    if FieldValue.isFalse(value) { return false }
    report(.warning, "'\(key)' must be true or false", key: "\(key)")
    return nil
  }
}
