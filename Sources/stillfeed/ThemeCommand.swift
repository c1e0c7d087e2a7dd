import Archive
import Bytes
import Site

/// `stillfeed theme`: the files of the built-in theme.
struct ThemeCommand {
  static let syntax = Command(
    name: "theme",
    operands: "list | eject NAME …",
    count: 1...100,
    summary: "List the theme's files, or copy some out to change them",
    discussion: """
      list          prints the files, and which ones the archive overrides
      eject NAME …  copies files into the archive's Templates folder: 'feed', 'assets/style.css',
                    'strings/en.yml'

      A template can also keep the rest and change one block: see docs/theming.md.
      """,
    options: [Option(name: "force", short: "f", help: "overwrite what is there")],
    words: ["list", "eject"]
  )

  let arguments: Arguments
  let console: Console

  init(_ arguments: Arguments, _ console: Console) {
    self.arguments = arguments
    self.console = console
  }

  func run() throws -> Int32 {
    let root = arguments.value("root") ?? "."
    let folder = root + "/" + Configuration.read(root: root).configuration.theme
    switch arguments.operands.first {
    case "list": return try list(folder)
    case "eject": return try eject(folder, Array(arguments.operands.dropFirst()))
    default:
      let word = arguments.operands.first ?? ""
      let near = NameSuggestion.nearest(to: word, among: Self.syntax.words)
      throw UsageError(
        message: "'theme' can't '\(word)'",
        suggestion: near.map { "did you mean '\($0)'?" } ?? "it can 'list' and 'eject'"
      )
    }
  }

  private func list(_ folder: String) throws -> Int32 {
    for file in BuiltinTheme.files() {
      let isOverridden = FileSystem.status("\(folder)/\(file.path)") != nil
      try console.print(isOverridden ? "\(file.path)\t(overridden)" : file.path)
    }
    return 0
  }

  private func eject(_ folder: String, _ names: [String]) throws -> Int32 {
    if names.isEmpty {
      throw UsageError(
        message: "'theme eject' needs the name of a file",
        suggestion: "'stillfeed theme list' prints them"
      )
    }
    let files = BuiltinTheme.files()
    for name in names {
      let wanted = files.first { $0.path == name || $0.path == name + ".mustache" }
      guard let file = wanted else {
        let near = NameSuggestion.nearest(
          to: name,
          among: files.map {
            $0.path.hasSuffix(".mustache") ? String($0.path.dropLast(9)) : $0.path
          }
        )
        throw UsageError(
          message: "The theme has no file '\(name)'",
          suggestion: near.map { "did you mean '\($0)'?" } ?? "'stillfeed theme list' prints them"
        )
      }
      let path = "\(folder)/\(file.path)"
      if try FileSystem.existing(path, followsLinks: false) != nil, !arguments.has("force") {
        console.fail("'\(path)' is there already", suggestion: "'--force' overwrites it")
        return 1
      }
      if let slash = path.lastIndex(of: "/") {
        try FileSystem.makeDirectories(String(path[..<slash]))
      }
      try FileSystem.write(file.bytes, to: path)
      console.say("Copied \(file.path) to \(path)")
    }
    return 0
  }
}
