import Bytes

/// Mends a record that the parser refuses only for what no JSON text may hold, but many do.
///
/// | found | becomes |
/// | --- | --- |
/// | half of a surrogate pair, `\ud83d` | U+FFFD |
/// | bytes in a string that are not UTF-8 | U+FFFD for each maximal part (Unicode, section 3.9) |
/// | a surrogate pair written as two three-byte sequences (CESU-8) | the character it means |
/// | a raw control character in a string | its escape: the text stays the same |
/// | a number beyond 64 bits or a double | a string of its digits: an id stays the same |
///
/// Everything else is copied as it is.
public enum JSONRepair {
  /// What was mended, how often.
  public struct Notes: Equatable, Sendable {
    /// Halves of surrogate pairs.
    public var loneSurrogates = 0
    /// Ill-formed parts that became U+FFFD.
    public var invalidUTF8 = 0
    /// Pairs in CESU-8; nothing was lost.
    public var pairs = 0
    /// Raw control characters; nothing was lost.
    public var rawControls = 0
    /// Numbers that became strings; nothing was lost.
    public var numbers = 0

    /// Whether nothing was mended.
    public var isEmpty: Bool { self == Notes() }

    /// Whether text was lost: something became U+FFFD.
    public var hasLosses: Bool { loneSurrogates > 0 || invalidUTF8 > 0 }

    /// What was mended in words: "2 halves of surrogate pairs, 1 raw control character".
    public var summary: String {
      func part(_ count: Int, _ one: String, _ many: String) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
      }
      let parts = [
        part(loneSurrogates, "half of a surrogate pair", "halves of surrogate pairs"),
        part(invalidUTF8, "sequence that is not UTF-8", "sequences that are not UTF-8"),
        part(pairs, "surrogate pair in CESU-8", "surrogate pairs in CESU-8"),
        part(rawControls, "raw control character", "raw control characters"),
        part(numbers, "number too long", "numbers too long"),
      ]
      return parts.compactMap { $0 }.joined(separator: ", ")
    }
  }

  /// Appends a mended copy of `json`, which may still be no JSON for other reasons.
  ///
  /// - Returns: what was mended; empty, and the copy equal, when there is nothing to mend.
  public static func repair(_ json: Span<UInt8>, into output: inout ByteBuffer) -> Notes {
    json.withUnsafeBufferPointer { bytes in
      var repair = Pass(bytes: bytes)
      repair.run(into: &output)
      return repair.notes
    }
  }

  private struct Pass {
    let bytes: UnsafeBufferPointer<UInt8>
    var notes = Notes()
    var index = 0
    /// The first byte not yet copied.
    var start = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func run(into output: inout ByteBuffer) {
      output.reserve(bytes.count)
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""): string(&output)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number(&output)
        default: index += 1
        }
      }
      copy(&output)
    }

    /// Copies what is pending, up to here.
    mutating func copy(_ output: inout ByteBuffer) {
      output.append(UnsafeBufferPointer(rebasing: bytes[start..<min(index, bytes.count)]))
      start = index
    }

    /// Passes over bytes without copying them.
    mutating func drop(_ count: Int) {
      index += count
      start = index
    }

    mutating func number(_ output: inout ByteBuffer) {
      var end = index
      while end < bytes.count, JSONByte.isInNumber(bytes[end]) { end += 1 }
      let token = UnsafeBufferPointer(rebasing: bytes[index..<end])
      if JSONNumber.form(of: token) == .outOfRange {
        copy(&output)
        output.append(UInt8(ascii: "\""))
        output.append(token)
        output.append(UInt8(ascii: "\""))
        notes.numbers += 1
        start = end
      }
      index = end
    }

    mutating func string(_ output: inout ByteBuffer) {
      index += 1
      while let stop = JSONRepair.stop(in: bytes, from: index) {
        index = stop
        let byte = bytes[index]
        if byte == UInt8(ascii: "\"") {
          index += 1
          return
        }
        if byte == UInt8(ascii: "\\") {
          escape(&output)
        } else if byte < 0x20 {
          copy(&output)
          output.append("\\u")
          output.append(hexadecimal: UInt64(byte), digits: 4)
          notes.rawControls += 1
          drop(1)
        } else {
          sequence(&output)
        }
      }
      index = bytes.count
    }

    mutating func escape(_ output: inout ByteBuffer) {
      switch JSONEscape.read(bytes, at: index) {
      case .plain(let length), .pair(let length): index += length
      case .loneSurrogate:
        copy(&output)
        output.append("\\ufffd")
        notes.loneSurrogates += 1
        drop(6)
      // Not for us to mend; what the backslash hides must not be taken for a closing quote.
      case .bad, .end: index = min(index + 2, bytes.count)
      }
    }

    mutating func sequence(_ output: inout ByteBuffer) {
      let step = UTF8Step.step(in: bytes, at: index)
      if step.isWhole {
        index += step.count
        return
      }
      copy(&output)
      let high = surrogate(at: index)
      if let high, high < 0xDC00, let low = surrogate(at: index + 3), low >= 0xDC00,
        let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      {
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(unit) }
        notes.pairs += 1
        drop(6)
        return
      }
      output.append("\u{FFFD}")
      if high == nil { notes.invalidUTF8 += 1 } else { notes.loneSurrogates += 1 }
      drop(high == nil ? step.count : 3)
    }

    /// The surrogate that three bytes at `index` mean, as CESU-8 and careless encoders write it.
    func surrogate(at index: Int) -> UInt32? {
      guard index + 2 < bytes.count, bytes[index] == 0xED, bytes[index + 1] & 0xE0 == 0xA0,
        bytes[index + 2] & 0xC0 == 0x80
      else { return nil }
      return 0xD000 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
    }
  }

  /// The first byte of a string's content that is not printable ASCII, or is `"` or `\`.
  private static func stop(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 {
        return index
      }
      index += 1
    }
    return nil
  }
}

extension JSONParser {
  /// Parses a record; one that ``JSONRepair`` can mend is mended first.
  ///
  /// - Returns: what was mended, empty for nearly every record. The value is ``root``.
  /// - Throws: ``JSONError`` as for the text before it was mended; its offset is into `json`.
  public mutating func parse(repairing json: Span<UInt8>) throws(JSONError) -> JSONRepair.Notes {
    do {
      try parse(json)
      return JSONRepair.Notes()
    } catch {
      guard error.isRepairable else { throw error }
      var copy = ByteBuffer(capacity: json.count + 64)
      let notes = JSONRepair.repair(json, into: &copy)
      guard !notes.isEmpty else { throw error }
      // If it is still no JSON, an error beyond the first one matters more to the user.
      guard (try? parse(copy.bytes)) != nil else { throw JSONError(fatalIn: json) ?? error }
      return notes
    }
  }
}

extension JSONError {
  /// The first error of a text that ``JSONRepair`` can't mend.
  init?(fatalIn json: Span<UInt8>) {
    let found = json.withUnsafeBufferPointer {
      JSONSyntax.firstError(in: $0, passingRepairable: true)
    }
    guard let found else { return nil }
    self = found
  }
}
