/// A plural category of CLDR.
enum PluralCategory: String, CaseIterable, Sendable {
  case zero
  case one
  case two
  case few
  case many
  case other

  /// Among all categories, from 0.
  var place: Int {
    switch self {
    case .zero: 0
    case .one: 1
    case .two: 2
    case .few: 3
    case .many: 4
    case .other: 5
    }
  }
}

/// Which plural form a language uses for a whole number (CLDR 44, cardinal rules; compact forms and
/// fractions aside).
struct PluralRules: Sendable {
  private enum Family {
    case none
    case one
    case zeroOrOne
    case eastSlavic
    case polish
    case czech
    case romanian
    case lithuanian
    case latvian
    case slovenian
    case hebrew
    case arabic
  }

  private let family: Family

  /// The rules of a BCP 47 tag; a language that isn't known counts as English does.
  init(language: String) {
    let code = language.split(separator: "-").first.map { $0.lowercased() } ?? ""
    family =
      switch code {
      case "zh", "ja", "ko", "vi", "th", "id", "ms", "lo", "my", "km", "yue", "nan", "bo": .none
      case "fr", "pt", "hi", "fa", "bn", "am", "zu", "hy", "kn", "gu": .zeroOrOne
      case "ru", "uk", "be", "sr", "hr", "bs", "sh": .eastSlavic
      case "pl": .polish
      case "cs", "sk": .czech
      case "ro", "mo": .romanian
      case "lt": .lithuanian
      case "lv": .latvian
      case "sl": .slovenian
      case "he", "iw": .hebrew
      case "ar": .arabic
      default: .one
      }
  }

  /// The category of `count`, which counts things and so is not negative.
  func category(of count: Int) -> PluralCategory {
    let ten = count % 10
    let hundred = count % 100
    switch family {
    case .none: return .other
    case .one: return count == 1 ? .one : .other
    case .zeroOrOne: return count <= 1 ? .one : .other
    case .eastSlavic:
      if ten == 1, hundred != 11 { return .one }
      return (2...4).contains(ten) && !(12...14).contains(hundred) ? .few : .many
    case .polish:
      if count == 1 { return .one }
      return (2...4).contains(ten) && !(12...14).contains(hundred) ? .few : .many
    case .czech: return count == 1 ? .one : (2...4).contains(count) ? .few : .other
    case .romanian:
      if count == 1 { return .one }
      return count == 0 || (1...19).contains(hundred) ? .few : .other
    case .lithuanian:
      if ten == 1, !(11...19).contains(hundred) { return .one }
      return (2...9).contains(ten) && !(11...19).contains(hundred) ? .few : .other
    case .latvian:
      if ten == 0 || (11...19).contains(hundred) { return .zero }
      return ten == 1 ? .one : .other
    case .slovenian:
      switch hundred {
      case 1: return .one
      case 2: return .two
      case 3, 4: return .few
      default: return .other
      }
    case .hebrew: return count == 1 ? .one : count == 2 ? .two : .other
    case .arabic:
      switch (count, hundred) {
      case (0, _): return .zero
      case (1, _): return .one
      case (2, _): return .two
      case (_, 3...10): return .few
      case (_, 11...99): return .many
      default: return .other
      }
    }
  }
}
