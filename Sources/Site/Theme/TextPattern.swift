import Bytes

/// A text of the interface with places to fill: `{n} comments`, `Reply to {name}`.
struct TextPattern: Sendable, Hashable {
  private enum Piece: Sendable, Hashable {
    case text(String)
    case place(String)
  }

  private var pieces: [Piece] = []

  /// Cuts a text at its `{name}` places.
  init(_ text: String) {
    var rest = text[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      pieces.append(.place(String(rest[rest.utf8.index(after: open)..<close])))
      rest = rest[rest.utf8.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
  }

  /// Appends the text; `fill` writes what stands at a place, by its name.
  func append(into output: inout ByteBuffer, fill: (String, inout ByteBuffer) -> Void) {
    for piece in pieces {
      switch piece {
      case .text(let text): output.append(text: text)
      case .place(let name): fill(name, &output)
      }
    }
  }

  /// The text with every place filled by `value`.
  func filled(with value: String) -> String {
    pieces.reduce(into: "") { text, piece in
      switch piece {
      case .text(let literal): text += literal
      case .place: text += value
      }
    }
  }
}

/// A counted text in all the plural forms of its language.
struct PluralPattern: Sendable {
  /// By the category's place among all.
  private let forms: [TextPattern?]
  private let rules: PluralRules
  private let separator: String

  init(forms: [PluralCategory: String], rules: PluralRules, separator: String) {
    self.forms = PluralCategory.allCases.map { forms[$0].map { TextPattern($0) } }
    self.rules = rules
    self.separator = separator
  }

  /// Appends the form for `count`, with `{n}` as the grouped number.
  func append(_ count: Int, into output: inout ByteBuffer) {
    let place = rules.category(of: count).place
    guard let form = forms[place] ?? forms[PluralCategory.other.place] else {
      output.append(decimal: count)
      return
    }
    form.append(into: &output) { _, output in
      output.append(grouped: count, separator: separator)
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
