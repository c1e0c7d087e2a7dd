/// What each byte of a body may mean: one load a byte, no branch.
///
/// (A bit set tested by ranges costs a branch that blanks between words make unpredictable: four
/// nanoseconds a byte.)
struct ByteClass: OptionSet {
  let rawValue: UInt8

  /// Needs more than a copy in HTML, or may: `& < > "`, control characters, and the bytes of C1
  /// controls and noncharacters (C2, B7, BF).
  static let special = ByteClass(rawValue: 1)
  /// May be in a bare URL or begin a mention: `. : @`.
  static let link = ByteClass(rawValue: 2)
  static let tilde = ByteClass(rawValue: 4)
  /// Means something to Markdown wherever it stands: ``* _ [ \ ` < & ~`` and control characters
  /// other than the line feed.
  static let significant = ByteClass(rawValue: 8)
  static let backslash = ByteClass(rawValue: 16)
  /// Is hidden from cmark inside a bare URL: `_ * ~`.
  static let shielded = ByteClass(rawValue: 32)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The class of a byte.
  @inline(__always)
  init(_ byte: UInt8) { rawValue = Self.table.utf8Start[Int(byte)] & 0x3F }

  /// The classes of all bytes of `text`.
  init(allOf text: UnsafeBufferPointer<UInt8>) {
    let table = Self.table.utf8Start
    var bits: UInt8 = 0
    for byte in text { bits |= table[Int(byte)] }
    rawValue = bits & 0x3F
  }

  /// Whether the byte is of one of these classes.
  @inline(__always)
  static func isAny(_ classes: ByteClass, _ byte: UInt8) -> Bool {
    Self.table.utf8Start[Int(byte)] & classes.rawValue != 0
  }

  /// For each byte `0x40` and its bits, so that the table is printable text, which the compiler
  /// lays down as constant data.
  private static let table: StaticString = #"""
    IIIIIIIIIH@IIHIIIIIIIIIIIIIIIIII@@A@@@I@@@h@@@B@@@@@@@@@@@B@I@A@\#
    B@@@@@@@@@@@@@@@@@@@@@@@@@@HX@@hH@@@@@@@@@@@@@@@@@@@@@@@@@@@@@lI\#
    @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@A@@@@@@@A\#
    @@A@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
    """#
}
