import Bytes
import Glibc

/// Text as it stands between the quotes of a JSON string (RFC 8259 section 7).
public enum JSONString {
  /// Appends what the text means.
  ///
  /// - Returns: False where an escape is none, or half a surrogate pair; then part of it is appended.
  public static func unescape(
    _ raw: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) -> Bool {
    guard let base = raw.baseAddress else { return true }
    var index = 0
    while index < raw.count {
      guard let escape = memchr(base + index, Int32(UInt8(ascii: "\\")), raw.count - index) else {
        output.append(UnsafeBufferPointer(rebasing: raw[index...]))
        return true
      }
      let end = UnsafeRawPointer(escape) - UnsafeRawPointer(base)
      output.append(UnsafeBufferPointer(rebasing: raw[index..<end]))
      let length = appendEscape(raw, at: end, into: &output)
      if length == 0 { return false }
      index = end + length
    }
    return true
  }

  /// Where the first string in `json` stands that means `text`, between its quotes.
  ///
  /// - Parameters:
  ///   - text: Unescaped UTF-8.
  ///   - json: JSON text that holds it as a string, whichever way it is escaped.
  ///   - scratch: Memory to unescape in.
  /// - Returns: Nil also where that would take long to find: text that begins with what has to be
  ///   escaped, or with what many strings there begin with.
  public static func range(
    of text: UnsafeBufferPointer<UInt8>,
    in json: UnsafeBufferPointer<UInt8>,
    scratch: inout ByteBuffer
  ) -> Range<Int>? {
    // The quote and up to three bytes behind it, as one number.
    var needle = UInt32(UInt8(ascii: "\""))
    var mask: UInt32 = 0xFF
    for (index, byte) in text.prefix(3).enumerated() {
      if byte < 0x20 || isEscaped(byte) { break }
      needle |= UInt32(byte) << (8 * UInt32(index) + 8)
      mask = mask << 8 | 0xFF
    }
    if mask == 0xFF { return nil }
    var from = 0
    for _ in 0..<attempts {
      guard let quote = place(of: needle, mask, in: json, from: from),
        let end = end(of: json, from: quote + 1)
      else { return nil }
      if means(text, UnsafeBufferPointer(rebasing: json[quote + 1..<end]), &scratch) {
        return quote + 1..<end
      }
      from = quote + 1
    }
    return nil
  }

  /// The first place of a quote and up to three bytes more, given as a little-endian number.
  private static func place(
    of needle: UInt32,
    _ mask: UInt32,
    in json: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> Int? {
    guard let base = json.baseAddress else { return nil }
    let memory = UnsafeRawPointer(base)
    // A string that is looked for is followed by its quote and the object's end.
    let last = json.count - 4
    var index = start
    while index <= last,
      let quote = memchr(memory + index, Int32(UInt8(ascii: "\"")), last &- index &+ 1)
    {
      let bytes = UInt32(littleEndian: quote.loadUnaligned(as: UInt32.self))
      index = UnsafeRawPointer(quote) - memory
      if bytes & mask == needle { return index }
      index &+= 1
    }
    return nil
  }

  /// Places that are looked at.
  private static let attempts = 8

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
  }

  /// The place of the quote that ends the string.
  private static func end(of json: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = json.baseAddress else { return nil }
    var from = start
    while from < json.count,
      let quote = memchr(base + from, Int32(UInt8(ascii: "\"")), json.count - from)
    {
      let place = UnsafeRawPointer(quote) - UnsafeRawPointer(base)
      var backslashes = 0
      while place - backslashes > start, json[place - backslashes - 1] == UInt8(ascii: "\\") {
        backslashes += 1
      }
      if backslashes % 2 == 0 { return place }
      from = place + 1
    }
    return nil
  }

  private static func means(
    _ text: UnsafeBufferPointer<UInt8>,
    _ raw: UnsafeBufferPointer<UInt8>,
    _ scratch: inout ByteBuffer
  ) -> Bool {
    // An escape is never shorter than what it means.
    if raw.count < text.count { return false }
    scratch.removeAll()
    guard unescape(raw, into: &scratch), scratch.count == text.count else { return false }
    return scratch.withUnsafeBytes { memory in
      guard let left = memory.baseAddress, let right = text.baseAddress else { return true }
      return memcmp(left, right, text.count) == 0
    }
  }

  /// Appends what an escape means; returns its length, 0 for none.
  private static func appendEscape(
    _ raw: UnsafeBufferPointer<UInt8>,
    at place: Int,
    into output: inout ByteBuffer
  ) -> Int {
    guard place + 1 < raw.count else { return 0 }
    switch raw[place + 1] {
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(raw[place + 1])
    case UInt8(ascii: "u"): return appendUnicode(raw, at: place, into: &output)
    default: return 0
    }
    return 2
  }

  private static func appendUnicode(
    _ raw: UnsafeBufferPointer<UInt8>,
    at place: Int,
    into output: inout ByteBuffer
  ) -> Int {
    guard let first = unit(raw, at: place) else { return 0 }
    if let scalar = Unicode.Scalar(first) {
      for byte in scalar.utf8 { output.append(byte) }
      return 6
    }
    guard first < 0xDC00, let second = unit(raw, at: place + 6), 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return 0 }
    for byte in scalar.utf8 { output.append(byte) }
    return 12
  }

  /// The number in `\uXXXX`.
  private static func unit(_ raw: UnsafeBufferPointer<UInt8>, at place: Int) -> UInt32? {
    guard place + 6 <= raw.count, raw[place] == UInt8(ascii: "\\"),
      raw[place + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for index in place + 2..<place + 6 {
      guard let digit = JSONByte.hexadecimal(raw[index]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }
}
