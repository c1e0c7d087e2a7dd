import Bytes
import Glibc

/// Where the text of an entry comes from: an argument, standard input, or the person's editor.
enum TextInput {
  /// Bodies over this many bytes are refused.
  private static let limit = 64 << 20

  /// Whether a person sits in front of standard input.
  static var isTerminal: Bool { isatty(0) == 1 }

  /// The text: `given`, or for nil and `-` standard input, or for nil on a terminal what the person
  /// makes of `start` in an editor.
  static func read(
    _ given: String?,
    beginningWith start: String,
    _ console: Console
  ) throws -> String {
    if let given, given != "-" { return given }
    let isEdited = given == nil && isTerminal
    let bytes = isEdited ? try edit(start) : try StandardStream.readInput(limit: limit)
    guard UnicodeText.isValidUTF8(bytes.span) else {
      throw UsageError(message: "The text isn't UTF-8")
    }
    // The line end that every tool puts behind the last line isn't part of the text.
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Asks a question that is answered with y or anything else.
  static func confirm(_ question: String, _ console: Console) -> Bool {
    try? StandardStream.error.write(question)
    guard let answer = readLine(strippingNewline: true) else { return false }
    return answer.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "y")
  }

  /// Opens the person's editor on a temporary file.
  private static func edit(_ start: String) throws -> [UInt8] {
    let names = ["VISUAL", "EDITOR"]
    guard
      let editor = names.lazy.compactMap({ Console.environment($0) }).first(where: { !$0.isEmpty })
    else {
      throw UsageError(
        message: "There is no text, and neither VISUAL nor EDITOR names an editor",
        suggestion: "give the text as an argument or on standard input"
      )
    }
    let base = Console.environment("TMPDIR") ?? "/tmp"
    var pattern = Array("\(base)/stillfeed-XXXXXX.md".utf8.map { CChar(bitPattern: $0) }) + [0]
    let number = mkstemps(&pattern, 3)
    let path = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard number >= 0 else { throw FileError(path: path, operation: "create", code: errno) }
    let file = FileDescriptor(owning: number, path: path)
    defer { unlink(path) }
    try file.write(Array(start.utf8).span)
    try file.close()
    // As git does: the shell takes apart what the variable holds, the path is an argument.
    let status = run(["/bin/sh", "-c", "\(editor) \"$@\"", editor, path])
    guard status == 0 else {
      throw UsageError(message: "The editor '\(editor)' ended with an error; nothing was written")
    }
    return try FileSystem.read(path, limit: limit)
  }

  /// Runs a program with our own standard streams and waits for its end.
  private static func run(_ words: [String]) -> Int32 {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // We ignore broken pipes; the editor's programs shall not.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], nil, &attributes, arguments, environ) == 0 else {
      return -1
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status
  }
}
