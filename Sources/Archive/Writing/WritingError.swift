import Bytes
import JSON

/// Why nothing was written, in words for the person who asked.
public struct WritingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence without a full stop.
  public let headline: String
  /// What to do; may be empty.
  public let suggestion: String
  /// Whether the request itself was wrong, rather than the state of the archive.
  public let isUsage: Bool

  /// Says why, and what to do about it.
  public init(_ headline: String, suggestion: String = "", isUsage: Bool = false) {
    self.headline = headline
    self.suggestion = suggestion
    self.isUsage = isUsage
  }

  /// The headline.
  public var description: String { headline }

  /// A place that splicing can't change without changing more than was asked for.
  static func unsplicable(_ path: String, _ reason: String) -> Self {
    Self(
      "'\(path)' can't be changed here: \(reason)",
      suggestion: "Change it in a text editor"
    )
  }
}

/// Why a part of a file can't be spliced; the file's editor adds the path.
struct SpliceError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ error: JSONEditError) {
    switch error {
    case .notFound: reason = "the record isn't where it was"
    case .wrongKind: reason = "it is no object or list"
    case .malformed(let offset): reason = "it isn't valid JSON at byte \(offset)"
    case .badValue(let error): reason = error.reason
    case .onlyValue: reason = "it is all that the file holds"
    }
  }
}

/// JSON text of single values.
enum JSONLiteral {
  static func string(_ text: some Sequence<UInt8>) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.appendJSON(string: Array(text).span)
    return buffer.array
  }

  static func string(_ text: String) -> [UInt8] { string(text.utf8) }

  static func array(_ elements: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + Array(elements.joined(separator: [UInt8(ascii: ",")]))
      + [UInt8(ascii: "]")]
  }

  static func object(_ members: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
    let parts = members.map { string($0.key) + [UInt8(ascii: ":")] + $0.value }
    return [UInt8(ascii: "{")] + Array(parts.joined(separator: [UInt8(ascii: ",")]))
      + [UInt8(ascii: "}")]
  }

  /// Calls `body` with the parsed value, mended where that is possible.
  static func read<Result>(
    _ json: [UInt8],
    _ body: (JSONValue) throws -> Result
  ) throws -> Result {
    var parser = JSONParser()
    do throws(JSONError) {
      _ = try parser.parse(json.span)
    } catch {
      guard error.isRepairable, (try? parser.parse(repairing: json.span)) != nil else {
        throw SpliceError("it isn't valid JSON: \(error.reason)")
      }
    }
    return try body(parser.root)
  }

  /// The text of a value, written one way.
  static func text(_ value: JSONValue) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.appendJSON(value)
    return buffer.array
  }

  /// Whether two objects have the same members, in whatever order.
  ///
  /// With `asText` a number or a list is what its text is: headers know nothing else.
  static func areEqual(_ left: [UInt8], _ right: [UInt8], asText: Bool = false) -> Bool {
    func members(_ json: [UInt8]) throws -> [(key: [UInt8], value: [UInt8])] {
      try read(json) { root in
        root.members.map { ($0.key.array, asText ? flat($0.value) : text($0.value)) }
          .sorted { $0.0.lexicographicallyPrecedes($1.0) }
      }
    }
    guard let first = try? members(left), let second = try? members(right) else { return false }
    return first.elementsEqual(second) { $0.key == $1.key && $0.value == $1.value }
  }

  private static func flat(_ value: JSONValue) -> [UInt8] {
    if value.kind != .array { return value.text?.array ?? text(value) }
    let parts = value.elements.map { $0.text?.array ?? text($0) }
    return Array(parts.joined(separator: Array(", ".utf8)))
  }
}
