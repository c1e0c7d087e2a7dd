/// How a bare number in a date field is meant.
public enum DateReading: Hashable, Sendable {
  /// Unix seconds or milliseconds, told apart by size.
  case iso
  /// Seconds since 2001-01-01T00:00:00Z, as Swift's `Date` encodes itself.
  case apple
}

/// Reads the dates that people and exports write; everything else, and every date that the calendar
/// does not have, is nil.
///
/// Understood are RFC 3339 with any fraction (also with a blank for the `T`, `±HHMM`, `±HH`, a comma
/// before the fraction, or ` UTC`), a date with a time without an offset and a bare date, both in the
/// given zone, and whole or decimal numbers. Month, day and hour may have one digit. `24:00` is the
/// next day's start; a leap second (`23:59:60` UTC at the end of a month) is the second after it, as
/// in POSIX time. Fractions are cut to milliseconds. Years run from 0001 to 9999 in UTC.
public enum TimestampParser {
  /// Reads a date field's text.
  public static func parse(
    _ text: Span<UInt8>,
    zone: TimeZoneRules,
    reading: DateReading = .iso
  ) -> Timestamp? {
    if let time = common(text) { return time }
    return scanned(text, zone: zone, reading: reading)
  }

  /// Reads a date field's text of any form.
  static func scanned(
    _ text: Span<UInt8>,
    zone: TimeZoneRules,
    reading: DateReading
  ) -> Timestamp? {
    var scanner = DateScanner(text)
    scanner.trim()
    if let number = scanner.wholeNumber() {
      return fromMilliseconds(number.value, fraction: number.milliseconds, reading: reading)
    }
    guard let date = scanner.date() else { return nil }
    if scanner.isAtEnd { return resolve(date, ClockReading(), zone: zone) }
    guard let clock = scanner.clock(), scanner.isAtEnd else { return nil }
    return resolve(date, clock, zone: zone)
  }

  /// Reads a date field's text.
  public static func parse(
    text: String,
    zone: TimeZoneRules,
    reading: DateReading = .iso
  ) -> Timestamp? {
    parse(Array(text.utf8).span, zone: zone, reading: reading)
  }

  /// Reads a number: Unix seconds, or milliseconds where it is at least 10¹¹ (the year 5138 in
  /// seconds, 1973 in milliseconds); with `apple`, seconds since 2001.
  public static func fromNumber(_ value: Int64, reading: DateReading = .iso) -> Timestamp? {
    fromMilliseconds(value, fraction: 0, reading: reading)
  }

  /// Reads a number as `fromNumber(_: Int64)` does, its fraction rounded to milliseconds.
  ///
  /// NaN,
  /// infinities and instants outside the years 0001 to 9999 are nil.
  public static func fromNumber(_ value: Double, reading: DateReading = .iso) -> Timestamp? {
    guard value.isFinite else { return nil }
    var milliseconds = value
    switch reading {
    case .iso: if abs(value) < firstMilliseconds { milliseconds *= 1000 }
    case .apple: milliseconds = (value + 978_307_200) * 1000
    }
    guard let whole = Int64(exactly: milliseconds.rounded()) else { return nil }
    let time = Timestamp(milliseconds: whole)
    return time.isInRange ? time : nil
  }

  /// Reads the `YYYY-M-D-` (or a whole `YYYY-M-D`) at the start of a file name without extension:
  /// midnight in `zone` and the length of what was read, its last hyphen included.
  public static func fileNamePrefix(
    _ name: Span<UInt8>,
    zone: TimeZoneRules
  ) -> (time: Timestamp, length: Int)? {
    var scanner = DateScanner(name)
    guard let date = scanner.date(), scanner.isAtEnd || scanner.take("-"),
      let time = resolve(date, ClockReading(), zone: zone)
    else { return nil }
    return (time, scanner.position)
  }

  private static let firstMilliseconds = 1e11

  private static func fromMilliseconds(
    _ value: Int64,
    fraction: Int64,
    reading: DateReading
  ) -> Timestamp? {
    if reading == .iso, Double(value.magnitude) >= firstMilliseconds {
      let time = Timestamp(milliseconds: value)
      return time.isInRange ? time : nil
    }
    let epoch: Int64 = reading == .apple ? 978_307_200_000 : 0
    let (product, overflow) = value.multipliedReportingOverflow(by: 1000)
    let (sum, tooLarge) = product.addingReportingOverflow(epoch + fraction)
    let time = Timestamp(milliseconds: sum)
    return !overflow && !tooLarge && time.isInRange ? time : nil
  }

  private static func resolve(
    _ date: (year: Int, month: Int, day: Int),
    _ clock: ClockReading,
    zone: TimeZoneRules
  ) -> Timestamp? {
    // The last minute's 60th second and 24:00 are the moments after 59 and 23:59:59.
    let isLeapSecond = clock.second == 60
    let isEndOfDay = clock.hour == 24
    if isEndOfDay, clock.minute != 0 || clock.second != 0 || clock.millisecond != 0 { return nil }
    guard (1...9999).contains(date.year),
      let civil = CivilTime(
        year: date.year,
        month: date.month,
        day: date.day,
        hour: isEndOfDay ? 0 : clock.hour,
        minute: clock.minute,
        second: isLeapSecond ? 59 : clock.second,
        millisecond: isLeapSecond ? 0 : clock.millisecond,
        offset: clock.offset ?? 0
      )
    else { return nil }
    var time = clock.offset == nil ? zone.timestamp(of: civil) : civil.timestamp
    if isEndOfDay {
      // The next day's midnight by the zone's clock, which may be 23 or 25 hours away.
      let next = CivilTime(
        at: Timestamp(milliseconds: civil.millisecondsOnTheClock + Calendar.millisecondsPerDay),
        offset: 0
      )
      time =
        clock.offset == nil
        ? zone.timestamp(of: next)
        : Timestamp(milliseconds: time.milliseconds + Calendar.millisecondsPerDay)
    }
    if isLeapSecond {
      time.milliseconds += 1000
      let after = CivilTime(at: time, offset: 0)
      guard after.day == 1, after.hour == 0, after.minute == 0, after.second == 0 else {
        return nil
      }
    }
    return time.isInRange ? time : nil
  }
}

