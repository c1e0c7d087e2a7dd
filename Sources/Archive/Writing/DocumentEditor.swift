import Bytes
import JSON

/// Changes a Markdown, HTML or YAML file: single keys of its front matter are spliced, and its body
/// is replaced; all else stays byte for byte.
///
/// After every step the file is read again as the archive's reader reads it, and compared with what
/// the step should have done: a step that would change more, or less, is refused.
struct DocumentEditor {
  private(set) var bytes: [UInt8]
  /// What the file says, as JSON text of an object.
  private(set) var json: [UInt8]
  /// Where the body stands, its first heading left out if that is the title.
  private(set) var body: Range<Int>
  private var matter: FrontMatter
  private let file: FileContext

  private var isYAML: Bool { file.source.format == .yaml }

  /// Reads a file; `path` stands for its name, which may hold a date.
  init(_ bytes: [UInt8], path: String, format: Source.Format) throws(SpliceError) {
    self.bytes = bytes
    let source = Source(file: FileID(0), path: path, format: format, target: .posts)
    let rules = SourceRules(zone: .utc, dates: .iso, table: .standard, gathersTopics: false)
    file = FileContext(source, rules: rules, media: MediaIndex())
    (matter, json, body) = try Self.read(bytes, file)
  }

  private static func read(
    _ bytes: [UInt8],
    _ file: FileContext
  ) throws(SpliceError) -> (matter: FrontMatter, json: [UInt8], body: Range<Int>) {
    var reader = DocumentReader()
    var harvest = Harvest()
    let (matter, isRead) = bytes.withUnsafeBufferPointer { bytes in
      if file.source.format == .yaml {
        return (FrontMatter(wholeYAML: bytes), reader.read(yaml: bytes, of: file, into: &harvest))
      }
      _ = reader.read(bytes, of: file, into: &harvest)
      return (FrontMatter(bytes), true)
    }
    guard isRead else { throw SpliceError("it can't be read") }
    return (matter, reader.json.array, reader.body)
  }

  /// The body as it stands in the file, invalid bytes repaired.
  var bodyText: [UInt8] { UnicodeText.repaired(Array(bytes[body]).span) }

  /// Sets the value at a path, or adds the member.
  mutating func set(_ value: [UInt8], at path: [JSONStep]) throws {
    if path == [.member("title")], try setHeading(value) { return }
    try step {
      try $0.set(value, at: path)
    } work: { document in
      switch document.matter.form {
      case .yaml:
        if document.isLoose {
          try document.spliceLines(isQuoted: true) { try $0.set(value, at: path) }
        } else {
          try document.splice { content in
            var editor = try YAMLEditor(content)
            try editor.set(value, at: path)
            return editor.bytes
          }
        }
      case .toml:
        let old = document
        try document.splice { content in
          var editor = TOMLEditor(content)
          let isDate = value.first == 0x22 && path.count == 1 && old.isBareDate(path, editor)
          try editor.set(value, at: path, isBareDate: isDate)
          return editor.bytes
        }
      case .json: try document.spliceJSON { try $0.set(value, at: path) }
      case .headers: try document.spliceLines(isQuoted: false) { try $0.set(value, at: path) }
      case .script: throw SpliceError("its front matter is a program")
      case .none: try document.addFrontMatter(value, at: path)
      }
    }
  }

  /// Appends a value to a list.
  mutating func append(_ value: [UInt8], to path: [JSONStep]) throws {
    if matter.form == .yaml, !isLoose {
      return try step {
        try $0.append(value, to: path)
      } work: { document in
        try document.splice { content in
          var editor = try YAMLEditor(content)
          try editor.append(value, to: path)
          return editor.bytes
        }
      }
    }
    // The list is written anew.
    var shadow = JSONEditor(json)
    try shadow.append(value, to: path)
    try set(Array(shadow.bytes[try shadow.range(of: path)]), at: path)
  }

  /// Removes a member or an element.
  mutating func remove(_ path: [JSONStep]) throws {
    try step {
      try $0.remove(path)
    } work: { document in
      switch document.matter.form {
      case .yaml:
        if document.isLoose {
          try document.spliceLines(isQuoted: true) { try $0.remove(path) }
        } else {
          try document.splice { content in
            var editor = try YAMLEditor(content)
            try editor.remove(path)
            return editor.bytes
          }
        }
      case .toml:
        try document.splice { content in
          var editor = TOMLEditor(content)
          try editor.remove(path)
          return editor.bytes
        }
      case .json: try document.spliceJSON { try $0.remove(path) }
      case .headers: try document.spliceLines(isQuoted: false) { try $0.remove(path) }
      case .script: throw SpliceError("its front matter is a program")
      case .none: throw SpliceError("there is nothing to remove")
      }
    }
  }

  /// Replaces the body, whose blank lines around it don't count.
  mutating func setBody(_ text: [UInt8]) throws {
    let wanted = Self.trimmed(text)
    let before = self
    try replaceBody(wanted)
    if JSONLiteral.areEqual(json, before.json), Self.unified(bodyText) == Self.unified(wanted) {
      return
    }
    // The new body begins with a heading, which would become the title.
    self = before
    try set(Array("\"\"".utf8), at: [.member("title")])
    let untitled = json
    try replaceBody(wanted)
    guard JSONLiteral.areEqual(json, untitled), Self.unified(bodyText) == Self.unified(wanted)
    else { throw SpliceError("the text would be read as something else") }
  }

