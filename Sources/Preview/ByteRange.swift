/// A request for part of a file (RFC 9110, 14): single ranges only.
enum ByteRange {
  /// What a `Range` field asks of a file.
  enum Request: Hashable {
    /// No range, one of another unit, a malformed one or several: the whole file.
    case whole
    case part(Range<Int>)
    /// 416.
    case unsatisfiable
  }

  /// Reads the value of a `Range` field for a file of `size` bytes.
  static func read(_ value: [UInt8], size: Int) -> Request {
    let unit = Array("bytes=".utf8)
    guard value.count > unit.count,
      zip(value, unit).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
    else { return .whole }
    let range = value.dropFirst(unit.count).filter { $0 != UInt8(ascii: " ") }
    let parts = range.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .whole }
    let (first, last) = (parts[0], parts[1])
    if first.isEmpty {
      guard let count = number(last) else { return .whole }
      return count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
    }
    guard let start = number(first) else { return .whole }
    if last.isEmpty { return start < size ? .part(start..<size) : .unsatisfiable }
    guard let end = number(last), end >= start else { return .whole }
    return start < size ? .part(start..<min(end, size - 1) + 1) : .unsatisfiable
  }

  /// A number of digits only; one that is too large is the largest there is.
  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (ten, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = ten.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      value = tooLarge || overflow || value == .max ? .max : sum
    }
    return value
  }
}