/// A time of day as written; `offset` is nil where none was.
struct ClockReading {
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0
  /// Seconds east of UTC.
  var offset: Int?
}

/// Walks over the bytes of a date.
struct DateScanner: ~Escapable {
  private let bytes: Span<UInt8>
  private(set) var position = 0
  private var end: Int

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    end = bytes.count
  }

  var isAtEnd: Bool { position == end }

  private var next: UInt8 { position < end ? bytes[position] : 0 }

  /// Leaves out blanks and line ends around the text.
  @_lifetime(self: copy self)
  mutating func trim() {
    while position < end, isBlank(bytes[position]) { position += 1 }
    while end > position, isBlank(bytes[end - 1]) { end -= 1 }
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  @_lifetime(self: copy self)
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private func digit(at index: Int) -> Int? {
    guard index < end else { return nil }
    let value = bytes[index] &- UInt8(ascii: "0")
    return value < 10 ? Int(value) : nil
  }

  /// A number of `counts` digits that no further digit follows.
  @_lifetime(self: copy self)
  private mutating func number(digits counts: ClosedRange<Int>) -> Int? {
    var value = 0
    var index = position
    while let digit = digit(at: index) {
      guard index - position < counts.upperBound else { return nil }
      value = value * 10 + digit
      index += 1
    }
    guard index - position >= counts.lowerBound else { return nil }
    position = index
    return value
  }

  /// `[-+]digits[.digits]` up to the end, else nil with nothing read.
  ///
  /// The fraction is cut to
  /// milliseconds and has the sign of the whole.
  @_lifetime(self: copy self)
  mutating func wholeNumber() -> (value: Int64, milliseconds: Int64)? {
    let isNegative = next == UInt8(ascii: "-")
    var index = isNegative || next == UInt8(ascii: "+") ? position + 1 : position
    guard digit(at: index) != nil else { return nil }
    var value: Int64 = 0
    while let digit = digit(at: index) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, tooLarge) = product.addingReportingOverflow(Int64(digit))
      if overflow || tooLarge { return nil }
      value = sum
      index += 1
    }
    var fraction: Int64 = 0
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digit(at: index) != nil else { return nil }
      var weight: Int64 = 100
      while let digit = digit(at: index) {
        fraction += weight * Int64(digit)
        weight /= 10
        index += 1
      }
    }
    guard index == end else { return nil }
    position = end
    return isNegative ? (-value, -fraction) : (value, fraction)
  }

  /// `YYYY-M-D`.
  @_lifetime(self: copy self)
  mutating func date() -> (year: Int, month: Int, day: Int)? {
    guard let year = number(digits: 4...4), take("-"), let month = number(digits: 1...2), take("-"),
      let day = number(digits: 1...2)
    else { return nil }
    return (year, month, day)
  }

  /// `T` or a blank, `H:MM[:SS[.f…]]` and perhaps an offset.
  @_lifetime(self: copy self)
  mutating func clock() -> ClockReading? {
    var clock = ClockReading()
    guard take("T") || take("t") || take(" "), let hour = number(digits: 1...2), hour <= 24,
      take(":"), let minute = number(digits: 2...2)
    else { return nil }
    clock.hour = hour
    clock.minute = minute
    if take(":") {
      guard let second = number(digits: 2...2) else { return nil }
      clock.second = second
      if take(".") || take(",") {
        guard let fraction = fraction() else { return nil }
        clock.millisecond = fraction
      }
    }
    if isAtEnd { return clock }
    _ = take(" ")
    guard let offset = offset() else { return nil }
    clock.offset = offset
    return clock
  }

  /// Any number of digits after the point, cut to milliseconds.
  @_lifetime(self: copy self)
  private mutating func fraction() -> Int? {
    guard digit(at: position) != nil else { return nil }
    var value = 0
    var weight = 100
    while let digit = digit(at: position) {
      value += weight * digit
      weight /= 10
      position += 1
    }
    return value
  }

  /// `Z`, `UTC`, `±HH:MM`, `±HHMM` or `±HH` in seconds.
  @_lifetime(self: copy self)
  private mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    if take("U") { return take("T") && take("C") ? 0 : nil }
    let isNegative = take("-")
    guard isNegative || take("+"), let tens = digit(at: position),
      let ones = digit(at: position + 1)
    else { return nil }
    position += 2
    let hours = tens * 10 + ones
    var minutes = 0
    if take(":") || !isAtEnd {
      guard let value = number(digits: 2...2) else { return nil }
      minutes = value
    }
    guard hours < 24, minutes < 60 else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isNegative ? -seconds : seconds
  }
}
