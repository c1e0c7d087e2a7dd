import Bytes

/// Lists that a few workers compute, each a run of them.
enum ParallelRuns {
  /// Computes a list in runs with a few workers.
  static func map<Element: Sendable>(
    _ count: Int,
    jobs: Int,
    _ body: @escaping @Sendable (Range<Int>, inout [Element]) -> Void
  ) async -> [Element] {
    let size = max(1, (count + jobs - 1) / jobs)
    return await withTaskGroup(of: (Int, [Element]).self) { group in
      for start in stride(from: 0, to: count, by: size) {
        let range = start..<min(start + size, count)
        group.addTask {
          var output: [Element] = []
          output.reserveCapacity(range.count)
          body(range, &output)
          return (start, output)
        }
      }
      var parts: [(start: Int, elements: [Element])] = []
      for await part in group { parts.append(part) }
      if parts.count == 1 { return parts[0].elements }
      var all: [Element] = []
      all.reserveCapacity(count)
      all.preferLargePages()
      for part in parts.sorted(by: { $0.start < $1.start }) { all += part.elements }
      return all
    }
  }
}
