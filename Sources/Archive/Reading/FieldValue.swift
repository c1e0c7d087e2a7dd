import Bytes
import JSON

/// Reads single values leniently: what means the same is the same (`"3"` and `3`, `"true"` and
/// `true`); what cannot be read is nil.
enum FieldValue {
  static func isTrue(_ value: JSONValue) -> Bool {
    if let bool = value.bool { return bool }
    if let number = value.double { return number != 0 }
    guard let text = value.text?.buffer.trimmed else { return false }
    return text.equalsIgnoringCase("true") || text.equalsIgnoringCase("yes")
      || text.equalsIgnoringCase("1")
  }

  static func isFalse(_ value: JSONValue) -> Bool {
    if let bool = value.bool { return !bool }
    if let number = value.double { return number == 0 }
    guard let text = value.text?.buffer.trimmed else { return false }
    return text.equalsIgnoringCase("false") || text.equalsIgnoringCase("no")
      || text.equalsIgnoringCase("0")
  }

  /// A count: 0 below zero and for what is no number, at most 4,294,967,295.
  static func count(_ value: JSONValue) -> UInt32 {
    if let number = value.integer { return UInt32(clamping: number) }
    if let number = value.double {
      return number >= 4_294_967_295 ? .max : UInt32(exactly: max(number, 0).rounded(.down)) ?? 0
    }
    if let text = value.text { return Int64(text.string).map { UInt32(clamping: $0) } ?? 0 }
    if value.kind == .array { return UInt32(clamping: value.count) }
    return 0
  }

  static func integer(_ value: JSONValue?) -> Int {
    guard let value else { return 0 }
    return Int(count(value))
  }

  static func string(_ value: JSONValue?) -> String {
    guard let value else { return "" }
    if let text = value.text { return text.string }
    if let number = value.integer { return "\(number)" }
    if let number = value.unsigned { return "\(number)" }
    if let number = value.double { return "\(number)" }
    return ""
  }

  static func date(_ value: JSONValue, _ rules: SourceRules) -> Timestamp? {
    switch value.kind {
    case .string:
      guard let text = value.text, text.count <= 256 else { return nil }
      return TimestampParser.parse(
        Span(_unsafeElements: text.buffer),
        zone: rules.zone,
        reading: rules.dates
      )
    case .integer:
      return value.integer.flatMap { TimestampParser.fromNumber($0, reading: rules.dates) }
    case .double:
      return value.double.flatMap { TimestampParser.fromNumber($0, reading: rules.dates) }
    case .object:
      // A Firestore timestamp as JSON.
      guard let seconds = value["_seconds"] ?? value["seconds"], let whole = seconds.integer else {
        return nil
      }
      let nanoseconds = (value["_nanoseconds"] ?? value["nanoseconds"])?.integer ?? 0
      let (scaled, overflow) = whole.multipliedReportingOverflow(by: 1000)
      guard !overflow, (0..<1_000_000_000).contains(nanoseconds) else { return nil }
      let time = Timestamp(milliseconds: scaled &+ nanoseconds / 1_000_000)
      return time.isInRange ? time : nil
    case .array, .true, .false, .null: return nil
    }
  }

  static func audience(_ word: UnsafeBufferPointer<UInt8>) -> Audience? {
    if word.equalsIgnoringCase("public") { return .everyone }
    if word.equalsIgnoringCase("friends") { return .friends }
    if word.equalsIgnoringCase("private") { return .private }
    return nil
  }

  static func format(_ value: JSONValue) -> BodyFormat? {
    guard let word = value.text?.buffer.trimmed else { return nil }
    if word.equalsIgnoringCase("markdown") || word.equalsIgnoringCase("md") { return .markdown }
    if word.equalsIgnoringCase("plain") || word.equalsIgnoringCase("text") { return .plain }
    if word.equalsIgnoringCase("html") { return .html }
    return nil
  }

