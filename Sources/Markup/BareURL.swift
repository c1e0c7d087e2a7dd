/// Finds URLs that stand in text without brackets, as the autolinks extension of GitHub Flavored
/// Markdown 0.29 does (section 6.9), less e-mail addresses.
///
/// Beyond it, a URL ends where East Asian text begins (ideographs, kana, Hangul, full-width
/// punctuation), because such text follows without a blank; and at quotation marks, dashes and
/// invisible characters of Unicode.
struct BareURL {
  /// The bytes of the URL within the text.
  let range: Range<Int>
  /// Whether it begins with `www.` and leaves out the scheme.
  let isWithoutScheme: Bool

  /// The URL whose scheme ends with the colon at `index`, or whose `www` ends with the full stop
  /// at `index`, if it begins at `lowest` or later.
  init?(in text: UnsafeBufferPointer<UInt8>, at index: Int, from lowest: Int) {
    let host: Int
    let start: Int
    if text[index] == UInt8(ascii: ":") {
      guard index + 3 < text.count, text[index + 1] == UInt8(ascii: "/"),
        text[index + 2] == UInt8(ascii: "/"),
        let scheme = Self.scheme(in: text, endingAt: index, from: lowest)
      else { return nil }
      (start, host, isWithoutScheme) = (scheme, index + 3, false)
    } else {
      guard index + 1 < text.count, Self.matches("www", in: text, endingAt: index, from: lowest)
      else { return nil }
      (start, host, isWithoutScheme) = (index - 3, index + 1, true)
    }
    guard Self.mayStart(at: start, in: text, isWithoutScheme: isWithoutScheme),
      let hostEnd = Self.endOfHost(in: text, from: host)
    else { return nil }
    let end = Self.trimmedEnd(in: text, from: hostEnd, host: host)
    guard end >= hostEnd else { return nil }
    range = start..<end
  }

  private static func scheme(
    in text: UnsafeBufferPointer<UInt8>,
    endingAt index: Int,
    from lowest: Int
  ) -> Int? {
    if matches("https", in: text, endingAt: index, from: lowest) { return index - 5 }
    if matches("http", in: text, endingAt: index, from: lowest) { return index - 4 }
    return nil
  }

  private static func matches(
    _ word: StaticString,
    in text: UnsafeBufferPointer<UInt8>,
    endingAt end: Int,
    from lowest: Int
  ) -> Bool {
    let start = end - word.utf8CodeUnitCount
    guard start >= lowest else { return false }
    for offset in 0..<word.utf8CodeUnitCount
    where text[start + offset] | 0x20 != word.utf8Start[offset] {
      return false
    }
    return true
  }

  /// Whether what stands before does not make it the tail of a longer word or URL.
  private static func mayStart(
    at start: Int,
    in text: UnsafeBufferPointer<UInt8>,
    isWithoutScheme: Bool
  ) -> Bool {
    guard start > 0 else { return true }
    let before = text[start - 1]
    if UTF8Scan.isAlphanumeric(before) { return false }
    guard isWithoutScheme else { return true }
    switch before {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "@"),
      UInt8(ascii: ":"), UInt8(ascii: "="):
      return false
    default: return true
    }
  }

  /// Bytes after which a domain is given up, above the 253 of RFC 1035; it bounds the cost.
  private static let longestHost = 255

  /// Where the domain that begins at `host` ends; nil if it is none: empty, beginning with a full
  /// stop or hyphen, or with an underscore in one of its last two labels.
  private static func endOfHost(in text: UnsafeBufferPointer<UInt8>, from host: Int) -> Int? {
    var index = host
    var underscoreInLabel = false
    var underscoreBefore = false
    while index < text.count {
      if index - host > longestHost { return nil }
      let byte = text[index]
      if byte == UInt8(ascii: ".") {
        // A full stop that ends a sentence ends the domain too.
        guard index + 1 < text.count,
          UTF8Scan.isAlphanumeric(text[index + 1]) || text[index + 1] >= 0x80
            || text[index + 1] == UInt8(ascii: "_")
        else { break }
        (underscoreBefore, underscoreInLabel) = (underscoreInLabel, false)
      } else if byte == UInt8(ascii: "_") {
        underscoreInLabel = true
      } else if byte >= 0x80 {
        let (value, length) = UTF8Scan.scalar(in: text, at: index)
        if value == MarkdownShield.underscore {
          underscoreInLabel = true
        } else if !UTF8Scan.isWord(value) || endsURL(value) {
          break
        }
        index += length - 1
      } else if !UTF8Scan.isAlphanumeric(byte), byte != UInt8(ascii: "-") {
        break
      }
      index += 1
    }
    guard index > host, !underscoreInLabel, !underscoreBefore,
      text[host] != UInt8(ascii: "."), text[host] != UInt8(ascii: "-")
    else { return nil }
    return index
  }

  /// Where the URL ends: at the first character that cannot be part of one, less punctuation that
  /// belongs to the sentence and closing brackets that were not opened inside.
  private static func trimmedEnd(
    in text: UnsafeBufferPointer<UInt8>,
    from hostEnd: Int,
    host: Int
  ) -> Int {
    var end = hostEnd
    var round = 0  // opening less closing brackets
    var square = 0
    scan: while end < text.count {
      switch text[end] {
      case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "`"), UInt8(ascii: "\\"), UInt8(ascii: "|"):
        break scan
      case UInt8(ascii: "("): round += 1
      case UInt8(ascii: ")"): round -= 1
      case UInt8(ascii: "["): square += 1
      case UInt8(ascii: "]"): square -= 1
      case 0x80...0xFF:
        let (value, length) = UTF8Scan.scalar(in: text, at: end)
        if endsURL(value) { break scan }
        end += length - 1
      default: break
      }
      end += 1
    }
    return trim(text, from: hostEnd, to: end, round: round, square: square)
  }

  private static func trim(
    _ text: UnsafeBufferPointer<UInt8>,
    from hostEnd: Int,
    to end: Int,
    round: Int,
    square: Int
  ) -> Int {
    var (end, round, square) = (end, round, square)
    while end > hostEnd {
      switch text[end - 1] {
      case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ","),
        UInt8(ascii: ":"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"),
        UInt8(ascii: "'"):
        end -= 1
      case UInt8(ascii: ";"):
        var name = end - 1
        while name > hostEnd, UTF8Scan.isAlphanumeric(text[name - 1]) { name -= 1 }
        let isEntity = name < end - 1 && name > hostEnd && text[name - 1] == UInt8(ascii: "&")
        end = isEntity ? name - 1 : end - 1
      case UInt8(ascii: ")") where round < 0:
        (end, round) = (end - 1, round + 1)
      case UInt8(ascii: "]") where square < 0:
        (end, square) = (end - 1, square + 1)
      default: return end
      }
    }
    return end
  }

  /// Whether a character outside ASCII ends a URL: East Asian text, blanks, quotation marks,
  /// dashes and invisible characters.
  private static func endsURL(_ value: UInt32) -> Bool {
    switch value {
    case 0x80...0xA0, 0xAB, 0xBB, 0xAD, 0x1680, 0x180E, 0x2000...0x206F, 0xFEFF, 0xFFFD,
      0xE0000...0x10FFFF:
      true
    default: UTF8Scan.isEastAsian(value)
    }
  }
}
