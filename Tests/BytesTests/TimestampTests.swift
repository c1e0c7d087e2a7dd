import Bytes
import Testing

@Suite
struct TimestampTests {
  /// Instants and how RFC 3339 writes them in UTC.
  static let written: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
    (1_709_164_800_000, "2024-02-29T00:00:00Z"),
    (951_782_400_007, "2000-02-29T00:00:00.007Z"),
    (-2_203_891_200_000, "1900-03-01T00:00:00Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ]

  @Test(arguments: written)
  func writesRFC3339(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
    #expect(
      TimestampParser.parse(text: text, zone: .utc) == Timestamp(milliseconds: milliseconds)
    )
  }

  @Test
  func undatedSortsFirstAndWritesNothing() {
    #expect(Timestamp.undated < .earliest)
    #expect(!Timestamp.undated.isInRange)
    var buffer = ByteBuffer()
    buffer.append(rfc3339: .undated)
    buffer.append(rfc3339: .undated, in: .utc)
    let isEmpty = buffer.isEmpty
    #expect(isEmpty)
  }

  @Test
  func everyDayOfTwoErasHasTheNextDate() throws {
    var expected = (year: 1600, month: 1, day: 1)
    var time = try #require(CivilTime(year: 1600, month: 1, day: 1)).timestamp
    var weekday = 6  // 1600-01-01 was a Saturday.
    while expected.year < 2400 {
      let civil = CivilTime(at: time, offset: 0)
      guard (civil.year, civil.month, civil.day) == expected, civil.weekday == weekday,
        civil.timestamp == time
      else {
        Issue.record("\(civil) instead of \(expected)")
        return
      }
      time.milliseconds += 86_400_000
      weekday = (weekday + 1) % 7
      expected.day += 1
      if CivilTime(year: expected.year, month: expected.month, day: expected.day) == nil {
        expected =
          expected.month == 12
          ? (expected.year + 1, 1, 1) : (expected.year, expected.month + 1, 1)
      }
    }
  }

  @Test
  func civilTimesOutsideTheCalendarAreNil() {
    #expect(CivilTime(year: 2023, month: 2, day: 29) == nil)
    #expect(CivilTime(year: 2024, month: 13, day: 1) == nil)
    #expect(CivilTime(year: 2024, month: 1, day: 1, hour: 24) == nil)
    #expect(CivilTime(year: 2024, month: 1, day: 1, second: 60) == nil)
  }

  @Test(arguments: [Int64.min, .min + 1, .max, .max - 1])
  func noInstantTraps(milliseconds: Int64) {
    let civil = CivilTime(at: Timestamp(milliseconds: milliseconds), offset: 50_400)
    #expect((1...12).contains(civil.month))
    #expect(!Timestamp(milliseconds: milliseconds).description.isEmpty)
  }
}
