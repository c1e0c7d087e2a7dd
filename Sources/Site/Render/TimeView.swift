import Archive
import Bytes
import Mustache

/// What the visible text of a time shows.
enum TimeStyle: Int {
  /// The date, as in feeds.
  case date
  /// The clock, as in chats, where the day stands above.
  case clock
  case dateTime
}

extension PageRenderer {
  /// Writes a time object: `iso`, `text`, `full`, `time`.
  mutating func writeTime(_ key: Key, _ time: Timestamp, style: TimeStyle) {
    data.beginObject(key)
    if time.isUndated {
      data.flag(.undated)
      data.set(.text, context.labels.undated)
    } else {
      times.write(time, style: style, into: &data)
    }
    data.endObject()
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