  private mutating func replaceBody(_ text: [UInt8]) throws(SpliceError) {
    let lineEnd = YAMLEditor.lineEnd(of: bytes)
    var replacement = Self.unified(text)
    if lineEnd.count == 2 { replacement = replacement.flatMap { $0 == 0x0A ? lineEnd : [$0] } }
    if body.isEmpty, !replacement.isEmpty {
      if body.lowerBound > 0, bytes[body.lowerBound - 1] != 0x0A {
        replacement = lineEnd + replacement
      }
      replacement += lineEnd
    }
    bytes.replaceSubrange(body, with: replacement)
    (matter, json, body) = try Self.read(bytes, file)
  }

  private static func trimmed(_ text: [UInt8]) -> [UInt8] {
    text.withUnsafeBufferPointer { text in
      var start = 0
      while start < text.count, FrontMatter.isBlankLine(text, at: start) {
        start = FrontMatter.line(text, from: start).end
      }
      var end = text.count
      while end > start, isBlankByte(text[end - 1]) { end -= 1 }
      return Array(text[start..<end])
    }
  }

  /// With `\n` as the only line end.
  private static func unified(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for index in text.indices {
      if text[index] == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { continue }
      result.append(text[index])
    }
    return result
  }
}

extension FrontMatter {
  /// A file that is YAML as a whole.
  fileprivate init(wholeYAML bytes: UnsafeBufferPointer<UInt8>) {
    self.init(UnsafeBufferPointer(rebasing: bytes[..<0]))
    form = .yaml
    content = 0..<bytes.count
  }
}

extension DocumentEditor {
  /// Does a step and makes sure that it did what it should.
  private mutating func step(
    expecting change: (inout JSONEditor) throws -> Void,
    work: (inout DocumentEditor) throws -> Void
  ) throws {
    let oldBody = bytes[body]
    var shadow = JSONEditor(json)
    do {
      try change(&shadow)
    } catch let error as JSONEditError {
      throw SpliceError(error)
    }
    var changed = self
    try work(&changed)
    (changed.matter, changed.json, changed.body) = try Self.read(changed.bytes, file)
    // An edit can make YAML of what was none.
    let isText = isLoose || changed.isLoose
    guard JSONLiteral.areEqual(changed.json, shadow.bytes, asText: isText) else {
      throw SpliceError("the front matter would be read as something else")
    }
    guard changed.bytes[changed.body].elementsEqual(oldBody) else {
      throw SpliceError("the body would change as well")
    }
    self = changed
  }

  private mutating func splice(_ work: ([UInt8]) throws -> [UInt8]) throws {
    bytes.replaceSubrange(matter.content, with: try work(Array(bytes[matter.content])))
  }

  private mutating func spliceLines(
    isQuoted: Bool,
    _ work: (inout LineEditor) throws -> Void
  ) throws {
    try splice { content in
      var editor = LineEditor(content, isQuoted: isQuoted)
      try work(&editor)
      return editor.bytes
    }
  }

  private mutating func spliceJSON(_ work: (inout JSONEditor) throws -> Void) throws {
    try splice { content in
      var editor = JSONEditor(content)
      do {
        try work(&editor)
      } catch let error as JSONEditError {
        throw SpliceError(error)
      }
      return editor.bytes
    }
  }

  /// Whether the front matter is read line by line, all values being text: headers, and what YAML's
  /// parser refuses.
  private var isLoose: Bool {
    switch matter.form {
    case .headers: true
    case .yaml: (try? YAMLOutline(Array(bytes[matter.content]))) == nil
    case .none, .toml, .json, .script: false
    }
  }

  /// Whether a new date is written without quotes, as the file's other dates are.
  private func isBareDate(_ path: [JSONStep], _ editor: TOMLEditor) -> Bool {
    guard case .member(let name) = path[0] else { return false }
    let dates = Field.date.names + Field.updated.names + Field.weakUpdated.names
    guard dates.contains(where: { $0.utf8.elementsEqual(name) }) else { return false }
    return editor.hasBareDate(name) || editor.hasBareDate(Array("date".utf8))
  }

  private mutating func addFrontMatter(_ value: [UInt8], at path: [JSONStep]) throws {
    guard path.count == 1, case .member(let name) = path[0] else {
      throw SpliceError("there is no front matter")
    }
    let lineEnd = YAMLEditor.lineEnd(of: bytes)
    let scalars = YAMLScalars(lineEnd: lineEnd)
    let member = try JSONLiteral.read(value) { scalars.member(name, $0, indent: []) }
    let mark = Array("---".utf8) + lineEnd
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    bytes.replaceSubrange(start..<start, with: mark + member + lineEnd + mark)
  }

  /// Replaces the heading that the title comes from; false where the title has a key of its own.
  private mutating func setHeading(_ value: [UInt8]) throws -> Bool {
    let heading = matter.body.lowerBound..<body.lowerBound
    let old = try JSONLiteral.read(json) { $0["title"]?.text?.array }
    guard !isYAML, !heading.isEmpty, let old, !old.isEmpty,
      let title = try JSONLiteral.read(value, { $0.text?.array }), !title.isEmpty,
      !title.contains(where: { $0 < 0x20 }), let place = bytes[heading].firstRange(of: old)
    else { return false }
    try step {
      try $0.set(value, at: [.member("title")])
    } work: { document in
      document.bytes.replaceSubrange(place, with: title)
    }
    return true
  }
}
