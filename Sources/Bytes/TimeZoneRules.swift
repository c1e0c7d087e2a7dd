/// The rules of one time zone, read once from the system's tz database (TZif, RFC 9636).
///
/// A value is immutable and cheap to copy; a look-up is a binary search. Nothing is taken from the
/// machine's own zone.
public struct TimeZoneRules: Sendable {
  private let table: ZoneTable

  /// UTC; needs no database.
  public static let utc = TimeZoneRules(table: .utc)

  private init(table: ZoneTable) { self.table = table }

  /// Reads the rules of an IANA zone, such as `Europe/Berlin`.
  ///
  /// The database lies in `/usr/share/zoneinfo`, or where the environment's `TZDIR` points. `UTC` and
  /// `Etc/UTC` work without it.
  public init(named name: String) throws(TimeZoneError) {
    if name == "UTC" || name == "Etc/UTC" {
      table = name == "UTC" ? .utc : ZoneTable(name: name, fixedOffset: 0, abbreviation: "UTC")
      return
    }
    table = try ZoneTable(name: name, file: TimeZoneDatabase.file(ofZone: name))
  }

  /// Reads the rules from the content of a TZif file.
  public init(name: String, tzif: [UInt8]) throws(TimeZoneError) {
    table = try ZoneTable(name: name, file: tzif)
  }

  /// The IANA name.
  public var name: String { table.name }

  /// A hash of the name and of the file that the rules were read from.
  public var fingerprint: UInt64 { table.fingerprint }

  /// Seconds east of UTC at `time`.
  public func offset(at time: Timestamp) -> Int { table.type(at: time.seconds).offset }

  /// The short name in use at `time`, such as `CEST` or `+0530`.
  public func abbreviation(at time: Timestamp) -> String {
    table.type(at: time.seconds).abbreviation
  }

  /// How clocks are set at `time`, and how long that surely holds.
  public func period(at time: Timestamp) -> ZonePeriod { table.period(at: time.seconds) }

  /// What a clock in the zone shows at `time`.
  public func civil(at time: Timestamp) -> CivilTime {
    CivilTime(at: time, offset: offset(at: time))
  }

  /// The instant at which a clock in the zone shows `civil`, whose own offset is ignored.
  ///
  /// A reading that a jump forward leaves out is taken as if the offset before the jump went on; of a
  /// reading that comes twice the first is taken.
  public func timestamp(of civil: CivilTime) -> Timestamp {
    let clock = civil.millisecondsOnTheClock
    let offset = table.offset(ofClock: clock.flooredQuotient(by: 1000))
    return Timestamp(milliseconds: clock &- Int64(offset) &* 1000)
  }
}

/// How a zone's clocks are set for a while, for those who ask about times near each other.
public struct ZonePeriod: Sendable {
  /// Since 1970.
  public let seconds: Range<Int64>
  /// Seconds east of UTC.
  public let offset: Int
  /// The short name in use.
  public let abbreviation: String
  /// Whether that name holds only letters, digits, `+` and `-`, as it should.
  public let hasPlainAbbreviation: Bool

  init(seconds: Range<Int64>, offset: Int, abbreviation: String) {
    self.seconds = seconds
    self.offset = offset
    self.abbreviation = abbreviation
    hasPlainAbbreviation = abbreviation.utf8.allSatisfy {
      URLText.isUnreserved($0) || $0 == UInt8(ascii: "+")
    }
  }
}

/// How a zone's clocks are set: offset and short name.
struct LocalTimeType: Sendable {
  /// Seconds east of UTC.
  let offset: Int
  let abbreviation: String
}

/// The transitions of a zone and the rule that goes on after the last of them.
///
/// A class, so that a copy of `TimeZoneRules` is one reference.
final class ZoneTable: Sendable {
  let name: String
  /// Seconds since 1970, strictly ascending.
  let transitions: [Int64]
  /// The index of the type that holds from each transition on; as long as `transitions`.
  let typeAfter: [UInt8]
  /// Never empty; the first holds before the first transition (RFC 9636, 3.2).
  let types: [LocalTimeType]
  /// Holds from the last transition on.
  let footer: PosixZoneRule?
  /// Of the name and the file.
  let fingerprint: UInt64

  static let utc = ZoneTable(name: "UTC", fixedOffset: 0, abbreviation: "UTC")

  init(name: String, fixedOffset: Int, abbreviation: String) {
    self.name = name
    transitions = []
    typeAfter = []
    types = [LocalTimeType(offset: fixedOffset, abbreviation: abbreviation)]
    footer = nil
    fingerprint = Fingerprint.mix(Fingerprint.of(name), UInt64(bitPattern: Int64(fixedOffset)))
  }

  init(name: String, file: [UInt8]) throws(TimeZoneError) {
    let content: TZifContent
    do { content = try TZifContent(file) } catch {
      throw .unreadable(name: name, reason: error.reason)
    }
    self.name = name
    transitions = content.transitions
    typeAfter = content.typeAfter
    types = content.types
    footer = content.footer
    fingerprint = Fingerprint.mix(Fingerprint.of(name), Fingerprint.of(file.span))
  }

  func type(at second: Int64) -> LocalTimeType {
    let index = countOfTransitions(upTo: second)
    if index == transitions.count, let footer { return footer.type(at: second) }
    return index == 0 ? types[0] : types[Int(typeAfter[index - 1])]
  }

  func period(at second: Int64) -> ZonePeriod {
    let index = countOfTransitions(upTo: second)
    let type = type(at: second)
    // The rule behind the last transition is asked about the future only.
    let start =
      index == transitions.count && footer != nil
      ? second : index == 0 ? .min : transitions[index - 1]
    return ZonePeriod(
      seconds: start..<max(nextTransition(after: second), second),
      offset: type.offset,
      abbreviation: type.abbreviation
    )
  }

  /// How many transitions have happened at `second`.
  private func countOfTransitions(upTo second: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first second after `second` at which another type begins, `Int64.max` if none does.
  private func nextTransition(after second: Int64) -> Int64 {
    let index = countOfTransitions(upTo: second)
    if index < transitions.count { return transitions[index] }
    return footer?.nextTransition(after: second) ?? .max
  }

  /// The offset with which a local reading is to be turned into UTC.
  ///
  /// It walks the stretches between transitions that can hold the reading, oldest first.
  func offset(ofClock clock: Int64) -> Int {
    var start = clock &- 2 * 86_400
    var offset = type(at: start).offset
    while true {
      let end = nextTransition(after: start)
      if clock &- Int64(offset) < end { return offset }
      let next = type(at: end).offset
      // The reading is past the end of one stretch and before the start of the next: a gap.
      if clock &- Int64(next) < end { return offset }
      start = end
      offset = next
    }
  }
}
