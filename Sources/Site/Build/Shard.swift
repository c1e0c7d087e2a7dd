import Bytes

/// A part of a build that is shared by several processes or machines.
///
/// Each plans the whole site, and writes the files whose path falls to it by its hash; so which shard
/// writes what depends on nothing but the path and the number of shards. Together they write what one
/// whole build writes. They need not know of each other: any engine that starts commands can run them.
public struct Shard: Hashable, Sendable {
  /// From 1.
  public let number: Int
  /// Of all.
  public let count: Int

  /// Reads `2/4`; nil if that isn't what stands there.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      count >= 1, count <= 100_000, (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether it writes a file with this path below the output folder.
  func holds(_ path: String) -> Bool {
    Fingerprint.of(path) % UInt64(count) == UInt64(number - 1)
  }

  /// Whether it may remove a file that it wrote once.
  ///
  /// Media are copied by every shard whose pages show them, and so belong to no single one.
  func mayRemove(_ path: String) -> Bool { holds(path) && !path.hasPrefix("media/") }
}
