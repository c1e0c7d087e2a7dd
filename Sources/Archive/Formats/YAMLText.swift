import Bytes
import CYAML

/// A YAML document that cannot be read.
package struct YAMLError: Error, Hashable, Sendable {
  package var reason: String
  /// Counted from 1 within the document; 0 when unknown.
  package var line: Int
  package var column: Int
}

/// Where a top-level key stands, so that a mistake in its value can be named by line.
package struct KeyLine: Hashable, Sendable {
  package var key: String
  /// Counted from 1 within the document.
  package var line: Int
}

/// Turns one YAML document into JSON text, so that front matter, comment files and configuration
/// are read by the same code as JSON records.
///
/// Plain scalars follow the core schema of YAML 1.2 (section 10.3): `true`, `null`, decimal
/// integers and floats; all else, dates and `NO` included, is text. Tags are ignored. A merge key
/// (`<<`) is kept as an ordinary key. Bounds: 512 levels, since libyaml's scanner takes time quadratic
/// in the depth, and 4 MiB of text repeated by aliases (an "alias bomb" is an error).
package enum YAMLText {
  /// Appends the JSON text of the first document in `yaml` and returns its top-level keys.
  ///
  /// - Parameters:
  ///   - yaml: UTF-8; ill-formed bytes are an error of the scanner.
  ///   - output: Gets `null` for an empty document. Untouched when an error is thrown.
  /// - Returns: The keys of the top-level mapping in their order; empty for other documents.
  /// - Throws: The reason with line and column, counted from 1.
  package static func writeJSON(
    _ yaml: Span<UInt8>,
    into output: inout ByteBuffer
  ) throws(YAMLError) -> [KeyLine] {
    let flat = yaml.withUnsafeBufferPointer { FlatYAML.writeJSON($0, into: &output) }
    return if let flat { flat } else { try writeEvents(yaml, into: &output) }
  }

  /// As `writeJSON`, for text of any form.
  package static func writeEvents(
    _ yaml: Span<UInt8>,
    into output: inout ByteBuffer
  ) throws(YAMLError) -> [KeyLine] {
    let start = output.count
    var writer = YAMLWriter()
    do throws(YAMLError) {
      try writer.write(yaml, into: &output)
    } catch {
      output.truncate(to: start)
      throw error
    }
    return writer.keys
  }
}

/// Writes JSON while libyaml's events come in: no tree, no recursion.
private struct YAMLWriter: ~Copyable {
  /// An open sequence or mapping.
  private struct Frame {
    var isMapping: Bool
    /// Keys and values, or items, begun so far.
    var count = 0
    /// Index in `anchors` of this collection's anchor.
    var anchor: Int?
    /// The output is dropped down to here at the end: a collection used as a key.
    var discard: Int?

    var expectsKey: Bool { isMapping && count % 2 == 0 }
  }

  private struct Anchor {
    var name: [CChar]
    var start: Int
    /// Nil while the anchored collection is open.
    var end: Int?
  }

  private(set) var keys: [KeyLine] = []
  private var parser = yaml_parser_t()
  private var stack: [Frame] = []
  private var anchors: [Anchor] = []
  private var repeated = 0

