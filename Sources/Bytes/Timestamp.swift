import Glibc

/// An instant: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; `Int64.min` stands for "no date".
  public var milliseconds: Int64

  /// Makes the instant `milliseconds` after 1970-01-01T00:00:00Z.
  @inlinable
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The mark of an entry without a readable date; sorts before every instant.
  public static let undated = Timestamp(milliseconds: .min)

  /// 0001-01-01T00:00:00Z, the first instant that an archive may hold.
  public static let earliest = Timestamp(milliseconds: -62_135_596_800_000)

  /// 9999-12-31T23:59:59.999Z, the last instant that an archive may hold.
  public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  /// Whether this marks an entry without a readable date.
  @inlinable
  public var isUndated: Bool { milliseconds == .min }

  /// Whether the instant lies in the years 0001 to 9999 (UTC); `undated` does not.
  public var isInRange: Bool { self >= Self.earliest && self <= Self.latest }

  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  @inlinable
  public var seconds: Int64 { milliseconds.flooredQuotient(by: 1000) }

  /// Orders instants by time, `undated` first.
  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The machine's clock.
  ///
  /// A build never asks it: only commands that write a new entry do.
  public static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000)
  }
}

extension Int64 {
  /// The quotient rounded down, for a positive divisor.
  @usableFromInline
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
