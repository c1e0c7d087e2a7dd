import Bytes
import Mustache

/// Writes times as the site's zone and language have them; one per worker.
///
/// What all times of a day share is made once and copied: entries mostly stand in time order, and a
/// list over years comes back to days that were there before. It has one owner: a copy for each of a
/// page's closures would count up and down all its references.
struct TimeWriter: ~Copyable {
  /// A day of the calendar.
  private struct Day {
    /// Since 1970-01-01.
    var number = Int64.min
    /// At midnight.
    var fields = DateFields(CivilTime(at: Timestamp(milliseconds: 0), offset: 0))
  }

  /// An instant on a calendar.
  private struct Instant {
    let day: Int64
    /// Since midnight.
    let millisecond: Int

    init(_ milliseconds: Int64) {
      let quotient = milliseconds / 86_400_000
      day = milliseconds < quotient * 86_400_000 ? quotient - 1 : quotient
      millisecond = Int(milliseconds - day * 86_400_000)
    }
  }

  /// Days that are remembered, each at the place of its number.
  private static let places = 4096
  /// Bytes of texts after which all days are forgotten.
  private static let longestTexts = 1 << 20

  private let zone: TimeZoneRules
  /// That of the last time.
  private var period: ZonePeriod
  private let names: CalendarNames
  /// By `TimeStyle`, then the full text.
  private let patterns: [DatePattern]
  private let isSameAllDay: [Bool]
  /// Whether nothing in texts of times has to be escaped, but for the zone's abbreviation.
  private let isPlain: Bool
  private var clocks = ClockTexts()
  private var days: [Day] = []
  /// The texts of the days: of each its date, such as `2024-05-17`, and how each pattern's text
  /// begins.
  private var texts = ByteBuffer(capacity: 4096)
  /// For each place where the texts of its day stand in `texts`: from one bound to the next.
  private var bounds: [Int32] = []

  init(zone: TimeZoneRules, labels: borrowing Labels) {
    self.zone = zone
    period = zone.period(at: Timestamp(milliseconds: 0))
    clocks.begin(zone: period.abbreviation)
    names = labels.strings.calendar
    patterns = [labels.date, labels.time, labels.dateTime, labels.full]
    isSameAllDay = patterns.map(\.isSameAllDay)
    isPlain = names.isPlain && patterns.allSatisfy(\.isPlain)
  }

  /// Writes `iso`, `text` and `full` of a dated time into the object that is open.
  mutating func write(_ time: Timestamp, style: TimeStyle, into data: inout TemplateData) {
    data.writePlain(Key.iso.id) { appendISO(time, into: &$0) }
    if !period.seconds.contains(time.seconds) {
      period = zone.period(at: time)
      clocks.begin(zone: period.abbreviation)
    }
    let instant = Instant(time.milliseconds &+ Int64(period.offset) &* 1000)
    let place = place(of: instant.day)
    let full = patterns.count - 1
    if isPlain, period.hasPlainAbbreviation {
      data.writePlain(Key.text.id) { append(instant, place, pattern: style.rawValue, into: &$0) }
      data.writePlain(Key.full.id) { append(instant, place, pattern: full, into: &$0) }
    } else {
      data.write(Key.text) { append(instant, place, pattern: style.rawValue, into: &$0) }
      data.write(Key.full) { append(instant, place, pattern: full, into: &$0) }
    }
  }

  /// Appends a time as RFC 3339 in UTC, like `ByteBuffer.append(rfc3339:)`.
  mutating func appendISO(_ time: Timestamp, into output: inout ByteBuffer) {
    if time.isUndated { return }
    let instant = Instant(time.milliseconds)
    let place = place(of: instant.day)
    output.append(text(0, ofDayAt: place), of: texts.bytes)
    output.append(clock: UInt32(truncatingIfNeeded: instant.millisecond / 1000))
    if instant.millisecond % 1000 != 0 {
      output.append(UInt8(ascii: "."))
      output.append(decimal: instant.millisecond % 1000, width: 3)
    }
    output.append(UInt8(ascii: "Z"))
  }

