import Archive
import Bytes
import Glibc

/// What the command says: data on standard output, words on standard error.
struct Console: Sendable {
  /// Warnings of one run that are printed; the rest is counted.
  private static let warningLimit = 100

  let isQuiet: Bool
  let usesColor: Bool
  /// Whether a progress line makes sense.
  let showsProgress: Bool

  init(_ arguments: Arguments?) {
    isQuiet = arguments?.has("quiet") ?? false
    let isTerminal = StandardStream.error.isTerminal
    usesColor = Self.wantsColor(arguments, isTerminal: isTerminal)
    showsProgress = isTerminal && !isQuiet
  }

  /// NO_COLOR (no-color.org), CLICOLOR and CLICOLOR_FORCE (bixense.com/clicolors).
  private static func wantsColor(_ arguments: Arguments?, isTerminal: Bool) -> Bool {
    if arguments?.has("no-color") ?? false { return false }
    if let value = environment("NO_COLOR"), !value.isEmpty { return false }
    if let value = environment("CLICOLOR_FORCE"), value != "0", !value.isEmpty { return true }
    return isTerminal && environment("CLICOLOR") != "0" && environment("TERM") != "dumb"
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Prints data.
  func print(_ text: String) throws(FileError) {
    try StandardStream.output.write(text + "\n")
  }

  /// Says something that is no error; nothing when quiet.
  func say(_ text: String) {
    if !isQuiet { note(text) }
  }

  /// Says something always.
  func note(_ text: String) { try? StandardStream.error.write(text + "\n") }

  /// Shows how far something is, in place; on a terminal only.
  func progress(_ text: String) {
    if showsProgress { try? StandardStream.error.write("\r\u{1B}[K" + text) }
  }

  /// Takes the progress line away.
  func endProgress() {
    if showsProgress { try? StandardStream.error.write("\r\u{1B}[K") }
  }

  /// Prints an error of the command itself.
  func fail(_ message: String, suggestion: String = "") {
    note(painted("error:", "1;31") + " " + message)
    if !suggestion.isEmpty { note("  " + suggestion) }
  }

  /// Prints diagnostics as compilers do; notes and warnings not when quiet.
  func print(_ diagnostics: [Diagnostic], limit: Int = warningLimit) {
    var shown = 0
    for diagnostic in diagnostics {
      if isQuiet, diagnostic.severity < .error { continue }
      if shown == limit { break }
      note(text(of: diagnostic))
      shown += 1
    }
    let rest = diagnostics.count - shown
    if shown == limit, rest > 0 { note("… and \(rest) more; 'stillfeed check' prints them all") }
  }

  private func text(of diagnostic: Diagnostic) -> String {
    var text = ""
    if !diagnostic.path.isEmpty {
      text += safe(diagnostic.path)
      if diagnostic.line > 0 { text += ":\(diagnostic.line)" }
      if diagnostic.line > 0, diagnostic.column > 0 { text += ":\(diagnostic.column)" }
      text += ": "
    }
    switch diagnostic.severity {
    case .note: text += painted("note:", "1;36")
    case .warning: text += painted("warning:", "1;35")
    case .error: text += painted("error:", "1;31")
    }
    text += " " + safe(diagnostic.headline)
    if !diagnostic.explanation.isEmpty { text += "\n  " + safe(diagnostic.explanation) }
    if !diagnostic.suggestion.isEmpty { text += "\n  " + safe(diagnostic.suggestion) }
    return text
  }

  /// Text from content without control characters, which could command a terminal.
  private func safe(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      result.append(isControl && scalar != "\t" ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  func painted(_ text: String, _ code: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
