import Bytes
import JSON

/// How a file writes its times, so that a new one looks like the others.
enum DateForm: Equatable {
  /// A number, or one in quotes, in milliseconds or seconds since 1970.
  case number(perSecond: Int64, isText: Bool)
  /// Swift's reference date: seconds since 2001.
  case apple
  /// Firestore's object, with or without underscores.
  case firestore(hasUnderscore: Bool)
  /// RFC 3339 in UTC.
  case utc
  /// RFC 3339 with the archive's offset.
  case zoned
  /// A clock reading in the archive's zone, without offset.
  case local(separator: UInt8)

  /// The form of a value; that of our own records where there is none.
  init(of value: JSONValue?, reading: DateReading) {
    self = .zoned
    guard let value else { return }
    switch value.kind {
    case .object:
      let hasUnderscore = value["_seconds"] != nil
      if hasUnderscore || value["seconds"] != nil {
        self = .firestore(hasUnderscore: hasUnderscore)
      }
    case .integer, .double:
      self = reading == .apple ? .apple : .number(perSecond: Self.unit(value), isText: false)
    case .string: if let text = value.text?.array { self = Self.form(of: text) }
    case .array, .true, .false, .null: break
    }
  }

  private static func unit(_ value: JSONValue) -> Int64 {
    let number = value.integer ?? value.double.flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
    return unit(number)
  }

  private static func unit(_ number: Int64) -> Int64 {
    TimestampParser.fromNumber(number)?.milliseconds == number ? 1000 : 1
  }

  private static func form(of text: [UInt8]) -> DateForm {
    if text.count >= 9, text.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .number(
        perSecond: unit(Int64(String(decoding: text, as: UTF8.self)) ?? 0),
        isText: true
      )
    }
    guard text.count >= 10, text[4] == UInt8(ascii: "-") else { return .zoned }
    if text.last.map({ $0 | 0x20 }) == UInt8(ascii: "z") { return .utc }
    let rest = text.dropFirst(10)
    if rest.contains(UInt8(ascii: "+")) || rest.contains(UInt8(ascii: "-")) { return .zoned }
    return .local(separator: rest.first == UInt8(ascii: "T") ? UInt8(ascii: "T") : 0x20)
  }

  /// An instant in this form, as JSON text; `isPrecise` writes milliseconds where there is room for
  /// them.
  func json(_ time: Timestamp, zone: TimeZoneRules, isPrecise: Bool) -> [UInt8] {
    let seconds = time.seconds
    let rest = time.milliseconds - seconds * 1000
    var buffer = ByteBuffer()
    switch self {
    case .number(let perSecond, let isText):
      let number = "\(perSecond == 1000 ? time.milliseconds : seconds)"
      buffer.append(text: isText ? "\"\(number)\"" : number)
    case .apple:
      buffer.appendJSON(number: Double(time.milliseconds - 978_307_200_000) / 1000)
    case .firestore(let hasUnderscore):
      let mark = hasUnderscore ? "_" : ""
      buffer.append(
        text: "{\"\(mark)seconds\":\(seconds),\"\(mark)nanoseconds\":\(rest * 1_000_000)}"
      )
    case .utc, .zoned, .local:
      let shown = isPrecise ? time : Timestamp(milliseconds: seconds * 1000)
      buffer.append(0x22)
      appendText(shown, zone, to: &buffer)
      buffer.append(0x22)
    }
    return buffer.array
  }

  private func appendText(_ time: Timestamp, _ zone: TimeZoneRules, to buffer: inout ByteBuffer) {
    switch self {
    case .local(let separator):
      let civil = zone.civil(at: time)
      // In the hour that a clock shows twice only an offset tells.
      guard zone.timestamp(of: civil) == time else {
        return buffer.append(rfc3339: time, in: zone)
      }
      buffer.append(date: civil)
      buffer.append(separator)
      for (index, part) in [civil.hour, civil.minute, civil.second].enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ":")) }
        buffer.append(twoDigits: part)
      }
      if civil.millisecond != 0 {
        buffer.append(UInt8(ascii: "."))
        buffer.append(decimal: civil.millisecond, width: 3)
      }
    case .utc: buffer.append(rfc3339: time)
    case .zoned, .number, .apple, .firestore: buffer.append(rfc3339: time, in: zone)
    }
  }
}
