import Bytes
import Testing

@testable import Site

@Suite("Words and dates of a language")
struct LanguageTests {
  @Test(arguments: [
    ("en", [1: PluralCategory.one, 0: .other, 2: .other, 21: .other]),
    ("zh-Hant", [1: .other, 2: .other]),
    ("fr", [0: .one, 1: .one, 2: .other]),
    ("ru", [1: .one, 2: .few, 5: .many, 11: .many, 21: .one, 112: .many, 104: .few]),
    ("pl", [1: .one, 2: .few, 5: .many, 21: .many, 22: .few, 12: .many]),
    ("ar", [0: .zero, 1: .one, 2: .two, 3: .few, 11: .many, 100: .other, 103: .few]),
    ("sl", [1: .one, 2: .two, 3: .few, 5: .other, 101: .one]),
  ])
  func plurals(_ pair: (language: String, counts: [Int: PluralCategory])) {
    let rules = PluralRules(language: pair.language)
    for (count, category) in pair.counts { #expect(rules.category(of: count) == category) }
  }

  @Test(arguments: [
    ("", ""), ("{n} comments", "7 comments"), ("Reply to {name}", "Reply to 7"), ("{n}", "7"),
    ("{n}{m}é{", "77é{"), ("a } {b", "a } {b"), ("{a{b}c}", "7c}"),
  ])
  func placesAreFilled(_ pair: (pattern: String, expected: String)) {
    #expect(TextPattern(pair.pattern).filled(with: "7") == pair.expected)
  }

  @Test(arguments: [
    ("yyyy-MM-dd HH:mm", "2024-05-07 09:05"), ("d. MMMM y", "7. May 2024"),
    ("EEE, MMM d", "Tue, May 7"), ("h:mm a", "9:05 AM"), ("yyyy年M月d日 EEEE", "2024年5月7日 Tuesday"),
    ("'o''clock' H", "oclock 9"), ("''", "'"), ("HH:mm {zone}", "09:05 CST"),
  ])
  func dates(_ pair: (pattern: String, expected: String)) throws {
    let time = try #require(CivilTime(year: 2024, month: 5, day: 7, hour: 9, minute: 5))
    var output = ByteBuffer()
    DatePattern(pair.pattern).append(time, names: .english, zone: "CST", into: &output)
    #expect(output.string == pair.expected)
  }

  @Test("the clock may stand before the date")
  func clockFirst() async throws {
    let messages = ["2024-05-07T09:05:10Z", "2024-06-08T09:05:10Z", "2024-06-08T09:05:20Z"]
      .enumerated().map { #"{"id":"\#($0)","date":"\#($1)","body":"x"}"# + "\n" }
    let site = try TemporarySite([
      "stillfeed.yml": "title: T\n",
      "Templates/strings/en.yml": #"dates: {time: "H:mm:ss", full: "HH:mm {zone}, d MMMM yyyy"}"#,
      "Content/channels/c/m.jsonl": messages.joined(),
    ])
    let built = try await site.build()
    for text in [
      "09:05 UTC, 7 May 2024", "09:05 UTC, 8 June 2024", ">9:05:10<", ">9:05:20<",
    ] {
      #expect(!built.files(holding: text).isEmpty, "\(text)")
    }
  }

  @Test(
    "marks in dates are escaped",
    arguments: [
      (#"dates: {dateTime: "'<i>&' HH:mm"}"#, "&lt;i&gt;&amp; 09:05<"),
      (#"dates: {full: "'\"' HH:mm"}"#, "title=\"&quot; 09:05\""),
      (
        "dates:\n  dateTime: \"MMM d\"\n  monthsShort: ["
          + Array(repeating: "\"<b>\"", count: 12).joined(separator: ",") + "]",
        "&lt;b&gt; 7<"
      ),
    ]
  )
  func marksInDates(_ pair: (strings: String, expected: String)) async throws {
    let site = try TemporarySite([
      "stillfeed.yml": "title: T\n",
      "Templates/strings/en.yml": pair.strings,
      "Content/posts/one.json": #"{"id":"one","date":"2024-05-07T09:05:10Z","body":"x"}"#,
    ])
    let built = try await site.build()
    #expect(!built.files(holding: pair.expected).isEmpty, "\(pair.expected)")
  }

  @Test
  func groupedNumbers() {
    let cases = [0: "0", 999: "999", 1234: "1234", 12_345: "12,345", 1_234_567: "1,234,567"]
    for (number, expected) in cases {
      var output = ByteBuffer()
      output.append(grouped: number, separator: ",")
      #expect(output.string == expected)
    }
  }

  @Test(arguments: [
    ("zh-TW", ["zh-Hant", "zh-TW"]), ("zh-Hant", ["zh-Hant"]), ("zh-CN", ["zh-Hans", "zh-CN"]),
    ("zh", ["zh-Hans"]), ("ja-JP", ["ja", "ja-JP"]), ("en", ["en"]),
  ])
  func fallbacks(_ pair: (tag: String, expected: [String])) {
    #expect(LanguageTag.fallbacks(of: pair.tag) == pair.expected)
  }

  @Test
  func allLanguagesHaveTheSameKeys() throws {
    let files = BuiltinTheme.files().filter { $0.path.hasPrefix("strings/") }
    #expect(files.map(\.path).count >= 4)
    let english = try keys(of: files, "strings/en.yml")
    #expect(english.count > 80)
    for file in files { #expect(try keys(of: files, file.path) == english, "\(file.path)") }
  }

  private func keys(of files: [BuiltinTheme.File], _ path: String) throws -> Set<String> {
    let file = try #require(files.first { $0.path == path })
    let language = String(path.dropFirst("strings/".count).dropLast(".yml".count))
    let strings = try Strings(language: language, sources: [(path, file.bytes)])
    return strings.keys
  }
}

extension CalendarNames {
  static let english = CalendarNames(
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ],
    monthsShort: [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ],
    weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    weekdaysShort: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    dayPeriods: ["AM", "PM"]
  )
}
