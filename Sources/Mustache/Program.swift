/// One step of a program, 24 bytes of plain values.
///
/// It writes its text, then does what its code says:
///
/// | code | name, rest | a | b |
/// | --- | --- | --- | --- |
/// | text | | | |
/// | escaped, raw | name | | |
/// | section | name | 1 if `{{.}}` may stand in it | where to go on if falsey |
/// | inverted | name | | where to go on if truthy |
/// | sectionEnd | | the section's first step | |
/// | call | name if dynamic | index in `sites` | |
/// | block | | index in `sites` | where to go on after an override |
/// | leave | | | |
struct Operation: Sendable {
  enum Code: UInt8, Sendable {
    case text
    case escaped
    case raw
    case section
    case inverted
    case sectionEnd
    case call
    case block
    case leave
  }

  var code: Code
  /// The number of names after the first.
  var restCount: UInt8 = 0
  /// The first name's slot, `Slot.implicit` for `{{.}}`.
  var name = Slot.implicit
  /// The second name's slot where there are two; of more, where those after the first are in `paths`.
  var rest: UInt32 = 0
  var a: UInt32 = 0
  var b: UInt32 = 0
  /// Where the text begins in `literals`.
  var textStart: UInt32 = 0
  /// The number of its bytes, mostly not 0: tags stand between texts.
  var textCount: UInt32 = 0
}

/// What a partial, parent or block needs beyond its step.
struct Site: Sendable {
  /// The template to bring in, or the block's number.
  var target: UInt32
  /// Whether the template's name comes from the data, or there is no such template.
  var kind: Kind
  /// The step after it.
  var resume: UInt32 = 0
  /// The blocks handed to a parent, in `arguments`.
  var arguments: Range<UInt32> = 0..<0
  /// White space in `literals` for each line of what is brought in.
  var indentation: Range<UInt32> = 0..<0
  /// Whether the first line is indented too.
  var startsLine: Bool
  /// Whether the text after it begins a line.
  var endsLine: Bool

  enum Kind: UInt8, Sendable {
    case named
    case dynamic
    case missing
    case block
  }
}

/// A block handed to a parent.
struct Argument: Sendable {
  let block: UInt32
  let entry: UInt32
}

/// All templates of a set, compiled.
struct Program: Sendable {
  var operations: [Operation] = []
  /// Where each step comes from, for errors.
  var positions: [TemplatePosition] = []
  /// The literals, and behind them what a copy in large steps may read over the last one's end.
  var literals: [UInt8] = []
  /// Keys of the names after the first, where a name has more than two parts.
  var paths: [UInt16] = []
  /// One more than the highest slot of a name.
  var slots = Slot.reserved
  var sites: [Site] = []
  var arguments: [Argument] = []
  /// The first step of each template.
  var entries: [UInt32] = []
}
