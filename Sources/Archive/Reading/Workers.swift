import Synchronization

/// Work that is handed out by number to several workers; what it gives does not depend on how many.
struct Workers: Sendable {
  let count: Int

  init(_ count: Int) { self.count = max(count, 1) }

  /// Calls `work` for each number below `count`, with memory that a worker keeps between calls.
  ///
  /// - Returns: What the calls gave, in the order of numbers.
  func map<Memory: ~Copyable, Result: Sendable>(
    _ count: Int,
    memory: @escaping @Sendable () -> Memory,
    _ work: @escaping @Sendable (inout Memory, Int) -> Result
  ) async -> [Result] {
    let queue = WorkQueue(count: count)
    let run: @Sendable () -> [(number: Int, result: Result)] = {
      var memory = memory()
      var gathered: [(Int, Result)] = []
      while let number = queue.next() { gathered.append((number, work(&memory, number))) }
      return gathered
    }
    if min(self.count, count) <= 1 { return run().map(\.result) }
    var results = [Result?](repeating: nil, count: count)
    await withTaskGroup(of: [(number: Int, result: Result)].self) { group in
      for _ in 0..<min(self.count, count) { group.addTask { run() } }
      for await gathered in group {
        for (number, result) in gathered { results[number] = result }
      }
    }
    return results.compactMap { $0 }
  }

  /// As `map(_:memory:_:)`, for work that needs no memory of its own.
  func map<Result: Sendable>(
    _ count: Int,
    _ work: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    let none: @Sendable () -> Void = {}
    return await map(count, memory: none) { _, number in work(number) }
  }
}

/// Numbers handed out to workers.
private final class WorkQueue: Sendable {
  private let taken = Atomic<Int>(0)
  private let count: Int

  init(count: Int) { self.count = count }

  func next() -> Int? {
    let number = taken.add(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }
}
