/// The help texts, made from the same data as the parser.
enum Help {
  /// `stillfeed --help`.
  static func overview(_ commands: [Command]) -> String {
    let width = commands.map(\.name.count).max() ?? 0
    let list = commands.map { "  " + pad($0.name, width) + "  " + $0.summary }
    return """
      Turns message and feed archives into a still website.

      usage: stillfeed COMMAND [OPTIONS]

      Commands:
      \(list.joined(separator: "\n"))

      Options of every command:
      \(table(Option.global))

      'stillfeed COMMAND --help' says more. Exit status: 0 done, 1 not done, 2 wrong usage.
      """
  }

  /// `stillfeed COMMAND --help`.
  static func text(of command: Command) -> String {
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    var text = command.summary + "\n\nusage: stillfeed \(command.name)\(operands) [OPTIONS]\n"
    if !command.discussion.isEmpty { text += "\n" + command.discussion + "\n" }
    if !command.options.isEmpty { text += "\nOptions:\n" + table(command.options) + "\n" }
    return text + "\nOptions of every command:\n" + table(Option.global)
  }

  private static func table(_ options: [Option]) -> String {
    let names = options.map { option in
      let short = option.short.map { "-\($0), " } ?? "    "
      return short + "--" + option.name + (option.value.map { " " + $0 } ?? "")
    }
    let width = names.map(\.count).max() ?? 0
    return zip(names, options).map { name, option in
      let choices =
        option.choices.isEmpty || option.choices.count > 6
        ? "" : ": " + option.choices.joined(separator: ", ")
      return "  " + pad(name, width) + "  " + option.help + choices
    }
    .joined(separator: "\n")
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
