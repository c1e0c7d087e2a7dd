import Bytes
import Testing

@testable import Site

@Suite("Days of a site")
struct LocalDayTests {
  @Test(
    "no day begins twice",
    arguments: [
      "America/St_Johns", "America/Sao_Paulo", "America/Havana", "America/New_York",
      "Pacific/Kwajalein", "Pacific/Apia", "Asia/Manila", "Asia/Amman", "Africa/Cairo",
      "Australia/Lord_Howe", "America/Juneau", "UTC",
    ]
  )
  func monotone(_ name: String) throws {
    let zone = try TimeZoneRules(named: name)
    let hour: Int64 = 3_600_000
    // Every transition since 1840, looked at closely.
    var time: Int64 = -4_102_444_800_000
    var last = zone.offset(at: Timestamp(milliseconds: time))
    while time < 2_524_608_000_000 {
      let next = time + 24 * hour
      let offset = zone.offset(at: Timestamp(milliseconds: next))
      if offset != last { try expectOrder(zone, from: time - 30 * hour, to: next + 30 * hour) }
      last = offset
      time = next
    }
  }

  private func expectOrder(_ zone: TimeZoneRules, from start: Int64, to end: Int64) throws {
    var previous = zone.filing(at: Timestamp(milliseconds: start))
    for time in stride(from: start, through: end, by: 30_000) {
      let civil = zone.filing(at: Timestamp(milliseconds: time))
      let one = (previous.year, previous.month, previous.day)
      let two = (civil.year, civil.month, civil.day)
      try #require(one <= two, "\(zone.name): \(one) before \(two) at \(time)")
      previous = civil
    }
  }

  @Test("elsewhere the day is the clock's")
  func ordinary() throws {
    let zone = try TimeZoneRules(named: "America/New_York")
    for time in stride(from: Int64(1_700_000_000_000), to: 1_740_000_000_000, by: 777_777) {
      let instant = Timestamp(milliseconds: time)
      #expect(zone.filing(at: instant) == zone.civil(at: instant))
    }
  }
}
