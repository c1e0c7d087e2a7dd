import Archive
import Bytes

/// A day, month or year of a channel, in the site's time zone.
struct Bucket: Hashable, Sendable {
  /// `Bucket.undated` for entries without a date.
  let year: Int
  /// 0 in buckets of years.
  let month: Int
  /// 0 in buckets of years and months.
  let day: Int
  /// In `Archive.entries`.
  let messages: Range<Int>

  static let undated = Int.min

  var isUndated: Bool { year == Self.undated }

  /// Appends `2024/05/17/`, `2024/05/`, `2024/` or `undated/`.
  func appendPath(into output: inout ByteBuffer) {
    if isUndated {
      output.append("undated/")
      return
    }
    output.append(decimal: year, width: 4)
    if month > 0 {
      output.append("/")
      output.append(twoDigits: month)
    }
    if day > 0 {
      output.append("/")
      output.append(twoDigits: day)
    }
    output.append("/")
  }
}

/// Zero-padded decimal, for names in paths.
func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension Bucket {
  /// Cuts entries that stand in time order, undated first, into buckets.
  static func cut(
    _ messages: Range<Int>,
    of archive: Archive,
    by granularity: Channel.Bucket
  ) -> [Bucket] {
    let zone = archive.configuration.timeZone
    var buckets: [Bucket] = []
    var start = messages.lowerBound
    while start < messages.upperBound {
      let date = archive.entries[start].date
      if date.isUndated {
        let end = firstIndex(in: start..<messages.upperBound) {
          !archive.entries[$0].date.isUndated
        }
        buckets.append(Bucket(year: undated, month: 0, day: 0, messages: start..<end))
        start = end
        continue
      }
      let civil = zone.filing(at: date)
      let month = granularity == .year ? 0 : civil.month
      let day = granularity == .day ? civil.day : 0
      let end = firstIndex(in: start..<messages.upperBound) { index in
        let other = zone.filing(at: archive.entries[index].date)
        return other.year != civil.year || (month > 0 && other.month != month)
          || (day > 0 && other.day != day)
      }
      buckets.append(Bucket(year: civil.year, month: month, day: day, messages: start..<end))
      start = end
    }
    return buckets
  }

  /// The first index whose element satisfies a condition that, once true, stays true; found by
  /// doubling steps, so that short runs cost little and long ones a logarithm.
  static func firstIndex(in range: Range<Int>, where isPast: (Int) -> Bool) -> Int {
    var low = range.lowerBound
    var step = 1
    while low + step < range.upperBound, !isPast(low + step) {
      low += step
      step *= 2
    }
    var high = min(low + step, range.upperBound)
    while low + 1 < high {
      let middle = low + (high - low) / 2
      if isPast(middle) { high = middle } else { low = middle }
    }
    return high
  }
}
