import Bytes

/// What the compiler says about mistakes.
extension Compiler {
  func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes.prefix(80)), as: UTF8.self)
  }

  mutating func report(_ headline: String, at offset: Int, suggestion: String?) {
    if errors.count >= TemplateSet.mostErrors { return }
    let (line, column) = lines.position(of: offset)
    errors.append(
      TemplateError(
        template: unit.name,
        path: unit.path,
        line: line,
        column: column,
        headline: headline,
        suggestion: suggestion
      )
    )
  }

  mutating func reportUnclosed(_ token: Token) {
    let what =
      switch token.kind {
      case .block: "Block"
      case .parent: "Parent"
      case .text, .variable, .raw, .section, .inverted, .close, .partial, .comment, .delimiters:
        "Section"
      }
    let name = text(unit.bytes[token.name])
    report(
      "\(what) '\(name)' is never closed",
      at: token.range.lowerBound,
      suggestion: "add '{{/\(name)}}'"
    )
  }

  mutating func reportStray(_ token: Token) {
    let name = text(unit.bytes[token.name])
    guard let inner = opened.last?.token else {
      report(
        "Closing tag '\(name)' has no opening tag",
        at: token.range.lowerBound,
        suggestion: nil
      )
      return
    }
    let expected = text(unit.bytes[inner.name])
    let (line, _) = lines.position(of: inner.range.lowerBound)
    report(
      "Closing tag '\(name)' doesn't match '\(expected)', opened on line \(line)",
      at: token.range.lowerBound,
      suggestion: "write '{{/\(expected)}}'"
    )
  }

  private func suggestion(for name: [UInt8], among candidates: [[UInt8]]) -> String {
    if errors.count >= TemplateSet.mostErrors { return "" }
    let candidates = candidates.map { String(decoding: $0, as: UTF8.self) }
    let nearest = NameSuggestion.nearest(
      to: String(decoding: name, as: UTF8.self),
      among: candidates
    )
    return nearest.map { "; did you mean '\($0)'?" } ?? ""
  }

  mutating func reportMissing(_ name: [UInt8], _ token: Token) {
    let hint = suggestion(for: name, among: names.all)
    report(
      "Template '\(text(name))' doesn't exist\(hint)",
      at: token.range.lowerBound,
      suggestion: "correct the name, or add '\(text(name)).mustache' to the templates"
    )
  }

  mutating func reportUnknown(
    _ name: [UInt8],
    among documented: DocumentedNames,
    _ token: Token
  ) {
    let hint = suggestion(for: name, among: documented.all)
    report(
      "Variable '\(text(name))' is unknown\(hint)",
      at: token.range.lowerBound,
      suggestion: nil
    )
  }

  mutating func reportFullTable(_ token: Token) {
    if reportedFullTable { return }
    reportedFullTable = true
    report(
      "Templates use more than \(KeyTable.capacity) different names",
      at: token.range.lowerBound,
      suggestion: nil
    )
  }
}
