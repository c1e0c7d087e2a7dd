import Bytes

/// A text of the interface with places to fill: `{n} comments`, `Reply to {name}`.
struct TextPattern: Sendable {
  fileprivate let bytes: [UInt8]
  /// What stands before, between and behind the places.
  fileprivate let literals: [Range<Int>]

  /// Cuts a text at its `{name}` places.
  init(_ text: String) {
    bytes = Array(text.utf8)
    var literals: [Range<Int>] = []
    var start = 0
    while let open = bytes[start...].firstIndex(of: UInt8(ascii: "{")),
      let close = bytes[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      literals.append(start..<open)
      start = close + 1
    }
    self.literals = literals + [start..<bytes.count]
  }

  /// Appends the text; `fill` writes what stands at each place.
  func append(into output: inout ByteBuffer, fill: (inout ByteBuffer) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      for index in literals.indices {
        if index > 0 { fill(&output) }
        output.append(UnsafeBufferPointer(rebasing: bytes[literals[index]]))
      }
    }
  }

  /// The text with every place filled by `value`.
  func filled(with value: String) -> String {
    var output = ByteBuffer()
    append(into: &output) { $0.append(text: value) }
    return output.string
  }
}

/// A counted text in all the plural forms of its language.
///
/// The forms lie in one list, and it has one owner: a copy of a form, or of all, would count up and
/// down its references for each text.
struct PluralPattern: ~Copyable, Sendable {
  /// What stands before, between and behind the places of all forms.
  private var literals: [Range<Int>] = []
  private var bytes: [UInt8] = []
  /// By the category's place among all: its form in `literals`; empty where there is none.
  private var forms: [Range<Int>] = []
  private let rules: PluralRules
  private let separator: String

  init(forms texts: [PluralCategory: String], rules: PluralRules, separator: String) {
    self.rules = rules
    self.separator = separator
    for category in PluralCategory.allCases {
      let (start, offset) = (literals.count, bytes.count)
      if let text = texts[category] ?? texts[.other] {
        let pattern = TextPattern(text)
        bytes += pattern.bytes
        literals += pattern.literals.map { offset + $0.lowerBound..<offset + $0.upperBound }
      }
      forms.append(start..<literals.count)
    }
  }

  /// Appends the form for `count`, with `{n}` as the grouped number.
  func append(_ count: Int, into output: inout ByteBuffer) {
    let form = forms[rules.category(of: count).place]
    if form.isEmpty { return output.append(decimal: count) }
    bytes.withUnsafeBufferPointer { bytes in
      for index in form {
        if index > form.lowerBound { output.append(grouped: count, separator: separator) }
        output.append(UnsafeBufferPointer(rebasing: bytes[literals[index]]))
      }
    }
  }
}

extension ByteBuffer {
  /// Appends a number in groups of three digits; four digits stay together.
  mutating func append(grouped value: Int, separator: String) {
    if value.magnitude < 10_000 {
      append(decimal: value)
      return
    }
    if value < 0 { append(UInt8(ascii: "-")) }
    var unit: UInt = 1000
    while value.magnitude / unit >= 1000 { unit *= 1000 }
    append(decimal: Int(value.magnitude / unit))
    while unit > 1 {
      unit /= 1000
      append(text: separator)
      append(decimal: Int(value.magnitude / unit % 1000), width: 3)
    }
  }
}
