/// Finds what somebody probably meant.
public enum NameSuggestion {
  /// The candidate nearest to `name`, nil if none is near.
  ///
  /// Near is the least edit distance without regard to ASCII case, at most a third of the name's length. A candidate whose last path component is the
  /// name counts as near (`berlin` for `Europe/Berlin`). Equal distances go to the earliest.
  public static func nearest(to name: String, among candidates: [String]) -> String? {
    let wanted = folded(name)
    guard !wanted.isEmpty, wanted.count <= 128 else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let letters = folded(candidate)
      var distance = editDistance(wanted, letters, limit: max(1, wanted.count / 3))
      if let slash = letters.lastIndex(of: UInt8(ascii: "/")),
        letters[(slash + 1)...] == wanted[...]
      {
        distance = min(distance ?? 1, 1)
      }
      guard let distance, distance < best?.distance ?? .max else { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: " "): UInt8(ascii: "_")
      default: byte
      }
    }
  }

  /// Insertions, removals, replacements and swaps of neighbours (optimal string alignment); nil when
  /// there are more than `limit`.
  private static func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = last
    for row in 0..<left.count {
      current[0] = row + 1
      for column in 0..<right.count {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current[column + 1] = least
      }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }
}
