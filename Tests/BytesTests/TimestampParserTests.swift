import Testing

@testable import Bytes

@Suite
struct TimestampParserTests {
  /// What people and tools write in a date field, and the instant in UTC; nil where it is no date.
  static let texts: [(String, String?)] = [
    ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
    ("2023-02-29T00:00:00Z", nil),
    ("2024-02-30T00:00:00Z", nil),
    ("1900-02-29T00:00:00Z", nil),
    ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("2016-12-31T23:59:60.9Z", "2017-01-01T00:00:00Z"),
    ("2017-01-01T08:59:60+09:00", "2017-01-01T00:00:00Z"),
    ("2016-12-31T22:59:60Z", nil),
    ("2016-12-30T23:59:60Z", nil),
    ("2016-12-31T23:59:61Z", nil),
    ("2015-06-30T23:59:60Z", "2015-07-01T00:00:00Z"),
    ("2024-01-01T24:00:00Z", "2024-01-02T00:00:00Z"),
    ("2024-02-29 24:00", "2024-03-01T00:00:00Z"),
    ("2024-01-01T24:00:01Z", nil),
    ("2024-01-01T24:00:00.001Z", nil),
    ("2024-01-01T25:00:00Z", nil),
    ("2024-13-01T00:00:00Z", nil),
    ("2024-00-01T00:00:00Z", nil),
    ("2024-01-00T00:00:00Z", nil),
    ("2024-01-32T00:00:00Z", nil),
    ("2024-01-01T00:60:00Z", nil),
    ("0000-01-01T00:00:00Z", nil),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("0001-01-01T00:00:00+01:00", nil),
    ("-0001-01-01T00:00:00Z", nil),
    ("1582-10-10T00:00:00Z", "1582-10-10T00:00:00Z"),
    ("1752-09-05T00:00:00Z", "1752-09-05T00:00:00Z"),
    ("1883-11-18T12:00:00-05:00", "1883-11-18T17:00:00Z"),
    ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
    ("1901-12-13T20:45:51Z", "1901-12-13T20:45:51Z"),
    ("2038-01-19T03:14:08Z", "2038-01-19T03:14:08Z"),
    ("2106-02-07T06:28:16Z", "2106-02-07T06:28:16Z"),
    ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ("9999-12-31T23:59:59-00:01", nil),
    ("9999-12-31T24:00:00Z", nil),
    ("10000-01-01T00:00:00Z", nil),
    ("+10000-01-01T00:00:00Z", nil),
    ("+275760-09-13T00:00:00Z", nil),
    ("292277026596-12-04T15:30:08Z", nil),
    ("2024-03-10T02:30:00 America/New_York", nil),
    ("2024-11-03T06:30:00Z", "2024-11-03T06:30:00Z"),
    ("2024-01-01T00:00:00+14:00", "2023-12-31T10:00:00Z"),
    ("2024-01-01T00:00:00-12:00", "2024-01-01T12:00:00Z"),
    ("2024-01-01T00:00:00+25:00", nil),
    ("2024-01-01T00:00:00+00:60", nil),
    ("2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00Z"),
    ("2024-01-01T00:00:00+0530", "2023-12-31T18:30:00Z"),
    ("2024-01-01T00:00:00+05:45", "2023-12-31T18:15:00Z"),
    ("2024-01-01 00:00:00 +0100", "2023-12-31T23:00:00Z"),
    ("2024-01-01 00:00:00+00", "2024-01-01T00:00:00Z"),
    ("2024-01-01 00:00:00 UTC", "2024-01-01T00:00:00Z"),
    ("2024-01-01T00:00:00+1", nil),
    ("2024-01-01T00:00:00+01:", nil),
    ("2024-01-01T00:00:00+01000", nil),
    ("2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123Z"),
    ("2024-01-01T00:00:00.9999Z", "2024-01-01T00:00:00.999Z"),
    ("2024-01-01T00:00:00.\(String(repeating: "1", count: 100))Z", "2024-01-01T00:00:00.111Z"),
    ("2024-01-01T00:00:00.Z", nil),
    ("2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00.500Z"),
    ("2024-01-01t00:00:00z", "2024-01-01T00:00:00Z"),
    ("2024-01-01 00:00:00", "2024-01-01T00:00:00Z"),
    ("2024-01-01 09:05", "2024-01-01T09:05:00Z"),
    ("2024-01-01 9:05", "2024-01-01T09:05:00Z"),
    ("2024-01-01", "2024-01-01T00:00:00Z"),
    (" 2024-01-01\r\n", "2024-01-01T00:00:00Z"),
    ("2024-1-1", "2024-01-01T00:00:00Z"),
    ("2024-W01-1", nil), ("2024-001", nil), ("20240101T000000Z", nil), ("24-01-01", nil),
    ("01/02/2024", nil), ("1.2.2024", nil), ("2024-01", nil), ("2024-01-01T", nil),
    ("2024-01-01T00", nil), ("2024-01-01Z", nil), ("2024-01-01T0:0", nil),
    ("Mon, 01 Jan 2024 00:00:00 GMT", nil), ("Mon Jan  1 00:00:00 2024", nil),
    ("1 Jan 24 00:00 EST", nil),
    ("now", nil), ("yesterday", nil), ("", nil), ("null", nil), (" ", nil), ("-", nil), (".5", nil),
    ("0", "1970-01-01T00:00:00Z"),
    ("-1", "1969-12-31T23:59:59Z"),
    ("-0.5", "1969-12-31T23:59:59.500Z"),
    ("1704067200", "2024-01-01T00:00:00Z"),
    ("1704067200000", "2024-01-01T00:00:00Z"),
    ("1704067200000000", nil),
    ("1704067200.5", "2024-01-01T00:00:00.500Z"),
    ("1704067200.000100", "2024-01-01T00:00:00Z"),
    ("-62135596801", nil),
    ("253402300800", "1978-01-11T21:31:40.800Z"),
    ("9223372036854775807", nil), ("9223372036854775808", nil), ("-9223372036854775808", nil),
    ("1e18", nil), ("1e300", nil), ("-1e300", nil), ("NaN", nil), ("Infinity", nil),
    ("0x65920080", nil), ("1704067200.", nil), ("--1", nil), ("1_000", nil),
    ("\u{0662}\u{0660}\u{0662}\u{0664}-01-01", nil),
    ("\u{FF12}\u{FF10}\u{FF12}\u{FF14}-01-01", nil),
    ("2024\u{2013}01\u{2013}01", nil),
    ("2024-01-01T00:00:00Z<script>alert(1)</script>", nil),
    ("2024-01-01T00:00:00Z\0", nil),
    ("3024-01-01T00:00:00Z", "3024-01-01T00:00:00Z"),
  ]

