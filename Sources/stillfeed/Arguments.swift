import Bytes

/// A wrong use of the command line: exit status 2.
struct UsageError: Error {
  let message: String
  var suggestion = ""
}

/// The words of a command line, sorted out.
struct Arguments: Sendable {
  /// Nil if only global options were given.
  private(set) var command: Command?
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  func has(_ option: String) -> Bool { values[option] != nil }

  /// The last value of an option.
  func value(_ option: String) -> String? { values[option]?.last }

  func values(_ option: String) -> [String] { values[option] ?? [] }

  /// A whole number in a range; a usage error if it is none.
  func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError(message: "'--\(option)' takes a whole number \(bounds), not '\(text)'")
    }
    return number
  }

  /// Sorts out the words after the program's name; options may stand before or after others.
  init(_ words: [String], commands: [Command]) throws(UsageError) {
    // The subcommand is the first word that is no option and no option's value.
    var rest = words[...]
    var pending: [String] = []
    while let word = rest.first {
      if word == "--" || !word.hasPrefix("-") || word == "-" { break }
      pending.append(word)
      rest.removeFirst()
      if Self.takesNextWord(word, Option.global + commands.flatMap(\.options)),
        let value = rest.first
      {
        pending.append(value)
        rest.removeFirst()
      }
    }
    if let word = rest.first, word != "--" {
      guard let found = commands.first(where: { $0.name == word }) else {
        let near = NameSuggestion.nearest(to: word, among: commands.map(\.name))
        throw UsageError(
          message: "There is no command '\(word)'",
          suggestion: near.map { "did you mean '\($0)'?" } ?? "'stillfeed --help' lists them"
        )
      }
      command = found
      rest.removeFirst()
    }
    try parse(pending + rest, options: Option.global + (command?.options ?? []))
  }

  private static func takesNextWord(_ word: String, _ options: [Option]) -> Bool {
    if word.hasPrefix("--") {
      return !word.contains("=") && options.contains { "--\($0.name)" == word && $0.value != nil }
    }
    guard word.count == 2, let letter = word.last else { return false }
    return options.contains { $0.short == letter && $0.value != nil }
  }

  private mutating func parse(_ words: [String], options: [Option]) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      if word.hasPrefix("--") {
        try parse(long: word, &rest, options)
      } else if word.hasPrefix("-"), word != "-" {
        try parse(short: word, &rest, options)
      } else {
        operands.append(word)
      }
    }
    guard let command, !has("help") else { return }
    if operands.count > command.count.upperBound {
      let extra = operands[command.count.upperBound]
      throw UsageError(
        message: "'\(command.name)' doesn't know what to do with '\(extra)'",
        suggestion: "see 'stillfeed \(command.name) --help'"
      )
    }
    if operands.count < command.count.lowerBound {
      throw UsageError(
        message: "'\(command.name)' needs \(command.operands)",
        suggestion: "see 'stillfeed \(command.name) --help'"
      )
    }
  }

  private mutating func parse(
    long word: String,
    _ rest: inout ArraySlice<String>,
    _ options: [Option]
  ) throws(UsageError) {
    let parts = word.dropFirst(2).split(
      separator: "=",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let name = String(parts.first ?? "")
    guard let option = options.first(where: { $0.name == name }) else {
      throw unknown("--" + name, among: options)
    }
    if option.value == nil {
      if parts.count > 1 { throw UsageError(message: "'--\(name)' takes no value") }
      values[name, default: []].append("")
    } else {
      try add(option, parts.count > 1 ? String(parts[1]) : rest.popFirst())
    }
  }

  private mutating func parse(
    short word: String,
    _ rest: inout ArraySlice<String>,
    _ options: [Option]
  ) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw unknown("-\(letter)", among: options)
      }
      if option.value == nil {
        values[option.name, default: []].append("")
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      try add(option, letters.isEmpty ? rest.popFirst() : String(letters))
      return
    }
  }

  private mutating func add(_ option: Option, _ value: String?) throws(UsageError) {
    guard let value else {
      throw UsageError(message: "'--\(option.name)' needs a value: \(option.value ?? "")")
    }
    if !option.choices.isEmpty, !option.choices.contains(value) {
      let near = NameSuggestion.nearest(to: value, among: option.choices)
      throw UsageError(
        message: "'--\(option.name)' can't be '\(value)'",
        suggestion: near.map { "did you mean '\($0)'?" }
          ?? "it is one of \(option.choices.joined(separator: ", "))"
      )
    }
    if values[option.name] != nil, !option.isRepeated {
      values[option.name] = [value]
    } else {
      values[option.name, default: []].append(value)
    }
  }

  private func unknown(_ word: String, among options: [Option]) -> UsageError {
    let near = NameSuggestion.nearest(to: word, among: options.map { "--\($0.name)" })
    let place = command.map { "'\($0.name)' has no option" } ?? "There is no option"
    return UsageError(
      message: "\(place) '\(word)'",
      suggestion: near.map { "did you mean '\($0)'?" }
        ?? "see 'stillfeed \(command.map { $0.name + " " } ?? "")--help'"
    )
  }
}
