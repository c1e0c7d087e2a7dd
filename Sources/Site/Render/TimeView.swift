import Archive
import Bytes
import Mustache

/// What the visible text of a time shows.
enum TimeStyle {
  /// The date, as in feeds.
  case date
  /// The clock, as in chats, where the day stands above.
  case clock
  case dateTime
}

extension PageRenderer {
  /// Writes a time object: `iso`, `text`, `full`, `time`.
  mutating func writeTime(_ key: Key, _ time: Timestamp, style: TimeStyle) {
    let context = context
    let labels = context.labels
    data.beginObject(key)
    if time.isUndated {
      data.flag(.undated)
      data.set(.text, labels.undated)
      data.endObject()
      return
    }
    let zone = context.zone
    let civil = zone.civil(at: time)
    let names = labels.strings.calendar
    let pattern =
      switch style {
      case .date: labels.date
      case .clock: labels.time
      case .dateTime: labels.dateTime
      }
    let abbreviation = zone.abbreviation(at: time)
    data.write(.iso) { $0.append(rfc3339: time) }
    data.write(.text) { pattern.append(civil, names: names, zone: abbreviation, into: &$0) }
    data.write(.full) { labels.full.append(civil, names: names, zone: abbreviation, into: &$0) }
    data.endObject()
  }

  /// The text of a date under a pattern.
  func text(of time: Timestamp, _ pattern: DatePattern) -> String {
    let zone = context.zone
    var output = ByteBuffer(capacity: 32)
    pattern.append(
      zone.civil(at: time),
      names: context.labels.strings.calendar,
      zone: "",
      into: &output
    )
    return output.string
  }

  /// The text of a calendar month, day or year.
  func text(year: Int, month: Int, day: Int, _ pattern: DatePattern) -> String {
    var output = ByteBuffer(capacity: 32)
    if let civil = CivilTime(year: year, month: max(month, 1), day: max(day, 1)) {
      pattern.append(civil, names: context.labels.strings.calendar, zone: "", into: &output)
    }
    return output.string
  }
}
