import Bytes

/// A date as a language writes it: a pattern in the letters of CLDR (UTS 35, "Date Field Symbol
/// Table"), cut into fields once.
///
/// Letters: `yyyy y M MM MMM MMMM d dd E EEE EEEE H HH h hh m mm s ss a`, `{zone}`, text in single
/// quotes, and everything that is no ASCII letter as it stands.
struct DatePattern: Sendable {
  fileprivate enum Field: Sendable {
    /// A run of `literals`.
    case text(Range<Int>)
    case year(width: Int)
    case month(width: Int)
    case monthName(short: Bool)
    case day(width: Int)
    case weekday(short: Bool)
    case hour24(width: Int)
    case hour12(width: Int)
    case minute(width: Int)
    case second(width: Int)
    case period
    case zone
  }

  private var fields: [Field] = []
  private var literals: [UInt8] = []
  /// How many of the first fields are the same for all times of a day.
  private var dayCount = 0

  /// Cuts a pattern; a letter without a meaning stands for itself.
  init(_ pattern: String) {
    var rest = pattern.unicodeScalars[...]
    var literal = ""
    while let scalar = rest.first {
      if scalar == "'" {
        rest.removeFirst()
        let quoted = rest.prefix { $0 != "'" }
        literal += quoted.isEmpty ? "'" : String(quoted)
        rest = rest.dropFirst(quoted.count + 1)
        continue
      }
      if rest.starts(with: "{zone}".unicodeScalars) {
        rest = rest.dropFirst(6)
        push(&literal, .zone)
        continue
      }
      let run = rest.prefix { $0 == scalar }
      if let field = Self.field(scalar, width: run.count) {
        push(&literal, field)
        rest = rest.dropFirst(run.count)
      } else {
        literal.unicodeScalars.append(scalar)
        rest.removeFirst()
      }
    }
    flush(&literal)
    dayCount = fields.firstIndex { !$0.isSameAllDay } ?? fields.count
  }

  private mutating func push(_ literal: inout String, _ field: Field) {
    flush(&literal)
    fields.append(field)
  }

  private mutating func flush(_ literal: inout String) {
    if literal.isEmpty { return }
    let start = literals.count
    literals += Array(literal.utf8)
    fields.append(.text(start..<literals.count))
    literal = ""
  }

  private static func field(_ letter: Unicode.Scalar, width: Int) -> Field? {
    switch letter {
    case "y": .year(width: width == 1 ? 1 : width)
    case "M": width > 2 ? .monthName(short: width == 3) : .month(width: width)
    case "d": .day(width: width)
    case "E": .weekday(short: width < 4)
    case "H": .hour24(width: width)
    case "h": .hour12(width: width)
    case "m": .minute(width: width)
    case "s": .second(width: width)
    case "a": .period
    default: nil
    }
  }

  /// Appends a time as this pattern writes it.
  ///
  /// - Parameters:
  ///   - time: In the zone in which it is to be shown.
  ///   - names: The language's names of months, weekdays and day periods.
  ///   - zone: What stands for `{zone}`: an abbreviation or an offset.
  ///   - output: Gets plain text, unescaped.
  func append(
    _ time: CivilTime,
    names: CalendarNames,
    zone: String,
    into output: inout ByteBuffer
  ) {
    let time = DateFields(time)
    appendDay(time, names: names, into: &output)
    appendClock(time, names: names, zone: zone, into: &output)
  }

  /// Appends the beginning of the pattern, which is the same for all times of a day.
  func appendDay(_ time: DateFields, names: CalendarNames, into output: inout ByteBuffer) {
    append(0..<dayCount, of: time, names: names, zone: "", into: &output)
  }

  /// Whether nothing in its own text has to be escaped for HTML.
  var isPlain: Bool {
    var text = ByteBuffer()
    text.append(literals)
    return text.isPlainHTML()
  }

  /// Whether nothing comes after the beginning.
  var isSameAllDay: Bool { dayCount == fields.count }

  /// Whether what comes after the beginning is the same in a minute of every day: no seconds, and no
  /// date behind the clock.
  var isSameEveryDay: Bool { fields[dayCount...].allSatisfy(\.isSameEveryDay) }

  /// Appends what comes after the beginning.
  func appendClock(
    _ time: DateFields,
    names: CalendarNames,
    zone: String,
    into output: inout ByteBuffer
  ) {
    append(dayCount..<fields.count, of: time, names: names, zone: zone, into: &output)
  }

  private func append(
    _ range: Range<Int>,
    of time: DateFields,
    names: CalendarNames,
    zone: String,
    into output: inout ByteBuffer
  ) {
    for index in range {
      switch fields[index] {
      case .text(let range):
        literals.withUnsafeBufferPointer { output.append(UnsafeBufferPointer(rebasing: $0[range])) }
      case .year(let width): output.append(number: time.year, width: width)
      case .month(let width): output.append(number: time.month, width: width)
      case .monthName(let short):
        output.append(text: (short ? names.monthsShort : names.months)[time.month - 1])
      case .day(let width): output.append(number: time.day, width: width)
      case .weekday(let short):
        output.append(text: (short ? names.weekdaysShort : names.weekdays)[time.weekday])
      case .hour24(let width): output.append(number: time.hour, width: width)
      case .hour12(let width):
        output.append(number: time.hour % 12 == 0 ? 12 : time.hour % 12, width: width)
      case .minute(let width): output.append(number: time.minute, width: width)
      case .second(let width): output.append(number: time.second, width: width)
      case .period: output.append(text: names.dayPeriods[time.hour < 12 ? 0 : 1])
      case .zone: output.append(text: zone)
      }
    }
  }
}

extension DatePattern.Field {
  fileprivate var isSameAllDay: Bool {
    switch self {
    case .text, .year, .month, .monthName, .day, .weekday: true
    case .hour24, .hour12, .minute, .second, .period, .zone: false
    }
  }

  fileprivate var isSameEveryDay: Bool {
    switch self {
    case .text, .hour24, .hour12, .minute, .period, .zone: true
    case .year, .month, .monthName, .day, .weekday, .second: false
    }
  }
}

extension ByteBuffer {
  @inline(__always)
  fileprivate mutating func append(number: Int, width: Int) {
    if width == 2, (0..<100).contains(number) {
      append(twoDigits: number)
    } else {
      append(decimal: number, width: width)
    }
  }
}

/// What a pattern can show of a time.
struct DateFields: Sendable {
  var year: Int
  /// 1 to 12.
  var month: Int
  var day: Int
  /// 0 for Sunday to 6 for Saturday.
  var weekday: Int
  var hour: Int
  var minute: Int
  var second: Int

  init(_ civil: CivilTime) {
    year = civil.year
    month = civil.month
    day = civil.day
    weekday = civil.weekday
    hour = civil.hour
    minute = civil.minute
    second = civil.second
  }
}

/// A language's names of months, weekdays and halves of the day.
struct CalendarNames: Sendable {
  /// Twelve, from January.
  var months: [String]
  var monthsShort: [String]
  /// Seven, from Sunday.
  var weekdays: [String]
  var weekdaysShort: [String]
  /// Before and after noon.
  var dayPeriods: [String]

  /// Whether nothing in the names has to be escaped for HTML.
  var isPlain: Bool {
    var text = ByteBuffer()
    for name in [months, monthsShort, weekdays, weekdaysShort, dayPeriods].joined() {
      text.append(text: name)
    }
    return text.isPlainHTML()
  }
}
