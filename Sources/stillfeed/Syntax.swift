/// An option as data: the parser, the help and the completions all read this.
struct Option: Sendable {
  /// Without dashes: `output`.
  let name: String
  /// `o` for `-o`; nil for none.
  var short: Character?
  /// What its value is called in the help; nil for a flag.
  var value: String?
  /// The values it may have; empty for any.
  var choices: [String] = []
  /// May be given several times.
  var isRepeated = false
  let help: String
}

/// A subcommand as data.
struct Command: Sendable {
  let name: String
  /// The words after it, as the usage line shows them: `[WHERE]`.
  var operands = ""
  /// How many operands it takes.
  var count: ClosedRange<Int> = 0...0
  let summary: String
  /// More, for its own help.
  var discussion = ""
  var options: [Option] = []
  /// Words that its first operand may be: completions and "did you mean" use them.
  var words: [String] = []
}

extension Option {
  /// Understood by every subcommand.
  static let global = [
    Option(
      name: "root",
      short: "C",
      value: "DIR",
      help: "the archive's folder (default: this one)"
    ),
    Option(name: "quiet", short: "q", help: "print errors only"),
    Option(name: "verbose", help: "print the time of each stage"),
    Option(name: "json", help: "print the result as JSON"),
    Option(name: "no-color", help: "print without colours"),
    Option(name: "help", short: "h", help: "print this help"),
    Option(name: "version", help: "print the version"),
  ]
}
