extension TimestampParser {
  /// Reads `YYYY-MM-DDTHH:MM:SS`, perhaps `.mmm`, and `Z` or `±HH:MM`, as nearly all exports write it.
  ///
  /// - Returns: Nil for everything else and for what is rare (leap seconds, 24:00, years near the
  ///   ends of the range): the scanner decides about those.
  @inline(__always)
  static func common(_ text: Span<UInt8>) -> Timestamp? {
    text.withUnsafeBufferPointer { text in
      guard text.count == 20 || text.count == 24 || text.count == 25 else { return nil }
      var form = FixedForm(text: text)
      let year = form.two(0) &* 100 &+ form.two(2)
      let (month, day) = (form.two(5), form.two(8))
      let (hour, minute, second) = (form.two(11), form.two(14), form.two(17))
      form.expect(UInt8(ascii: "-"), 4)
      form.expect(UInt8(ascii: "-"), 7)
      form.expect(UInt8(ascii: "T"), 10)
      form.expect(UInt8(ascii: ":"), 13)
      form.expect(UInt8(ascii: ":"), 16)
      var offset = 0
      var millisecond = 0
      if text.count == 25 {
        let (hours, minutes) = (form.two(20), form.two(23))
        offset = hours &* 60 &+ minutes
        form.wrong |= hours > 14 || minutes > 59 ? 1 : 0
        form.expect(UInt8(ascii: ":"), 22)
        switch text[19] {
        case UInt8(ascii: "+"): break
        case UInt8(ascii: "-"): offset = -offset
        default: return nil
        }
      } else {
        form.expect(UInt8(ascii: "Z"), text.count - 1)
        if text.count == 24 {
          form.expect(UInt8(ascii: "."), 19)
          millisecond = form.two(20) &* 10 &+ form.one(22)
        }
      }
      guard form.wrong == 0, year > 1, year < 9999, month >= 1, month <= 12, day >= 1, hour <= 23,
        minute <= 59, second <= 59,
        day <= 28 || day <= Calendar.days(inMonth: month, of: year)
      else { return nil }
      let days = Calendar.dayNumber(year: Int64(year), month: month, day: day)
      let seconds = (hour &* 60 &+ minute &- offset) &* 60 &+ second
      return Timestamp(
        milliseconds: days &* Calendar.millisecondsPerDay &+ Int64(seconds) &* 1000
          &+ Int64(millisecond)
      )
    }
  }
}

/// A text in which digits and signs have fixed places; what is wrong is noted and asked for at the
/// end, which needs no branch for each byte.
private struct FixedForm {
  let text: UnsafeBufferPointer<UInt8>
  /// 0 as long as nothing is.
  var wrong: UInt8 = 0

  @inline(__always)
  mutating func one(_ place: Int) -> Int {
    let digit = text[place] &- 0x30
    wrong |= digit > 9 ? 1 : 0
    return Int(digit)
  }

  @inline(__always)
  mutating func two(_ place: Int) -> Int { one(place) &* 10 &+ one(place + 1) }

  @inline(__always)
  mutating func expect(_ byte: UInt8, _ place: Int) { wrong |= text[place] ^ byte }
}