  /// Appends the text of a string or number, at most 1 KiB, without blanks around it.
  ///
  /// - Returns: Nil where the value is neither; empty for an empty string.
  static func append(_ value: JSONValue, to text: inout [UInt8]) -> TextRange? {
    let start = text.count
    switch value.kind {
    case .string:
      guard let string = value.text else { return nil }
      text.append(contentsOf: string.buffer.trimmed.cut(to: longestName))
    case .integer:
      if let number = value.integer {
        appendDecimal(number, to: &text)
      } else if let number = value.unsigned {
        text.append(contentsOf: "\(number)".utf8)
      }
    case .double:
      guard let number = value.double else { return nil }
      if let whole = Int64(exactly: number) {
        appendDecimal(whole, to: &text)
      } else {
        text.append(contentsOf: "\(number)".utf8)
      }
    case .object:
      // MongoDB's extended JSON.
      guard let id = value["$oid"], id.kind != .object else { return nil }
      return append(id, to: &text)
    case .array, .true, .false, .null: return nil
    }
    return TextRange(
      offset: UInt32(truncatingIfNeeded: start),
      length: UInt32(truncatingIfNeeded: text.count - start)
    )
  }

  private static func appendDecimal(_ number: Int64, to text: inout [UInt8]) {
    var rest = number.magnitude
    if number < 0 { text.append(UInt8(ascii: "-")) }
    let start = text.count
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    text[start...].reverse()
  }

  /// Calls `body` with the name of an author: a string, a number, the first of a list, or an object's
  /// `id`, `name` or `login`.
  ///
  /// With `isList` a string is a list with commas, of which the first counts. False where the value
  /// holds no name.
  static func withName(
    of value: JSONValue,
    isList: Bool,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    var value = value
    if value.kind == .array {
      guard let first = value.elements.first(where: { !$0.isNull }) else { return true }
      value = first
    }
    if value.kind == .object {
      guard let name = value["id"] ?? value["name"] ?? value["login"] else { return false }
      value = name
    }
    if let text = value.text {
      let whole = text.buffer
      let comma = isList ? whole.firstIndex(of: UInt8(ascii: ",")) : nil
      body(UnsafeBufferPointer(rebasing: whole[..<(comma ?? whole.count)]))
      return true
    }
    var digits: [UInt8] = []
    guard value.double != nil, append(value, to: &digits) != nil else { return false }
    digits.withUnsafeBufferPointer { body($0) }
    return true
  }

  /// Calls `body` with each tag: of `tags`, of `categories` and of Zola's `taxonomies`.
  ///
  /// `splitsAtBlanks` says whether blanks part the tags of a string; few records need to know.
  static func forEachTag(
    _ walk: borrowing RecordWalk,
    splitsAtBlanks: @autoclosure () -> Bool,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    func each(_ value: JSONValue) {
      if value.kind == .array {
        for element in value.elements {
          if let text = element.text?.buffer.trimmed, !text.isEmpty {
            body(text)
          } else if element.double != nil {
            var digits: [UInt8] = []
            if append(element, to: &digits) != nil { digits.withUnsafeBufferPointer { body($0) } }
          }
        }
      } else if let text = value.text?.buffer {
        split(text, atBlanks: !text.contains(UInt8(ascii: ",")) && splitsAtBlanks(), body)
      } else if value.double != nil {
        var digits: [UInt8] = []
        if append(value, to: &digits) != nil { digits.withUnsafeBufferPointer { body($0) } }
      }
    }
    if let value = walk[.tags] { each(value) }
    if let value = walk[.categories] { each(value) }
    if let value = walk[.taxonomies], value.kind == .object {
      for member in value.members { each(member.value) }
    }
  }

  private static func split(
    _ text: UnsafeBufferPointer<UInt8>,
    atBlanks: Bool,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, atBlanks ? !isBlankByte(text[end]) : text[end] != UInt8(ascii: ",") {
        end += 1
      }
      let part = UnsafeBufferPointer(rebasing: text[start..<end]).trimmed
      if !part.isEmpty { body(part) }
      start = end + 1
    }
  }
}
