import CUTF8Proc
import Glibc

/// Unicode's text algorithms over UTF-8 bytes (utf8proc 2.8, Unicode 15).
public enum UnicodeText {
  /// The text in normalisation form C (UAX 15); ill-formed bytes become U+FFFD first.
  ///
  /// Text whose characters stand in runs of more than 512 combining marks is returned as it is:
  /// ordering such a run costs the square of its length.
  public static func nfc(_ text: Span<UInt8>) -> [UInt8] {
    if isASCII(text) { return text.array }
    guard isValidUTF8(text) else { return nfc(repaired(text).span) }
    if UnicodeFastPath.isInert(text) { return text.array }
    return mapped(text.array, UTF8PROC_COMPOSE)
  }

  /// The key under which names collide on a file system that folds case or normalises.
  ///
  /// NFC, then full case folding (ß becomes ss), then NFC again. The bound of ``nfc(_:)`` holds here
  /// too.
  public static func caseFolded(_ text: Span<UInt8>) -> [UInt8] {
    if isASCII(text) { return lowercased(text) }
    guard isValidUTF8(text) else { return caseFolded(repaired(text).span) }
    return UnicodeFastPath.caseFolded(text) ?? caseFoldedByTable(text.array)
  }

  /// The case folding of well-formed text by utf8proc.
  ///
  /// Composed first: folding makes a starter of U+0345, which canonical order must have placed before.
  static func caseFoldedByTable(_ text: [UInt8]) -> [UInt8] {
    mapped(mapped(text, UTF8PROC_COMPOSE), UTF8PROC_CASEFOLD, UTF8PROC_COMPOSE)
  }

  /// Whether the bytes are well-formed UTF-8: no surrogates, no overlong forms, nothing over U+10FFFF.
  public static func isValidUTF8(_ bytes: Span<UInt8>) -> Bool {
    (try? UTF8Span(validating: bytes)) != nil
  }

  /// The bytes with U+FFFD in place of each maximal subpart of an ill-formed sequence.
  ///
  /// The practice of the Unicode Standard (3.9) and of browsers.
  public static func repaired(_ bytes: Span<UInt8>) -> [UInt8] {
    if isValidUTF8(bytes) { return bytes.array }
    return bytes.withUnsafeBufferPointer { Array(String(decoding: $0, as: UTF8.self).utf8) }
  }

  /// How many bytes are left of well-formed text that is cut to at most `limit` bytes without cutting
  /// through a scalar value.
  public static func length(of text: Span<UInt8>, cutTo limit: Int) -> Int {
    guard text.count > limit else { return text.count }
    var end = max(limit, 0)
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// The text cut to at most `limit` bytes without cutting through a scalar value.
  public static func truncate(_ text: Span<UInt8>, to limit: Int) -> [UInt8] {
    text.extracting(first: length(of: text, cutTo: limit)).array
  }

  /// Whether all bytes are below 0x80.
  public static func isASCII(_ bytes: Span<UInt8>) -> Bool {
    bytes.withUnsafeBytes { raw in
      var seen: UInt64 = 0
      var index = 0
      while index &+ 8 <= raw.count {
        seen |= raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index &+= 8
      }
      while index < raw.count {
        seen |= UInt64(raw[index])
        index &+= 1
      }
      return seen & 0x8080_8080_8080_8080 == 0
    }
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  private static func lowercased(_ text: Span<UInt8>) -> [UInt8] {
    Array(unsafeUninitializedCapacity: text.count) { letters, count in
      for index in text.indices {
        letters.initializeElement(at: index, to: lowercased(text[index]))
      }
      count = text.count
    }
  }

  /// What utf8proc makes of well-formed text; the text itself where it refuses.
  private static func mapped(_ text: [UInt8], _ options: utf8proc_option_t...) -> [UInt8] {
    if hasLongRunOfMarks(text) { return text }
    let flags = options.reduce(UTF8PROC_STABLE.rawValue) { $0 | $1.rawValue }
    var result: UnsafeMutablePointer<UInt8>?
    let count = text.withUnsafeBufferPointer {
      utf8proc_map($0.baseAddress, $0.count, &result, utf8proc_option_t(rawValue: flags))
    }
    defer { free(result) }
    guard count >= 0, let result else { return text }
    return Array(UnsafeBufferPointer(start: result, count: count))
  }

  private static func hasLongRunOfMarks(_ text: [UInt8]) -> Bool {
    if text.count <= 1024 { return false }
    return text.withUnsafeBufferPointer { bytes in
      var run = 0
      var index = 0
      while index < bytes.count {
        // Marks are never ASCII, and start at U+0300.
        guard bytes[index] >= 0xCC, let start = bytes.baseAddress else {
          run = bytes[index] & 0xC0 == 0x80 ? run : 0
          index += 1
          continue
        }
        var scalar: Int32 = 0
        let length = utf8proc_iterate(start + index, bytes.count - index, &scalar)
        guard length > 0 else { return true }
        run = utf8proc_get_property(scalar).pointee.combining_class == 0 ? 0 : run + 1
        if run > 512 { return true }
        index += length
      }
      return false
    }
  }
}

extension Span<UInt8> {
  /// A copy of the bytes.
  @inlinable
  public var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}
