extension ByteBuffer {
  /// Appends an instant as RFC 3339 in UTC, such as `2024-05-17T09:30:00Z`.
  ///
  /// Milliseconds stand only where they are not zero. `undated` appends nothing.
  public mutating func append(rfc3339 time: Timestamp) {
    if time.isUndated { return }
    append(rfc3339: CivilTime(at: time, offset: 0))
  }

  /// Appends an instant as RFC 3339 with the zone's offset, such as `2024-05-17T11:30:00+02:00`.
  ///
  /// RFC 3339 has no seconds in an offset: local mean times, as before 1900, are written with the
  /// offset rounded to the minute and the clock moved with it. `undated` appends nothing.
  public mutating func append(rfc3339 time: Timestamp, in zone: TimeZoneRules) {
    if time.isUndated { return }
    let minutes = Int64(zone.offset(at: time) + 30).flooredQuotient(by: 60)
    append(rfc3339: CivilTime(at: time, offset: Int(minutes) * 60))
  }

  private mutating func append(rfc3339 civil: CivilTime) {
    append(date: civil)
    append(clock: UInt32(truncatingIfNeeded: (civil.hour * 60 + civil.minute) * 60 + civil.second))
    if civil.millisecond != 0 {
      append(UInt8(ascii: "."))
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: civil.millisecond / 100))
      append(twoDigits: civil.millisecond % 100)
    }
    if civil.offset == 0 {
      append(UInt8(ascii: "Z"))
      return
    }
    append(UInt8(ascii: civil.offset < 0 ? "-" : "+"))
    let minutes = Int(civil.offset.magnitude) / 60
    append(twoDigits: minutes / 60)
    append(UInt8(ascii: ":"))
    append(twoDigits: minutes % 60)
  }

  /// Appends `YYYY-MM-DD`.
  public mutating func append(date civil: CivilTime) {
    if (0...9999).contains(civil.year) {
      append(twoDigits: civil.year / 100)
      append(twoDigits: civil.year % 100)
    } else {
      append(decimal: civil.year)
    }
    append(UInt8(ascii: "-"))
    append(twoDigits: civil.month)
    append(UInt8(ascii: "-"))
    append(twoDigits: civil.day)
  }

  /// Appends `T` and the time of day, such as `T09:30:00`, for a second of the day.
  public mutating func append(clock second: UInt32) {
    let colon = UInt64(UInt8(ascii: ":"))
    let minute = second / 60
    let hour = minute / 60
    let hours = UInt64(UInt8(ascii: "T")) | Self.digits(hour) << 8
    let minutes = colon << 24 | Self.digits(minute - hour * 60) << 32
    append(word: hours | minutes | colon << 48, count: 7)
    append(word: Self.digits(second - minute * 60), count: 2)
  }

  /// Appends a number from 0 to 99 as two digits.
  @inline(__always)
  public mutating func append(twoDigits value: Int) {
    append(word: Self.digits(UInt32(truncatingIfNeeded: value)), count: 2)
  }

  /// The two digits of a number from 0 to 99, the first in the lowest byte.
  @inline(__always)
  private static func digits(_ value: UInt32) -> UInt64 {
    let tens = value / 10
    return UInt64(0x3030 &+ tens &+ (value &- tens &* 10) &<< 8)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, or `undated`.
  public var description: String {
    if isUndated { return "undated" }
    var buffer = ByteBuffer(capacity: 32)
    buffer.append(rfc3339: self)
    return buffer.string
  }
}
