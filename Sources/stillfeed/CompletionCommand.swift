/// `stillfeed completion`: what a shell needs to complete words.
struct CompletionCommand {
  static let syntax = Command(
    name: "completion",
    operands: "bash|zsh|fish",
    count: 1...1,
    summary: "Print a completion script for a shell",
    discussion: """
      bash: eval "$(stillfeed completion bash)" in ~/.bashrc
      zsh:  stillfeed completion zsh > a folder of $fpath, as _stillfeed
      fish: stillfeed completion fish > ~/.config/fish/completions/stillfeed.fish
      """,
    words: ["bash", "zsh", "fish"]
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() throws -> Int32 {
    switch arguments.operands[0] {
    case "bash": try console.print(bash)
    case "zsh": try console.print(zsh)
    case "fish": try console.print(fish)
    default:
      throw UsageError(
        message: "There are no completions for '\(arguments.operands[0])'",
        suggestion: "there are for bash, zsh and fish"
      )
    }
    return 0
  }

  private var bash: String {
    let cases = Stillfeed.commands.map { command in
      let words = command.words + (command.options + Option.global).map { "--" + $0.name }
      return "    \(command.name)) words='\(words.joined(separator: " "))' ;;"
    }
    let names = Stillfeed.commands.map(\.name).joined(separator: " ")
    return """
      _stillfeed() {
        local word="${COMP_WORDS[COMP_CWORD]}" command='' words='' index
        for ((index = 1; index < COMP_CWORD; index++)); do
          case "${COMP_WORDS[index]}" in -*) ;; *) command="${COMP_WORDS[index]}"; break ;; esac
        done
        case "$command" in
          '') words='\(names) --help --version --root' ;;
      \(cases.joined(separator: "\n"))
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
      }
      complete -o filenames -F _stillfeed stillfeed
      """
  }

  private var zsh: String {
    let names = Stillfeed.commands.map { "    '\($0.name):\($0.summary)'" }
    let cases = Stillfeed.commands.map { command in
      let options = (command.options + Option.global).map { option in
        "'--\(option.name)[\(option.help)]\(option.value.map { ":\($0):_files" } ?? "")'"
      }
      let words = command.words.isEmpty ? "_files" : "(\(command.words.joined(separator: " ")))"
      return "    \(command.name)) _arguments \(options.joined(separator: " ")) '*::\(words)' ;;"
    }
    return """
      #compdef stillfeed
      _stillfeed() {
        local -a commands=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then _describe command commands; return; fi
        case "$words[2]" in
      \(cases.joined(separator: "\n"))
        esac
      }
      _stillfeed "$@"
      """
  }

  private var fish: String {
    var lines: [String] = []
    for command in Stillfeed.commands {
      lines.append(
        "complete -c stillfeed -n __fish_use_subcommand -a \(command.name) -d '\(command.summary)'"
      )
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      for word in command.words { lines.append("complete -c stillfeed \(condition) -a \(word)") }
      for option in command.options + Option.global {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.value == nil ? "" : " -r"
        lines.append(
          "complete -c stillfeed \(condition) -l \(option.name)\(short)\(value) -d '\(option.help)'"
        )
      }
    }
    return lines.map { $0.replacing("archive's", with: "archive\\'s") }.joined(separator: "\n")
  }
}
