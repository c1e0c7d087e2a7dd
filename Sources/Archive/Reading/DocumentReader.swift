import Bytes
import JSON

/// Turns front matter of any form into JSON text for the record reader.
struct DocumentReader: ~Copyable {
  /// What a file's front matter says, as JSON text of an object.
  private(set) var json = ByteBuffer()
  /// The top-level keys with their lines in the file.
  private(set) var keys: [KeyLine] = []

  /// Where the body stands, its first heading left out if that is the title.
  private(set) var body = 0..<0

  init() {}

  /// Reads a Markdown or HTML file.
  ///
  /// - Returns: False where it has no front matter at all.
  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>,
    of file: FileContext,
    into harvest: inout Harvest
  ) -> Bool {
    json.removeAll()
    let matter = FrontMatter(bytes)
    keys = []
    body = matter.body
    if matter.isUnclosed { harvest.report(.unclosed(file)) }
    let content = UnsafeBufferPointer(rebasing: bytes[matter.content])
    // What is wrong in the front matter is said where that is read.
    if !JSONText.isUTF8(UnsafeBufferPointer(rebasing: bytes[body])), JSONText.isUTF8(content) {
      harvest.report(.notUTF8(file))
    }
    let ok =
      switch matter.form {
      case .none: false
      case .yaml: write(yaml: content, line: matter.line, file, &harvest)
      case .toml: write(toml: content, line: matter.line, file, &harvest)
      case .json: write(content)
      case .script: ScriptValues.writeJSON(content, into: &json)
      case .headers: write(headers: content)
      }
    // Marks with nothing between them are front matter as well.
    let isEmpty = json.unsafeBytes.elementsEqual("null".utf8)
    if !ok || isEmpty {
      json.removeAll()
      json.append("{}")
    }
    if !hasTitle(matter.form) { takeTitle(from: bytes) }
    return matter.form != .none || matter.isUnclosed
  }

  /// Reads a file that is YAML as a whole.
  mutating func read(
    yaml bytes: UnsafeBufferPointer<UInt8>,
    of file: FileContext,
    into harvest: inout Harvest
  ) -> Bool {
    json.removeAll()
    keys = []
    body = 0..<0
    return write(yaml: bytes, line: 1, file, &harvest)
  }

  private mutating func write(
    yaml: UnsafeBufferPointer<UInt8>,
    line: Int,
    _ file: FileContext,
    _ harvest: inout Harvest
  ) -> Bool {
    let repaired = repaired(yaml, file, &harvest)
    return (repaired?.withUnsafeBufferPointer { write(yaml: $0, line: line, &harvest, file) })
      ?? write(yaml: yaml, line: line, &harvest, file)
  }

  private mutating func write(
    yaml: UnsafeBufferPointer<UInt8>,
    line: Int,
    _ harvest: inout Harvest,
    _ file: FileContext
  ) -> Bool {
    do throws(YAMLError) {
      keys = try YAMLText.writeJSON(Span(_unsafeElements: yaml), into: &json)
      shiftKeys(by: line - 1)
      return true
    } catch {
      // One colon too many in a title is the most common mistake; the other lines are still good.
      json.removeAll()
      let isSaved = LooseYAML.writeJSON(yaml, into: &json)
      let line = error.line + line - 1
      harvest.report(.badFrontMatter(error.reason, line: line, file, isSaved: isSaved))
      return isSaved
    }
  }

  private mutating func write(
    toml: UnsafeBufferPointer<UInt8>,
    line: Int,
    _ file: FileContext,
    _ harvest: inout Harvest
  ) -> Bool {
    let repaired = repaired(toml, file, &harvest)
    do throws(TOMLError) {
      let text = repaired ?? Array(toml)
      keys = try TOMLText.writeJSON(text.span, into: &json)
      shiftKeys(by: line - 1)
      return true
    } catch {
      let line = error.line + line - 1
      harvest.report(.badFrontMatter(error.reason, line: line, file, isSaved: false))
      return false
    }
  }

  private mutating func shiftKeys(by lines: Int) {
    for index in keys.indices { keys[index].line += lines }
  }

  private mutating func write(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
    json.append(content)
    return true
  }

  /// `Key: value` lines; keys in lower case, indented lines joined to the value above.
  private mutating func write(headers: UnsafeBufferPointer<UInt8>) -> Bool {
    var members: [(key: [UInt8], value: [UInt8])] = []
    var position = 0
    while position < headers.count {
      let line = FrontMatter.line(headers, from: position)
      position = line.end
      let slice = headers[line.text]
      if let key = FrontMatter.headerKey(slice), let first = slice.first, !isBlankByte(first) {
        let value = UnsafeBufferPointer(rebasing: slice[(key.endIndex + 1)...]).trimmed
        let lower = key.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        members.append((lower, Array(value)))
      } else if !members.isEmpty {
        let value = UnsafeBufferPointer(rebasing: slice).trimmed
        members[members.count - 1].value += [0x20] + value
      }
    }
    json.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      let isDraft =
        member.key.elementsEqual("status".utf8)
        && !member.value.map { $0 | 0x20 }.elementsEqual("published".utf8)
      if isDraft {
        json.append("\"draft\":true")
      } else {
        member.key.withUnsafeBufferPointer { json.appendJSON(string: $0) }
        json.append(UInt8(ascii: ":"))
        member.value.withUnsafeBufferPointer { json.appendJSON(string: $0) }
      }
    }
    json.append(UInt8(ascii: "}"))
    return true
  }

  private func repaired(
    _ text: UnsafeBufferPointer<UInt8>,
    _ file: FileContext,
    _ harvest: inout Harvest
  ) -> [UInt8]? {
    if UnicodeText.isValidUTF8(Span(_unsafeElements: text)) { return nil }
    harvest.report(.notUTF8(file))
    return UnicodeText.repaired(Span(_unsafeElements: text))
  }

  private func hasTitle(_ form: FrontMatter.Form) -> Bool {
    switch form {
    case .none: false
    case .yaml, .toml: keys.contains { $0.key.utf8.elementsEqual("title".utf8) }
    case .json, .script, .headers:
      json.withUnsafeBytes { $0.assumingMemoryBound(to: UInt8.self).contains("\"title\"") }
    }
  }

  /// Publish and plain files: the first heading, if nothing stands before it, is the title.
  private mutating func takeTitle(from bytes: UnsafeBufferPointer<UInt8>) {
    guard !body.isEmpty else { return }
    let line = FrontMatter.line(bytes, from: body.lowerBound)
    let text = UnsafeBufferPointer(rebasing: bytes[line.text]).trimmed
    var title = text
    var end = line.end
    if text.count > 2, text[0] == UInt8(ascii: "#"), isBlankByte(text[1]) {
      var rest = UnsafeBufferPointer(rebasing: text[1...]).trimmed
      while let last = rest.last, last == UInt8(ascii: "#") {
        rest = UnsafeBufferPointer(rebasing: rest[..<(rest.count - 1)])
      }
      title = rest.trimmed
    } else {
      let under = FrontMatter.line(bytes, from: line.end)
      let rule = UnsafeBufferPointer(rebasing: bytes[under.text]).trimmed
      guard rule.count >= 2, rule.allSatisfy({ $0 == UInt8(ascii: "=") }), !text.isEmpty else {
        return
      }
      end = under.end
    }
    guard !title.isEmpty, title.count <= 1024, UnicodeText.isValidUTF8(Span(_unsafeElements: title))
    else { return }
    while end < body.upperBound, isBlankByte(bytes[end]), FrontMatter.isBlankLine(bytes, at: end) {
      end = FrontMatter.line(bytes, from: end).end
    }
    body = min(end, body.upperBound)..<body.upperBound
    let isEmpty = json.count <= 2
    json.truncate(to: json.count - 1)
    json.append(isEmpty ? "\"title\":" : ",\"title\":")
    json.appendJSON(string: title)
    json.append(UInt8(ascii: "}"))
  }
}

