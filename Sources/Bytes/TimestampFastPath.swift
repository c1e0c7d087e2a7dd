extension TimestampParser {
  /// Reads `YYYY-MM-DDTHH:MM:SS`, perhaps `.mmm`, and `Z` or `±HH:MM`, as nearly all exports write it.
  ///
  /// - Returns: Nil for everything else and for what is rare (leap seconds, 24:00, years near the
  ///   ends of the range): the scanner decides about those.
  @inline(__always)
  static func common(_ text: Span<UInt8>) -> Timestamp? {
    text.withUnsafeBufferPointer { text in
      guard text.count == 20 || text.count == 24 || text.count == 25 else { return nil }
      var wrong: UInt8 = 0
      func two(_ place: Int) -> Int {
        let tens = text[place] &- 0x30
        let ones = text[place + 1] &- 0x30
        wrong |= (tens > 9 ? 1 : 0) | (ones > 9 ? 1 : 0)
        return Int(tens) &* 10 &+ Int(ones)
      }
      func expect(_ byte: UInt8, _ place: Int) { wrong |= text[place] ^ byte }
      let year = two(0) &* 100 &+ two(2)
      let (month, day) = (two(5), two(8))
      let (hour, minute, second) = (two(11), two(14), two(17))
      expect(UInt8(ascii: "-"), 4)
      expect(UInt8(ascii: "-"), 7)
      expect(UInt8(ascii: "T"), 10)
      expect(UInt8(ascii: ":"), 13)
      expect(UInt8(ascii: ":"), 16)
      var offset = 0
      var millisecond = 0
      if text.count == 25 {
        offset = two(20) &* 60 &+ two(23)
        wrong |= two(20) > 14 || two(23) > 59 ? 1 : 0
        expect(UInt8(ascii: ":"), 22)
        switch text[19] {
        case UInt8(ascii: "+"): break
        case UInt8(ascii: "-"): offset = -offset
        default: return nil
        }
      } else {
        expect(UInt8(ascii: "Z"), text.count - 1)
        if text.count == 24 {
          expect(UInt8(ascii: "."), 19)
          let last = text[22] &- 0x30
          wrong |= last > 9 ? 1 : 0
          millisecond = two(20) &* 10 &+ Int(last)
        }
      }
      guard wrong == 0, year > 1, year < 9999, month >= 1, month <= 12, day >= 1, hour <= 23,
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