  private mutating func append(
    _ instant: Instant,
    _ place: Int,
    pattern: Int,
    into output: inout ByteBuffer
  ) {
    output.append(text(pattern + 1, ofDayAt: place), of: texts.bytes)
    if isSameAllDay[pattern] { return }
    let minute = instant.millisecond / 60_000
    if clocks.append(minute, pattern: pattern, into: &output) { return }
    let start = output.count
    var fields = days[place].fields
    fields.hour = instant.millisecond / 3_600_000
    fields.minute = instant.millisecond / 60_000 % 60
    fields.second = instant.millisecond / 1000 % 60
    patterns[pattern].appendClock(fields, names: names, zone: period.abbreviation, into: &output)
    if patterns[pattern].isSameEveryDay {
      clocks.keep(output.bytes.extracting(start..<output.count), minute, pattern: pattern)
    }
  }

  /// Where a text of a day stands: that of its date, then those of the patterns.
  @inline(__always)
  private func text(_ number: Int, ofDayAt place: Int) -> Range<Int> {
    let bound = place * (patterns.count + 2) + number
    return Int(bounds[bound])..<Int(bounds[bound + 1])
  }

  /// The place of a day, whose texts are there afterwards.
  private mutating func place(of number: Int64) -> Int {
    let place = Int(number & Int64(Self.places - 1))
    if days.isEmpty || days[place].number != number { makeDay(number, at: place) }
    return place
  }

  private mutating func makeDay(_ number: Int64, at place: Int) {
    let boundCount = patterns.count + 2
    if days.isEmpty || texts.count > Self.longestTexts {
      days = Array(repeating: Day(), count: Self.places)
      bounds = Array(repeating: 0, count: Self.places * boundCount)
      texts.removeAll()
    }
    let civil = CivilTime(at: Timestamp(milliseconds: number * 86_400_000), offset: 0)
    let day = Day(number: number, fields: DateFields(civil))
    var bound = place * boundCount
    bounds[bound] = Int32(clamping: texts.count)
    texts.append(date: civil)
    for pattern in patterns {
      bound += 1
      bounds[bound] = Int32(clamping: texts.count)
      pattern.appendDay(day.fields, names: names, into: &texts)
    }
    bounds[bound + 1] = Int32(clamping: texts.count)
    days[place] = day
  }
}

/// How the minutes of a day are written by each pattern, in one part of a zone's year.
private struct ClockTexts: ~Copyable {
  private static let minutes = 24 * 60
  private var zone = ""
  /// Of the text of each pattern's minute, 0 for those not made yet.
  ///
  /// Each text begins at a multiple of `longest`.
  private var lengths: [UInt8] = []
  private var texts: [UInt8] = []
  /// Bytes of a text at most; longer ones are made each time.
  private static let longest = ByteBuffer.longestStep

  /// Takes up a part of a zone's year, by its abbreviation.
  mutating func begin(zone: String) {
    if self.zone == zone { return }
    self.zone = zone
    lengths.removeAll(keepingCapacity: true)
  }

  /// Appends a text; false if it is still to be made.
  @inline(__always)
  func append(_ minute: Int, pattern: Int, into output: inout ByteBuffer) -> Bool {
    let place = pattern * Self.minutes + minute
    guard place < lengths.count, lengths[place] > 0 else { return false }
    let start = place * Self.longest
    output.append(start..<start + Int(lengths[place]), of: texts.span)
    return true
  }

  /// Keeps a text.
  mutating func keep(_ text: Span<UInt8>, _ minute: Int, pattern: Int) {
    if text.isEmpty || text.count > Self.longest { return }
    let place = pattern * Self.minutes + minute
    let missing = (pattern + 1) * Self.minutes - lengths.count
    if missing > 0 {
      lengths += repeatElement(0, count: missing)
      let bytes = lengths.count * Self.longest - texts.count
      if bytes > 0 { texts += repeatElement(0, count: bytes) }
    }
    for index in text.indices { texts[place * Self.longest + index] = text[index] }
    lengths[place] = UInt8(text.count)
  }
}