  mutating func write(_ yaml: Span<UInt8>, into output: inout ByteBuffer) throws(YAMLError) {
    guard yaml_parser_initialize(&parser) == 1 else {
      throw YAMLError(reason: "out of memory", line: 0, column: 0)
    }
    defer { yaml_parser_delete(&parser) }
    var failure: YAMLError?
    yaml.withUnsafeBufferPointer { bytes in
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      do throws(YAMLError) { try writeEvents(into: &output) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private mutating func writeEvents(into output: inout ByteBuffer) throws(YAMLError) {
    let start = output.count
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(&parser, &event) == 1 else { throw YAMLError(parser) }
      defer { yaml_event_delete(&event) }
      switch event.type {
      case YAML_SCALAR_EVENT: write(scalar: event, into: &output)
      case YAML_ALIAS_EVENT: try write(alias: event, into: &output)
      case YAML_SEQUENCE_START_EVENT: try open(event, isMapping: false, into: &output)
      case YAML_MAPPING_START_EVENT: try open(event, isMapping: true, into: &output)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: close(into: &output)
      case YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT:
        if output.count == start { output.append("null") }
        return
      default: break
      }
    }
  }

  /// Writes what stands before a node in its collection; true if the node is a key.
  private mutating func begin(into output: inout ByteBuffer) -> Bool {
    guard let frame = stack.last else { return false }
    if frame.isMapping, frame.count % 2 == 1 {
      output.append(UInt8(ascii: ":"))
    } else if frame.count > 0 {
      output.append(UInt8(ascii: ","))
    }
    stack[stack.count - 1].count += 1
    return frame.expectsKey
  }

  private mutating func open(
    _ event: yaml_event_t,
    isMapping: Bool,
    into output: inout ByteBuffer
  ) throws(YAMLError) {
    guard stack.count < 512 else { throw failure("nested over 512 levels", at: event) }
    let isKey = begin(into: &output)
    var frame = Frame(isMapping: isMapping)
    if isKey { frame.discard = output.count }
    let anchor = isMapping ? event.data.mapping_start.anchor : event.data.sequence_start.anchor
    frame.anchor = note(anchor, at: output.count)
    stack.append(frame)
    output.append(isMapping ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  private mutating func close(into output: inout ByteBuffer) {
    guard let frame = stack.popLast() else { return }
    output.append(frame.isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    if let discard = frame.discard {
      anchors.removeAll { $0.start >= discard }
      output.truncate(to: discard)
      output.append("\"\"")
    } else if let anchor = frame.anchor {
      anchors[anchor].end = output.count
    }
  }

  private mutating func write(scalar event: yaml_event_t, into output: inout ByteBuffer) {
    let isKey = begin(into: &output)
    let scalar = event.data.scalar
    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    if isKey, stack.count == 1 {
      let key = String(decoding: bytes, as: UTF8.self)
      keys.append(KeyLine(key: key, line: Int(event.start_mark.line) + 1))
    }
    let anchor = note(scalar.anchor, at: output.count)
    if isKey || scalar.style != YAML_PLAIN_SCALAR_STYLE {
      output.appendJSON(string: bytes)
    } else {
      CoreSchema.append(bytes, into: &output)
    }
    if let anchor { anchors[anchor].end = output.count }
  }

  private mutating func write(
    alias event: yaml_event_t,
    into output: inout ByteBuffer
  ) throws(YAMLError) {
    let name = [CChar](cString: event.data.alias.anchor)
    guard let anchor = anchors.last(where: { $0.name == name }) else {
      throw failure("this alias has no anchor", at: event)
    }
    guard let end = anchor.end else { throw failure("this alias holds itself", at: event) }
    let isKey = begin(into: &output)
    repeated += end - anchor.start
    guard repeated <= 4 << 20 else { throw failure("aliases repeat over 4 MiB", at: event) }
    let isText = output.bytes[anchor.start] == UInt8(ascii: "\"")
    if isKey, !isText {
      output.append("\"\"")
    } else {
      output.append(copyOf: anchor.start..<end)
    }
  }

  private mutating func note(_ name: UnsafePointer<yaml_char_t>?, at start: Int) -> Int? {
    guard let name else { return nil }
    anchors.append(Anchor(name: [CChar](cString: name), start: start))
    return anchors.count - 1
  }

  private func failure(_ reason: String, at event: yaml_event_t) -> YAMLError {
    YAMLError(
      reason: reason,
      line: Int(event.start_mark.line) + 1,
      column: Int(event.start_mark.column) + 1
    )
  }
}

extension YAMLError {
  fileprivate init(_ parser: yaml_parser_t) {
    let problem = parser.problem.map { String(cString: $0) } ?? "not readable as YAML"
    let mark = parser.problem_mark
    self.init(reason: problem, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}

extension [CChar] {
  fileprivate init(cString bytes: UnsafePointer<yaml_char_t>) {
    var length = 0
    while bytes[length] != 0 { length += 1 }
    self = UnsafeBufferPointer(start: bytes, count: length).map { CChar(bitPattern: $0) }
  }
}
