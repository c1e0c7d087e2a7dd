/// Times the stages of a build.
struct StageClock {
  private(set) var stages: [(name: String, seconds: Double)] = []
  private let clock = ContinuousClock()

  mutating func time<Result>(_ name: String, _ work: () throws -> Result) rethrows -> Result {
    let start = clock.now
    let result = try work()
    note(name, since: start)
    return result
  }

  mutating func time<Result>(
    _ name: String,
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    let start = clock.now
    let result = try await work()
    note(name, since: start)
    return result
  }

  private mutating func note(_ name: String, since start: ContinuousClock.Instant) {
    let (seconds, attoseconds) = (clock.now - start).components
    stages.append((name, Double(seconds) + Double(attoseconds) / 1e18))
  }
}
