import Bytes
import JSON

extension Diagnostic {
  private static func warning(
    _ headline: String,
    line: Int,
    _ file: FileContext,
    explanation: String = "",
    suggestion: String = ""
  ) -> Self {
    Self(
      .warning,
      path: file.source.path,
      line: line,
      headline: headline,
      explanation: explanation,
      suggestion: suggestion
    )
  }

  static func secondName(_ key: String, line: Int, _ file: FileContext) -> Self {
    warning(
      "'\(shown(key))' gives a field that this record already has",
      line: line,
      file,
      explanation: "The first is taken",
      suggestion: "Keep one of the names"
    )
  }

  static func bodyNotText(line: Int, _ file: FileContext) -> Self {
    warning("The body isn't text and is left out", line: line, file)
  }

  static func authorNotText(line: Int, _ file: FileContext) -> Self {
    warning(
      "The author can't be read",
      line: line,
      file,
      suggestion: "Write a person's id or a name"
    )
  }

  static func idNotText(line: Int, _ file: FileContext) -> Self {
    warning(
      "The id is neither text nor a number",
      line: line,
      file,
      explanation: "One is derived from author and date"
    )
  }

  static func unreadableDate(
    _ value: JSONValue,
    line: Int,
    _ file: FileContext,
    isKept: Bool
  ) -> Self {
    warning(
      "The date '\(shown(FieldValue.string(value)))' can't be read",
      line: line,
      file,
      explanation: isKept ? "The entry is shown as undated" : "",
      suggestion: "Write it like 2024-05-17T09:30:00+08:00"
    )
  }

  static func missingDate(line: Int, _ file: FileContext) -> Self {
    warning("The entry has no date and is shown as undated", line: line, file)
  }

  static func unknownAudience(_ value: JSONValue, line: Int, _ file: FileContext) -> Self {
    warning(
      "The audience '\(shown(FieldValue.string(value)))' isn't known",
      line: line,
      file,
      explanation: "The entry is taken as private, so that nothing is shown by mistake",
      suggestion: "Write public, friends or private"
    )
  }

  static func unknownFormat(_ value: JSONValue, line: Int, _ file: FileContext) -> Self {
    warning(
      "The format '\(shown(FieldValue.string(value)))' isn't known",
      line: line,
      file,
      explanation: "The body is shown as plain text",
      suggestion: "Write markdown, plain or html"
    )
  }

  static func missingMedium(_ path: String, line: Int, _ file: FileContext) -> Self {
    warning(
      "The file '\(shown(path))' isn't there",
      line: line,
      file,
      explanation: "A frame is shown in its place",
      suggestion: "Put it beside this file or into Content/media"
    )
  }

  static func refusedMedium(_ path: String, line: Int, _ file: FileContext) -> Self {
    warning(
      "The path '\(shown(path))' leads out of the content folder",
      line: line,
      file,
      suggestion: "Put the file into Content/media and write its name"
    )
  }

  static func badAlias(_ path: String, line: Int, _ file: FileContext) -> Self {
    warning("The old path '\(shown(path))' can't be a page of this site", line: line, file)
  }

  /// Text from a file, short and on one line.
  static func shown(_ text: String) -> String {
    let bytes = text.utf8.prefix(80).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes, as: UTF8.self) + (text.utf8.count > 80 ? "…" : "")
  }
}
