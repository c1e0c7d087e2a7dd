import CSimdJSON

/// Parses one JSON text after another, keeping its memory: make one per worker.
///
/// simdjson writes a tape of 64-bit words and a buffer of unescaped strings (its `doc/tape.md`);
/// ``JSONValue`` walks them. A record of 170 bytes costs about a quarter of a microsecond.
public struct JSONParser: ~Copyable {
  /// Arrays and objects may nest this deep; one level more is ``JSONError/Kind/tooDeep``.
  public static let maximumDepth = 512

  private let handle: OpaquePointer
  private var padded: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private let emptyTape: UnsafeMutablePointer<UInt64>
  private let emptyStrings: UnsafeMutablePointer<UInt8>
  private var isParsed = false

  /// Makes a parser; its memory grows with the largest text it meets.
  public init() {
    guard let handle = csimdjson_create() else { fatalError("out of memory") }
    self.handle = handle
    capacity = 4096
    padded = .allocate(capacity: capacity + csimdjson_padding)
    emptyTape = .allocate(capacity: 4)
    emptyTape.initialize(repeating: UInt64(UInt8(ascii: "n")) << 56, count: 4)
    emptyStrings = .allocate(capacity: 1)
    emptyStrings.initialize(to: 0)
  }

  deinit {
    csimdjson_destroy(handle)
    padded.deallocate()
    emptyTape.deallocate()
    emptyStrings.deallocate()
  }

  /// The value parsed last; `null` before the first parse and after a failed one.
  ///
  /// It and everything reached from it point into the parser: use them before the next `parse`
  /// and while the parser lives.
  public var root: JSONValue {
    guard isParsed, let tape = csimdjson_tape(handle), let strings = csimdjson_strings(handle)
    else { return JSONValue(tape: emptyTape, strings: emptyStrings, index: 1) }
    return JSONValue(tape: tape, strings: strings, index: 1)
  }

  /// Parses one JSON text (RFC 8259, UTF-8 without a byte order mark).
  ///
  /// - Returns: ``root``, valid until the next `parse`.
  /// - Throws: ``JSONError`` with the offset into `json`.
  @discardableResult
  public mutating func parse(_ json: Span<UInt8>) throws(JSONError) -> JSONValue {
    // A closure that throws a typed error through `withUnsafeBufferPointer` costs; carry it out.
    let failure = json.withUnsafeBufferPointer { parseUnchecked($0) }
    if let failure { throw failure }
    return root
  }

  /// Parses bytes that the caller keeps alive for the length of the call.
  @discardableResult
  public mutating func parse(_ json: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONValue {
    if let failure = parseUnchecked(json) { throw failure }
    return root
  }

  private mutating func parseUnchecked(_ json: UnsafeBufferPointer<UInt8>) -> JSONError? {
    isParsed = false
    guard let start = json.baseAddress, !json.isEmpty else { return JSONError(.empty, at: 0) }
    guard json.count <= 0xFFFF_FFFF else { return JSONError(.tooLarge) }
    if json.count > capacity { grow(to: json.count) }
    padded.update(from: start, count: json.count)
    (padded + json.count).update(repeating: UInt8(ascii: " "), count: csimdjson_padding)
    // simdjson counts the document itself as one level.
    let result = csimdjson_parse(handle, padded, json.count, Self.maximumDepth + 1)
    guard result == csimdjson_ok.rawValue else { return explain(result, json) }
    isParsed = true
    // It does not count an empty innermost container, so one level too many may slip through.
    if json.count > 2 * Self.maximumDepth, root.depth > Self.maximumDepth {
      isParsed = false
      return explain(Int32(csimdjson_too_deep.rawValue), json)
    }
    return nil
  }

  private mutating func grow(to count: Int) {
    capacity = max(count, min(capacity * 2, 64 << 20))
    padded.deallocate()
    padded = .allocate(capacity: capacity + csimdjson_padding)
  }

  @inline(never)
  private func explain(_ result: Int32, _ json: UnsafeBufferPointer<UInt8>) -> JSONError {
    switch UInt32(bitPattern: result) {
    case csimdjson_too_large.rawValue: return JSONError(.tooLarge)
    case csimdjson_out_of_memory.rawValue: fatalError("out of memory")
    default:
      if let error = JSONSyntax.firstError(in: json) { return error }
      let isTooDeep = UInt32(bitPattern: result) == csimdjson_too_deep.rawValue
      return JSONError(isTooDeep ? .tooDeep : .other)
    }
  }
}