  @Test(arguments: texts)
  func reads(text: String, expected: String?) {
    #expect(TimestampParser.parse(text: text, zone: .utc)?.description == expected)
  }

  /// Readings without an offset are the zone's; the others pay no heed to it.
  @Test(arguments: [
    ("America/New_York", "2024-03-10T02:30:00", "2024-03-10T07:30:00Z"),
    ("America/New_York", "2024-11-03T01:30:00", "2024-11-03T05:30:00Z"),
    ("Europe/London", "2024-03-31T01:30:00", "2024-03-31T01:30:00Z"),
    ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
    ("Australia/Lord_Howe", "2024-04-07 01:45", "2024-04-06T14:45:00Z"),
    ("Europe/Berlin", "2024-05-17", "2024-05-16T22:00:00Z"),
    ("Europe/Berlin", "2024-03-30 24:00", "2024-03-30T23:00:00Z"),
    ("Europe/Berlin", "2024-03-31 24:00", "2024-03-31T22:00:00Z"),
    ("Europe/Berlin", "2017-01-01 00:59:60", "2017-01-01T00:00:00Z"),
    ("Europe/Berlin", "2024-05-17T00:00:00Z", "2024-05-17T00:00:00Z"),
    ("Europe/Berlin", "1704067200", "2024-01-01T00:00:00Z"),
  ])
  func readsInAZone(zone: String, text: String, expected: String) throws {
    let zone = try TimeZoneRules(named: zone)
    #expect(TimestampParser.parse(text: text, zone: zone)?.description == expected)
  }

