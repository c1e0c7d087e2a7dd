import Glibc

/// Keeps the cost of one body in proportion to its size.
///
/// cmark 0.30.2 is quadratic in nested containers with empty lines and in some runs of brackets and
/// delimiters (CVE-2023-22484, CVE-2023-22486, GHSA-66g8-4hjf-77xh; fixed only in later releases).
/// What could go that way is shown as plain text instead.
public enum CostBound {
  /// How deep block quotes and lists may nest.
  public static let containerDepth = 32
  /// Up to this many bytes any number of delimiters is cheap enough.
  public static let denseBytes = 64 << 10
  /// How many of ``[ ! * _ > ` `` a longer body may hold.
  public static let delimiters = 4000
  /// The longest body that is parsed, in bytes.
  public static let bytes = 4 << 20

  /// Why `markdown` must not be parsed, or nil; takes time in proportion to its length.
  static func check(_ markdown: UnsafeBufferPointer<UInt8>) -> MarkupOutcome.PlainReason? {
    if markdown.count > bytes { return .tooLong }
    if markdown.count > denseBytes, isDense(markdown) || isHeavy(markdown) { return .tooDense }
    return markdown.count > containerDepth && isDeep(markdown) ? .tooDeep : nil
  }

  private static func isDense(_ markdown: UnsafeBufferPointer<UInt8>) -> Bool {
    var found = 0
    for byte in markdown {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "_"),
        UInt8(ascii: ">"), UInt8(ascii: "`"):
        found += 1
      default: continue
      }
    }
    return found > delimiters
  }

  /// Whether cmark's tree would take more than 20 MiB and 16 bytes for each byte of the body.
  ///
  /// Two workers may hold a tree each, and what is written of them: together less than 64 MB and
  /// forty times the body.
  ///
  /// Each line that is not blank, and each byte that cmark's inline parser stops at, makes up to
  /// three nodes of about 144 bytes (measured: 440 bytes for the line `- a`).
  private static func isHeavy(_ markdown: UnsafeBufferPointer<UInt8>) -> Bool {
    var stops = 0
    var isBlankLine = true
    for byte in markdown {
      switch byte {
      case 10, 13:
        if !isBlankLine { stops += 1 }
        isBlankLine = true
      case UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]"):
        stops += 1
        isBlankLine = false
      default: isBlankLine = false
      }
    }
    return stops * 400 > 20 << 20 + markdown.count * 16
  }

  /// Whether containers may nest deeper than ``containerDepth``, by an upper bound of the depth.
  ///
  /// A line opens at most as many containers as it has markers at its start, and goes on with at
  /// most as many lists as were open and as its indentation allows (two columns each). A line
  /// without markers after a line that was not blank may be lazy, and closes nothing.
  private static func isDeep(_ markdown: UnsafeBufferPointer<UInt8>) -> Bool {
    var depth = 0
    var afterBlank = true
    var position = 0
    while position < markdown.count {
      var line = LineStart(of: markdown, at: position)
      if depth + line.markers > containerDepth { line.leaveOutThematicBreak(in: markdown) }
      if line.markers > 0 {
        depth = line.markers + min(depth, line.columns / 2)
      } else if !line.isBlank, afterBlank {
        depth = min(depth, line.columns / 2)
      }
      if depth > containerDepth { return true }
      afterBlank = line.isBlank
      position = line.next
    }
    return false
  }
}

/// The indentation and container markers at the start of a line.
private struct LineStart {
  /// How many `>`, bullets and list numbers there are.
  var markers = 0
  /// Columns of blanks and tabs among them, a tab counted as four.
  var columns = 0
  var isBlank = false
  /// Where the next line begins.
  var next: Int
  private let start: Int
  private var end: Int

  init(of text: UnsafeBufferPointer<UInt8>, at start: Int) {
    self.start = start
    end = start
    if let base = text.baseAddress {
      end = text.count
      if let feed = memchr(base + start, 10, end - start) {
        end = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
      }
      if let carriage = memchr(base + start, 13, end - start) {
        end = UnsafeRawPointer(carriage) - UnsafeRawPointer(base)
      }
    }
    next = end + 1
    scan(text, to: end)
  }

  private mutating func scan(_ text: UnsafeBufferPointer<UInt8>, to limit: Int) {
    (markers, columns) = (0, 0)
    var index = start
    while index < limit {
      switch text[index] {
      case 0x20: columns += 1
      case 9: columns += 4
      case UInt8(ascii: ">"): markers += 1
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
        guard isBlankOrEnd(text, index + 1) else { return }
        markers += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        var digits = index
        while digits < limit, digits - index < 10, 0x30...0x39 ~= text[digits] { digits += 1 }
        guard digits < limit,
          text[digits] == UInt8(ascii: ".") || text[digits] == UInt8(ascii: ")"),
          isBlankOrEnd(text, digits + 1)
        else { return }
        markers += 1
        index = digits
      default: return
      }
      index += 1
    }
    isBlank = markers == 0
  }

  private func isBlankOrEnd(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    index >= end || text[index] == 0x20 || text[index] == 9
  }

  /// Counts again without a line's tail of three or more equal `-` or `*`, which is a rule and not
  /// a nest of lists.
  mutating func leaveOutThematicBreak(in text: UnsafeBufferPointer<UInt8>) {
    var mark: UInt8 = 0
    var count = 0
    var index = end
    while index > start {
      let byte = text[index - 1]
      if byte != 0x20, byte != 9 {
        if mark == 0, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "*") { mark = byte }
        guard byte == mark else { break }
        count += 1
      }
      index -= 1
    }
    if count >= 3 { scan(text, to: index) }
  }
}
