/// A date and a time of day as a clock on the wall shows them, with the clock's offset.
///
/// The calendar is the proleptic Gregorian one of ISO 8601.
public struct CivilTime: Hashable, Sendable {
  /// 1 to 9999; 0 and 10000 occur where a zone's offset leads over the edge.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59.
  public let second: Int
  /// 0 to 999.
  public let millisecond: Int
  /// Seconds east of UTC.
  public let offset: Int
  /// 0 for Sunday to 6 for Saturday.
  public let weekday: Int

  /// Makes a civil time, or nil where the calendar or the clock has no such reading.
  public init?(
    year: Int,
    month: Int,
    day: Int,
    hour: Int = 0,
    minute: Int = 0,
    second: Int = 0,
    millisecond: Int = 0,
    offset: Int = 0
  ) {
    guard (0...10_000).contains(year), (1...12).contains(month),
      day >= 1, day <= Calendar.days(inMonth: month, of: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
      (0...999).contains(millisecond), (-93_600...93_600).contains(offset)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.millisecond = millisecond
    self.offset = offset
    weekday = Calendar.weekday(
      ofDay: Calendar.dayNumber(year: Int64(year), month: month, day: day)
    )
  }

  /// What a clock `offset` seconds east of UTC shows at `time`.
  public init(at time: Timestamp, offset: Int) {
    let shifted = time.milliseconds &+ Int64(offset) &* 1000
    let dayNumber = shifted.flooredQuotient(by: Calendar.millisecondsPerDay)
    let rest = Int(shifted &- dayNumber &* Calendar.millisecondsPerDay)
    let date = Calendar.date(ofDay: dayNumber)
    year = date.year
    month = date.month
    day = date.day
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
    self.offset = offset
    weekday = Calendar.weekday(ofDay: dayNumber)
  }

  /// The instant at which a clock with this `offset` shows this reading.
  public var timestamp: Timestamp {
    Timestamp(milliseconds: millisecondsOnTheClock &- Int64(offset) &* 1000)
  }

  /// The reading taken as if it were UTC, in milliseconds since 1970-01-01T00:00:00.
  var millisecondsOnTheClock: Int64 {
    Calendar.dayNumber(year: Int64(year), month: month, day: day) &* Calendar.millisecondsPerDay
      &+ Int64(((hour * 60 + minute) * 60 + second) * 1000 + millisecond)
  }
}

/// Arithmetic of the proleptic Gregorian calendar.
///
/// Years are counted from 1 March, so that the leap day comes last; 400 years (146,097 days) repeat.
/// The method is that of Howard Hinnant's "chrono-compatible low-level date algorithms".
enum Calendar {
  static let millisecondsPerDay: Int64 = 86_400_000

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The length of a month (1 to 12) in days.
  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 to the given date.
  static func dayNumber(year: Int64, month: Int, day: Int) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.flooredQuotient(by: 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date `number` days after 1970-01-01.
  static func date(ofDay number: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// 0 for Sunday to 6 for Saturday; 1970-01-01 was a Thursday.
  static func weekday(ofDay number: Int64) -> Int {
    let fromThursday = Int((number + 4) % 7)
    return fromThursday < 0 ? fromThursday + 7 : fromThursday
  }
}