  @Test(
    arguments: [
      (0.0, "1970-01-01T00:00:00Z"), (-0.0, "1970-01-01T00:00:00Z"),
      (1_704_067_200.123, "2024-01-01T00:00:00.123Z"),
      (1_704_067_200_123.4, "2024-01-01T00:00:00.123Z"),
      (1e18, nil), (1e300, nil), (-1e300, nil), (.nan, nil), (.infinity, nil), (-.infinity, nil),
      (.signalingNaN, nil), (.greatestFiniteMagnitude, nil),
      (.leastNonzeroMagnitude, "1970-01-01T00:00:00Z"),
      (-62_135_596_800, "0001-01-01T00:00:00Z"), (-62_135_596_801, nil),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, nil),
    ] as [(Double, String?)]
  )
  func readsNumbers(number: Double, expected: String?) {
    #expect(TimestampParser.fromNumber(number)?.description == expected)
    if let whole = Int64(exactly: number) {
      #expect(TimestampParser.fromNumber(whole)?.description == expected)
    }
  }

  @Test
  func readsAppleDates() {
    #expect(
      TimestampParser.fromNumber(0 as Int64, reading: .apple)?.description == "2001-01-01T00:00:00Z"
    )
    #expect(
      TimestampParser.fromNumber(725_760_000.25, reading: .apple)?.description
        == "2024-01-01T00:00:00.250Z"
    )
    #expect(TimestampParser.fromNumber(Double.nan, reading: .apple) == nil)
    #expect(TimestampParser.fromNumber(Int64.max, reading: .apple) == nil)
    #expect(TimestampParser.fromNumber(Int64.min, reading: .apple) == nil)
    #expect(
      TimestampParser.parse(text: "-1.5", zone: .utc, reading: .apple)?.description
        == "2000-12-31T23:59:58.500Z"
    )
    #expect(
      TimestampParser.parse(text: "2024-01-01", zone: .utc, reading: .apple)?.description
        == "2024-01-01T00:00:00Z"
    )
  }

  @Test(arguments: [
    ("2024-5-7-hello", "2024-05-07T00:00:00Z", 9), ("2024-05-17", "2024-05-17T00:00:00Z", 10),
    ("2024-05-17-", "2024-05-17T00:00:00Z", 11),
  ])
  func readsFileNamePrefixes(name: String, expected: String, length: Int) {
    let found = TimestampParser.fileNamePrefix(Array(name.utf8).span, zone: .utc)
    #expect(found?.time.description == expected)
    #expect(found?.length == length)
  }

  @Test(arguments: ["2024-05-32-x", "2024-05-17x", "hello", "2024-05", "12024-05-17-x", ""])
  func otherFileNamesHaveNone(name: String) {
    let found = TimestampParser.fileNamePrefix(Array(name.utf8).span, zone: .utc)
    #expect(found?.length == nil)
  }

  @Test
  func everyReadableInstantComesBackFromItsText() {
    var state: UInt64 = 1
    for _ in 0..<20_000 {
      state = Fingerprint.mix(state, 0x51)
      let range = UInt64(Timestamp.latest.milliseconds - Timestamp.earliest.milliseconds)
      let time = Timestamp(
        milliseconds: Timestamp.earliest.milliseconds + Int64(state % range)
      )
      if TimestampParser.parse(text: time.description, zone: .utc) != time {
        Issue.record("\(time)")
      }
    }
  }

  @Test("The fast path reads what the scanner reads")
  func fastPath() {
    var state: UInt64 = 9
    func random(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let endings = [
      "Z", ".123Z", "+05:30", "-08:00", "+23:59", "-14:00", "+00:60", ".12aZ", "z", "",
    ]
    var hits = 0
    for _ in 0..<20_000 {
      let year = [0, 1, 2, 1970, 1900, 2000, 2023, 2024, 9998, 9999][random(10)]
      let digits = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)"
      var text = Array(
        ("\(digits)-\(two(random(14)))-\(two(random(34)))T\(two(random(26))):\(two(random(62)))"
          + ":\(two(random(62)))\(endings[random(10)])").utf8
      )
      if random(10) == 0 { text[random(UInt64(text.count))] = UInt8(random(128)) }
      guard let time = TimestampParser.common(text.span) else { continue }
      hits += 1
      #expect(TimestampParser.scanned(text.span, zone: .utc, reading: .iso) == time)
    }
    #expect(hits > 1000)
  }
}
