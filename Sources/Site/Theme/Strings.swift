import Archive
import Bytes
import JSON

/// The texts of the interface in one language, from `strings/LANGUAGE.yml`.
///
/// A value is a text, a map of plural categories, or (under `dates`) a date pattern or a list of
/// names. What a language lacks is taken from English.
struct Strings: Sendable {
  let language: String
  private(set) var texts: [String: String] = [:]
  private var plurals: [String: [PluralCategory: String]] = [:]
  private var patterns: [String: DatePattern] = [:]
  private(set) var calendar = CalendarNames(
    months: [],
    monthsShort: [],
    weekdays: [],
    weekdaysShort: [],
    dayPeriods: []
  )

  /// Reads a language over a fallback.
  ///
  /// - Parameters:
  ///   - language: A BCP 47 tag; picks the plural rules.
  ///   - sources: Files from the most general to the most special; a later one wins key by key.
  /// - Throws: A diagnostic that names the file and line.
  init(language: String, sources: [(path: String, bytes: [UInt8])]) throws(ThemeError) {
    self.language = language
    for source in sources { try add(source.path, source.bytes) }
    try checkCalendar(sources.last?.path ?? "")
  }

  /// The names of all texts, counted texts and date patterns.
  var keys: Set<String> {
    Set(texts.keys).union(plurals.keys).union(patterns.keys.map { "dates." + $0 })
  }

  /// A text without plural forms; a missing one shows its key, which a reader can report.
  func text(_ key: String) -> String { texts[key] ?? key }

  /// A text with places.
  func pattern(_ key: String) -> TextPattern { TextPattern(text(key)) }

  /// A counted text.
  func plural(_ key: String) -> PluralPattern {
    PluralPattern(
      forms: plurals[key] ?? [.other: texts[key] ?? "{n}"],
      rules: PluralRules(language: language),
      separator: texts["grouping"] ?? ","
    )
  }

  /// A date pattern: `date`, `dateTime`, `full`, `day`, `month`, `year`, `time`.
  func datePattern(_ key: String) -> DatePattern {
    patterns[key] ?? DatePattern("yyyy-MM-dd HH:mm")
  }

  private mutating func add(_ path: String, _ bytes: [UInt8]) throws(ThemeError) {
    var json = ByteBuffer()
    do {
      _ = try YAMLText.writeJSON(bytes.span, into: &json)
    } catch {
      throw ThemeError(path: path, line: error.line, column: error.column, headline: error.reason)
    }
    var parser = JSONParser()
    guard let root = try? parser.parse(json.bytes), root.kind == .object else {
      throw ThemeError(path: path, line: 1, column: 1, headline: "A map of texts was expected")
    }
    for (key, value) in root.members {
      if key == "dates" { add(dates: value) } else { add(key.string, value) }
    }
  }

  private mutating func add(_ key: String, _ value: JSONValue) {
    if value.kind == .object {
      var forms: [PluralCategory: String] = [:]
      for (category, form) in value.members {
        if let category = PluralCategory(rawValue: category.string), let text = form.text {
          forms[category] = text.string
        }
      }
      plurals[key] = forms
      texts[key] = nil
    } else if let text = value.text {
      texts[key] = text.string
      plurals[key] = nil
    }
  }

  private mutating func add(dates: JSONValue) {
    for (key, value) in dates.members {
      if let pattern = value.text {
        patterns[key.string] = DatePattern(pattern.string)
        continue
      }
      let names = value.elements.map { $0.text?.string ?? "" }
      switch key.string {
      case "months": calendar.months = names
      case "monthsShort": calendar.monthsShort = names
      case "weekdays": calendar.weekdays = names
      case "weekdaysShort": calendar.weekdaysShort = names
      case "dayPeriods": calendar.dayPeriods = names
      default: break
      }
    }
  }

  private func checkCalendar(_ path: String) throws(ThemeError) {
    let lists = [
      ("months", calendar.months, 12), ("monthsShort", calendar.monthsShort, 12),
      ("weekdays", calendar.weekdays, 7), ("weekdaysShort", calendar.weekdaysShort, 7),
      ("dayPeriods", calendar.dayPeriods, 2),
    ]
    for (name, list, count) in lists where list.count != count {
      throw ThemeError(
        path: path,
        line: 0,
        column: 0,
        headline: "'dates.\(name)' needs \(count) names, not \(list.count)"
      )
    }
  }
}

/// A fault of a theme file, which the owner of the archive can mend.
struct ThemeError: Error, Hashable, Sendable {
  var path: String
  var line: Int
  var column: Int
  var headline: String
  var suggestion = ""

  var diagnostic: Diagnostic {
    Diagnostic(
      .error,
      path: path,
      line: line,
      column: column,
      headline: headline,
      suggestion: suggestion
    )
  }
}
