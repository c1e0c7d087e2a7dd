import Bytes

extension TimeZoneRules {
  private static let dayInMilliseconds: Int64 = 86_400_000

  /// The local time under which an entry is filed: its day never comes before that of an earlier
  /// entry.
  ///
  /// Where clocks go back over midnight (St. John's until 2011, from 00:01 to 23:01) a day begins,
  /// ends and begins again. What falls into the first beginning counts as the day before, so that a
  /// day, and with it its page, is one stretch of time.
  func filing(at time: Timestamp) -> CivilTime {
    let civil = civil(at: time)
    let dayLater = time.milliseconds.addingReportingOverflow(Self.dayInMilliseconds)
    if dayLater.overflow { return civil }
    let offset = Int64(self.offset(at: Timestamp(milliseconds: dayLater.partialValue))) * 1000
    if offset >= Int64(civil.offset) * 1000 { return civil }
    // The last midnight at which this day begins, if the clocks go back over it.
    let local = time.milliseconds + Int64(civil.offset) * 1000
    let intoDay =
      ((local % Self.dayInMilliseconds) + Self.dayInMilliseconds) % Self.dayInMilliseconds
    let lastBeginning = local - intoDay - offset
    let before = Timestamp(milliseconds: lastBeginning - 1)
    let isRepeated =
      time.milliseconds < lastBeginning && Int64(self.offset(at: before)) * 1000 == offset
    return isRepeated ? self.civil(at: before) : civil
  }
}
