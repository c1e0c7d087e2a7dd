/// A POSIX TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3`: the rule of a TZif footer.
///
/// Grammar: POSIX.1-2017, 8.3, with the hours from -167 to 167 that RFC 9636 (3.3.1) adds.
struct PosixZoneRule: Sendable {
  let standard: LocalTimeType
  let daylight: Daylight?

  struct Daylight: Sendable {
    let type: LocalTimeType
    let start, end: YearlyMoment
  }

  /// A moment that comes once a year: a day and seconds after its midnight, on the clock before it.
  struct YearlyMoment: Sendable {
    enum Day: Sendable {
      /// 1 to 365; 29 February is never counted.
      case julian(Int)
      /// 0 to 365.
      case ordinal(Int)
      /// Month 1 to 12, week 1 to 5 (5: the last), weekday 0 (Sunday) to 6.
      case weekday(month: Int, week: Int, weekday: Int)
    }
    let day: Day
    let seconds: Int64

    /// Seconds since 1970 on the local clock.
    func clock(in year: Int) -> Int64 { dayNumber(in: year) * 86_400 + seconds }

    private func dayNumber(in year: Int) -> Int64 {
      switch day {
      case .julian(let number):
        let skipped = Calendar.isLeap(year) && number >= 60 ? 0 : 1
        return Calendar.dayNumber(year: Int64(year), month: 1, day: 1) + Int64(number - skipped)
      case .ordinal(let number):
        return Calendar.dayNumber(year: Int64(year), month: 1, day: 1) + Int64(number)
      case .weekday(let month, let week, let weekday):
        let first = Calendar.dayNumber(year: Int64(year), month: month, day: 1)
        let ahead = (weekday - Calendar.weekday(ofDay: first) + 7) % 7
        var day = ahead + (week - 1) * 7
        if day >= Calendar.days(inMonth: month, of: year) { day -= 7 }
        return first + Int64(day)
      }
    }
  }

  /// The type that holds at `second` (since 1970).
  func type(at second: Int64) -> LocalTimeType {
    guard let daylight else { return standard }
    let year = Calendar.date(ofDay: (second &+ Int64(standard.offset)).flooredQuotient(by: 86_400))
      .year
    let start = daylight.start.clock(in: year) - Int64(standard.offset)
    let end = daylight.end.clock(in: year) - Int64(daylight.type.offset)
    let isDaylight =
      start < end ? start <= second && second < end : !(end <= second && second < start)
    return isDaylight ? daylight.type : standard
  }

  /// The first change after `second`, nil if there is none.
  func nextTransition(after second: Int64) -> Int64? {
    guard let daylight else { return nil }
    let year = Calendar.date(ofDay: second.flooredQuotient(by: 86_400)).year
    var next: Int64?
    for candidate in year - 1...year + 2 {
      let start = daylight.start.clock(in: candidate) - Int64(standard.offset)
      let end = daylight.end.clock(in: candidate) - Int64(daylight.type.offset)
      for moment in [start, end] where moment > second && moment < next ?? .max { next = moment }
    }
    return next
  }
}

extension PosixZoneRule {
  /// Reads a TZ string, or nil where it is malformed.
  init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    guard let name = rest.takeZoneName(), let west = rest.takeSeconds(maximumHours: 24) else {
      return nil
    }
    standard = LocalTimeType(offset: -Int(west), abbreviation: name)
    guard !rest.isEmpty else {
      daylight = nil
      return
    }
    guard let summerName = rest.takeZoneName() else { return nil }
    var summerOffset = standard.offset + 3600
    if rest.first != UInt8(ascii: ",") {
      guard let west = rest.takeSeconds(maximumHours: 24) else { return nil }
      summerOffset = -Int(west)
    }
    guard rest.take(","), let start = YearlyMoment(&rest),
      rest.take(","), let end = YearlyMoment(&rest), rest.isEmpty
    else { return nil }
    let type = LocalTimeType(offset: summerOffset, abbreviation: summerName)
    daylight = Daylight(type: type, start: start, end: end)
  }
}

extension PosixZoneRule.YearlyMoment {
  fileprivate init?(_ rest: inout ArraySlice<UInt8>) {
    if rest.take("M") {
      guard let month = rest.takeNumber(in: 1...12), rest.take("."),
        let week = rest.takeNumber(in: 1...5), rest.take("."),
        let weekday = rest.takeNumber(in: 0...6)
      else { return nil }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else if rest.take("J") {
      guard let number = rest.takeNumber(in: 1...365) else { return nil }
      day = .julian(number)
    } else {
      guard let number = rest.takeNumber(in: 0...365) else { return nil }
      day = .ordinal(number)
    }
    guard rest.take("/") else {
      seconds = 2 * 3600
      return
    }
    guard let seconds = rest.takeSeconds(maximumHours: 167) else { return nil }
    self.seconds = seconds
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: scalar) else { return false }
    removeFirst()
    return true
  }

  /// A number of at most three digits.
  fileprivate mutating func takeNumber(in range: ClosedRange<Int>) -> Int? {
    let digits = prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard (1...3).contains(digits.count) else { return nil }
    removeFirst(digits.count)
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(value) ? value : nil
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  fileprivate mutating func takeSeconds(maximumHours: Int) -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = takeNumber(in: 0...maximumHours) else { return nil }
    var seconds = hours * 3600
    if take(":") {
      guard let minutes = takeNumber(in: 0...59) else { return nil }
      seconds += minutes * 60
      if take(":") {
        guard let rest = takeNumber(in: 0...59) else { return nil }
        seconds += rest
      }
    }
    return Int64(isNegative ? -seconds : seconds)
  }

  /// Letters, or anything but `>` between angle brackets; at least three bytes.
  fileprivate mutating func takeZoneName() -> String? {
    let name: ArraySlice<UInt8>
    if take("<") {
      name = prefix { $0 != UInt8(ascii: ">") }
      guard name.count < count else { return nil }
      removeFirst(name.count + 1)
    } else {
      name = prefix { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
      removeFirst(name.count)
    }
    return name.count >= 3 ? String(decoding: name, as: UTF8.self) : nil
  }
}