extension FrontMatter {
  static func isBlankLine(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    bytes[line(bytes, from: start).text].allSatisfy(isBlankByte)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a literal stands somewhere in the bytes.
  func contains(_ literal: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    guard count >= wanted.count else { return false }
    for start in 0...(count - wanted.count) where self[start] == wanted[0] {
      if equalBytes(UnsafeBufferPointer(rebasing: self[start..<start + wanted.count]), wanted) {
        return true
      }
    }
    return false
  }
}

extension Diagnostic {
  fileprivate static func unclosed(_ file: FileContext) -> Self {
    Self(
      .warning,
      path: file.source.path,
      line: 1,
      headline: "The front matter never ends, so all of the file is taken as the body",
      suggestion: "Add a line with the same mark after the last field"
    )
  }

  fileprivate static func badFrontMatter(
    _ reason: String,
    line: Int,
    _ file: FileContext,
    isSaved: Bool
  ) -> Self {
    Self(
      .error,
      path: file.source.path,
      line: line,
      headline: "The front matter can't be read: \(reason)",
      explanation: isSaved
        ? "Lines that stand for themselves are taken" : "The file is shown without it"
    )
  }

  fileprivate static func notUTF8(_ file: FileContext) -> Self {
    Self(
      .warning,
      path: file.source.path,
      headline: "The file isn't valid UTF-8; what could not be read became U+FFFD",
      suggestion: "Save it as UTF-8"
    )
  }
}
