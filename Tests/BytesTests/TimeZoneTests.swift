import Bytes
import Testing

@Suite
struct TimeZoneTests {
  private func zones(in rows: [[String]]) throws -> [String: TimeZoneRules] {
    var zones: [String: TimeZoneRules] = [:]
    for name in Set(rows.map { $0[0] }) {
      let file = name.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
      let path = "timezones/\(String(decoding: file, as: UTF8.self)).tzif"
      zones[name] = try TimeZoneRules(name: name, tzif: Fixtures.bytes(path))
    }
    return zones
  }

  @Test
  func offsetsAndNamesAreThoseOfAnotherImplementation() throws {
    let rows = try Fixtures.rows("timezones/offsets.tsv")
    let zones = try zones(in: rows)
    #expect(rows.count == 1269)
    for row in rows {
      let zone = try #require(zones[row[0]])
      let time = Timestamp(milliseconds: try #require(Int64(row[1])) * 1000)
      let found = "\(zone.offset(at: time)) \(zone.abbreviation(at: time))"
      if found != "\(row[2]) \(row[3])" { Issue.record("\(row): \(found)") }
    }
  }

  @Test
  func clockReadingsInGapsAndOverlapsAreThoseOfAnotherImplementation() throws {
    let rows = try Fixtures.rows("timezones/local.tsv")
    let zones = try zones(in: rows)
    #expect(rows.count == 2452)
    for row in rows {
      let zone = try #require(zones[row[0]])
      let clock = Timestamp(milliseconds: try #require(Int64(row[1])) * 1000)
      let found = zone.timestamp(of: CivilTime(at: clock, offset: 0)).seconds
      if "\(found)" != row[2] { Issue.record("\(row): \(found)") }
    }
  }

  @Test
  func aReadingWithinAZoneComesBack() throws {
    let berlin = try TimeZoneRules(named: "Europe/Berlin")
    let time = Timestamp(milliseconds: 1_715_938_200_123)
    let civil = berlin.civil(at: time)
    #expect(
      civil
        == CivilTime(
          year: 2024,
          month: 5,
          day: 17,
          hour: 11,
          minute: 30,
          millisecond: 123,
          offset: 7200
        )
    )
    #expect(civil.weekday == 5)
    #expect(berlin.timestamp(of: civil) == time)
    var buffer = ByteBuffer()
    buffer.append(rfc3339: time, in: berlin)
    let text = buffer.string
    #expect(text == "2024-05-17T11:30:00.123+02:00")
  }

  @Test(arguments: [
    ("Europe/Berln", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
    ("America/New York", "America/New_York"), ("Berlin", "Europe/Berlin"),
    ("Asia/Kahtmandu", "Asia/Kathmandu"),
  ])
  func anUnknownNameBringsTheNearest(name: String, suggestion: String) {
    #expect(throws: TimeZoneError.unknown(name: name, suggestion: suggestion)) {
      try TimeZoneRules(named: name)
    }
  }

  @Test(arguments: [
    "", "../../../etc/passwd", "/etc/localtime", "Europe/../Europe/Berlin", "Europe/", "Europe",
    "localtime", "posixrules", "Europe/Berlin\0x", "Xyzzy/Plugh", "tzdata.zi", ".",
    "Europe//Berlin",
  ])
  func whatIsNoZoneIsUnknown(name: String) {
    let error = #expect(throws: TimeZoneError.self) { try TimeZoneRules(named: name) }
    guard case .unknown(name, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test
  func everyStumpOfAFileIsAnErrorAndNoTrap() throws {
    let file = try Fixtures.bytes("timezones/Asia_Gaza.tzif")
    for length in 0..<file.count {
      #expect(throws: TimeZoneError.self) {
        try TimeZoneRules(name: "x", tzif: Array(file[..<length]))
      }
    }
  }

  @Test
  func noChangedByteTraps() throws {
    let file = try Fixtures.bytes("timezones/Africa_Monrovia.tzif")
    var read = 0
    for position in file.indices {
      for value: UInt8 in [0, 1, 0x2C, 0x39, 0x7F, 0x80, 0xFF] {
        var changed = file
        changed[position] = value
        guard let zone = try? TimeZoneRules(name: "x", tzif: changed) else { continue }
        read += 1
        for time in [Timestamp.undated, .earliest, .latest, Timestamp(milliseconds: .max)] {
          let civil = zone.civil(at: time)
          _ = zone.timestamp(of: civil)
        }
      }
    }
    #expect(read > 100)
  }

  /// Footers as RFC 9636 and POSIX allow them, at 2300-01-15 and 2300-07-15 noon UTC.
  @Test(arguments: [
    ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
    ("EST5EDT,0/0,J365/25", -14_400, -14_400),
    ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", -10_800, -7200),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600),
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", 46_800, 43_200),
    ("<+0330>-3:30", 12_600, 12_600),
    ("AAA-1BBB-3:15:30,J60,J61/167", 3600, 3600),
  ])
  func footersRuleTheFarFuture(footer: String, winter: Int, summer: Int) throws {
    let zone = try TimeZoneRules(name: "x", tzif: tzif(footer: footer))
    #expect(zone.offset(at: Timestamp(milliseconds: 10_414_785_600_000)) == winter)
    #expect(zone.offset(at: Timestamp(milliseconds: 10_430_424_000_000)) == summer)
  }

  @Test(arguments: [
    "E5", "EST", "EST5EDT", "EST5EDT,M13.1.0,M11.1.0", "EST5EDT,M3.2.0", "<EST5", "EST25",
    "EST5EDT,M3.2.0,M11.1.0x", "EST5EDT,J0,J365", "EST5EDT,M3.2.0/168,M11.1.0",
  ])
  func malformedFootersAreErrors(footer: String) {
    #expect(throws: TimeZoneError.self) { try TimeZoneRules(name: "x", tzif: tzif(footer: footer)) }
  }

  /// A version 2 file without transitions: the footer holds always.
  private func tzif(footer: String) -> [UInt8] {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [UInt8](repeating: 0, count: 16) + [0, 0, 0, 1, 0, 0, 0, 4]
    let block: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("AAA\0".utf8)
    return header + counts + block + header + counts + block + Array("\n\(footer)\n".utf8)
  }
}

extension TimeZoneTests {
  @Test(
    "A period holds what each of its times says",
    arguments: ["Europe/Berlin", "Asia/Taipei", "UTC"]
  )
  func periods(_ name: String) throws {
    let zone = try TimeZoneRules(named: name)
    var seconds: Int64 = -3_000_000_000
    while seconds < 5_000_000_000 {
      let period = zone.period(at: Timestamp(milliseconds: seconds * 1000))
      for second in [period.seconds.lowerBound, seconds, period.seconds.upperBound - 1]
      where period.seconds.contains(second) && second.magnitude < 1 << 40 {
        let time = Timestamp(milliseconds: second * 1000)
        #expect(zone.offset(at: time) == period.offset)
        #expect(zone.abbreviation(at: time) == period.abbreviation)
      }
      #expect(period.seconds.contains(seconds))
      seconds += 9_876_543
    }
  }
}
