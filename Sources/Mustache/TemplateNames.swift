import Bytes

/// A template under the name that reaches exactly it.
struct TemplateUnit {
  let name: String
  let path: String
  let bytes: [UInt8]
}

/// Which template a name means; compared as bytes.
struct TemplateNames: Sendable {
  /// Every name, in byte order.
  private(set) var all: [[UInt8]] = []
  private var targets: [UInt32] = []
  private var indexes: [[UInt8]: UInt32] = [:]
  /// Hashes of the names in ascending order, for look-ups that allocate nothing.
  private var hashes: [(hash: UInt64, name: Int)] = []

  init(_ targets: [[UInt8]: UInt32]) {
    indexes = targets
    let sorted = targets.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    all = sorted.map(\.key)
    self.targets = sorted.map(\.value)
    hashes = all.indices.map { index in
      let name = all[index]
      return (Fingerprint.of(name.span), index)
    }
    hashes.sort { ($0.hash, $0.name) < ($1.hash, $1.name) }
  }

  func index(of name: [UInt8]) -> UInt32? { indexes[name] }

  /// The template whose name is `name`; binary search by hash.
  func index(of name: Span<UInt8>) -> UInt32? {
    let hash = Fingerprint.of(name)
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    while low < hashes.count, hashes[low].hash == hash {
      let candidate = hashes[low].name
      let other = all[candidate]
      if Self.isEqual(other.span, name) { return targets[candidate] }
      low += 1
    }
    return nil
  }

  private static func isEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }
}

/// The names of variables that strict mode lets through, wherever they stand.
///
/// A name ending in `.*`, as `extra.*`, also allows any name after it and inside its sections.
struct DocumentedNames {
  /// In byte order.
  private(set) var all: [[UInt8]] = []
  private var known: Set<[UInt8]> = []
  private var free: Set<[UInt8]> = []

  init(_ names: [String]) {
    for name in names {
      var bytes = Array(name.utf8)
      if bytes.suffix(2) == [UInt8(ascii: "."), UInt8(ascii: "*")] {
        bytes.removeLast(2)
        free.insert(bytes)
      }
      known.insert(bytes)
    }
    all = known.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The first part of a dotted name that isn't documented.
  func firstUnknown(in parts: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
    for part in parts {
      if !known.contains(Array(part)) { return part }
      if free.contains(Array(part)) { return nil }
    }
    return nil
  }

  /// Whether a section of this dotted name may hold any name.
  func isFree(_ name: [UInt8]) -> Bool {
    name.split(separator: UInt8(ascii: ".")).contains { free.contains(Array($0)) }
  }
}

/// Finds the line and column of an offset.
struct LineIndex {
  private let starts: [Int]

  init(_ source: [UInt8]) {
    var starts = [0]
    for index in source.indices where source[index] == TemplateByte.newline {
      starts.append(index + 1)
    }
    self.starts = starts
  }

  /// Both from 1, the column in bytes.
  func position(of offset: Int) -> (line: Int, column: Int) {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return (low, offset - starts[low - 1] + 1)
  }
}
