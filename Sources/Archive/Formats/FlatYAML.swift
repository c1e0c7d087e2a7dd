import Bytes
import JSON

/// The YAML that nearly all front matter is: a mapping with a key a line, whose values are plain or
/// quoted scalars or `[lists]` of them on the same line.
///
/// It writes what libyaml's events give for such text, with a fifth of the instructions. Anything
/// else, down to a comment or a blank line, is left to `YAMLText`; a test compares both.
struct FlatYAML {
  private let text: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var keys: [KeyLine] = []
  /// Whether all of the text is UTF-8; nil until it has to be known.
  private var isUTF8: Bool?

  /// Appends the JSON text of a mapping and returns its keys; nil, and nothing appended, where it is
  /// no flat one.
  static func writeJSON(
    _ yaml: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) -> [KeyLine]? {
    let start = output.count
    var reader = FlatYAML(text: yaml)
    if reader.writeLines(into: &output) { return reader.keys }
    output.truncate(to: start)
    return nil
  }

  private init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

  private mutating func writeLines(into output: inout ByteBuffer) -> Bool {
    if text.isEmpty { return false }
    keys.reserveCapacity(8)
    output.append(UInt8(ascii: "{"))
    while index < text.count {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      guard writeKey(into: &output), writeValue(into: &output) else { return false }
      if index < text.count {
        guard text[index] == 0x0A else { return false }
        index += 1
      }
    }
    output.append(UInt8(ascii: "}"))
    return true
  }

  /// A name of letters, digits, `_` and `-`, a colon and blanks.
  private mutating func writeKey(into output: inout ByteBuffer) -> Bool {
    let start = index
    while index < text.count, Self.isWord(text[index]), index - start < 64 { index += 1 }
    let key = UnsafeBufferPointer(rebasing: text[start..<index])
    guard let first = key.first, first | 0x20 >= UInt8(ascii: "a"), peek() == UInt8(ascii: ":")
    else { return false }
    index += 1
    guard peek() == UInt8(ascii: " ") else { return false }
    skipBlanks()
    keys.append(KeyLine(key: String(decoding: key, as: UTF8.self), line: keys.count + 1))
    output.append(UInt8(ascii: "\""))
    output.append(key)
    output.append("\":")
    return true
  }

  private mutating func writeValue(into output: inout ByteBuffer) -> Bool {
    guard peek() == UInt8(ascii: "[") else { return writeScalar(inList: false, into: &output) }
    index += 1
    output.append(UInt8(ascii: "["))
    if peek() != UInt8(ascii: "]") {
      while true {
        guard writeScalar(inList: true, into: &output) else { return false }
        if peek() != UInt8(ascii: ",") { break }
        index += 1
        output.append(UInt8(ascii: ","))
        skipBlanks()
      }
    }
    guard peek() == UInt8(ascii: "]") else { return false }
    index += 1
    output.append(UInt8(ascii: "]"))
    return true
  }

  private mutating func writeScalar(inList: Bool, into output: inout ByteBuffer) -> Bool {
    guard let first = peek() else { return false }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return writeQuoted(by: first, into: &output)
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      return writePlain(inList: inList, into: &output)
    default: return false
    }
  }

  /// No escapes: neither `\` nor `''`.
  private mutating func writeQuoted(by quote: UInt8, into output: inout ByteBuffer) -> Bool {
    index += 1
    let start = index
    while let byte = peek(), byte != quote {
      guard byte >= 0x20, byte != UInt8(ascii: "\\"), isPrintable(byte) else { return false }
      index += 1
    }
    guard peek() == quote else { return false }
    output.appendJSON(string: UnsafeBufferPointer(rebasing: text[start..<index]))
    index += 1
    return peek() != quote
  }

  private mutating func writePlain(inList: Bool, into output: inout ByteBuffer) -> Bool {
    let start = index
    scan: while let byte = peek() {
      switch byte {
      case 0x0A: break scan
      case UInt8(ascii: ","), UInt8(ascii: "]"):
        if inList { break scan }
        if byte == UInt8(ascii: "]") { return false }
      case UInt8(ascii: ":"):
        guard !inList, index + 1 < text.count,
          Self.isWord(text[index + 1]) || text[index + 1] == UInt8(ascii: "/")
        else { return false }
      case UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "+"),
        UInt8(ascii: "@"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "'"),
        UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"):
        if inList, byte != UInt8(ascii: " "), byte != UInt8(ascii: ".") { return false }
      default: guard Self.isWord(byte) || byte >= 0x80, isPrintable(byte) else { return false }
      }
      index += 1
    }
    let scalar = UnsafeBufferPointer(rebasing: text[start..<index])
    if scalar.last == UInt8(ascii: " ") { return false }
    CoreSchema.append(scalar, into: &output)
    return true
  }

  /// Whether YAML takes a byte's character as it is; lines that end in other ways than LF, byte order
  /// marks and what is no character are left to it.
  private mutating func isPrintable(_ byte: UInt8) -> Bool {
    if byte < 0x80 { return byte != 0x7F }
    if isUTF8 == nil { isUTF8 = UnicodeText.isValidUTF8(Span(_unsafeElements: text)) }
    guard isUTF8 == true else { return false }
    switch byte {
    case 0xC2: return text[index + 1] >= 0xA0
    case 0xE2: return text[index + 1] != 0x80 || text[index + 2] | 1 != 0xA9
    case 0xEF: return text[index + 1] != 0xBB && text[index + 1] != 0xBF
    default: return true
    }
  }

  private func peek() -> UInt8? { index < text.count ? text[index] : nil }

  private mutating func skipBlanks() { while peek() == UInt8(ascii: " ") { index += 1 } }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
