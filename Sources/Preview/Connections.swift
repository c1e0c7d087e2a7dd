import CMicroHTTPD
import Glibc
import Synchronization

/// Bounds what open connections may cost: libmicrohttpd's own timeout counts from the last byte, so that
/// a byte now and then would hold a connection for ever.
final class Connections: Sendable {
  private enum Phase {
    /// Waits for a request, or for the rest of one, since then.
    case reading(since: Double)
    case answering(until: Double)
    /// A stream of events.
    case streaming
  }

  private struct Connection {
    let socket: Int32
    var phase: Phase
    /// The target of the request that is being read.
    var target: [UInt8] = []
    /// The stream that it carries.
    var stream: Int?
  }

  private struct State {
    var connections: [Int: Connection] = [:]
    var next = 1
    var tokens: Double
    var filled: Double
  }

  /// POLLRDHUP (poll(2)), which Glibc's module leaves out.
  private static let hangUp: Int16 = 0x2000

  private let limits: PreviewLimits
  /// How many there may be.
  let limit: Int
  private let state: Mutex<State>

  init(_ limits: PreviewLimits) {
    self.limits = limits
    limit = max(16, min(limits.connections, Self.affordable))
    state = Mutex(State(tokens: Double(limits.connectionsPerSecond), filled: Self.now))
  }

  /// A connection needs its socket and perhaps a file; the build beside needs some too.
  private static var affordable: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
    return (Int(clamping: limit.rlim_cur) - 96) / 2
  }

  /// Seconds on a clock that nobody sets.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  var count: Int { state.withLock { $0.connections.count } }

  /// Whether one more connection fits the rate.
  func admit() -> Bool {
    let now = Self.now
    let rate = Double(limits.connectionsPerSecond)
    return state.withLock { state in
      state.tokens = min(rate, state.tokens + (now - state.filled) * rate)
      state.filled = now
      guard state.tokens >= 1 else { return false }
      state.tokens -= 1
      return true
    }
  }

  /// Takes a new connection in and returns its number, which is not 0.
  func open(socket: Int32) -> Int {
    let now = Self.now
    return state.withLock { state in
      if state.connections.count >= limit - 8 { evictOldest(state) }
      let number = state.next
      state.next += 1
      state.connections[number] = Connection(socket: socket, phase: .reading(since: now))
      return number
    }
  }

  /// Makes room: the one that has waited longest without a request goes.
  private func evictOldest(_ state: State) {
    var oldest: (since: Double, socket: Int32)?
    for connection in state.connections.values {
      guard case .reading(let since) = connection.phase else { continue }
      if oldest.map({ since < $0.since }) ?? true { oldest = (since, connection.socket) }
    }
    if let oldest { shutdown(oldest.socket, Int32(SHUT_RDWR)) }
  }

  /// Forgets a connection, before its socket is closed.
  func close(_ number: Int) { state.withLock { $0.connections[number] = nil } }

  func setTarget(_ target: [UInt8], of number: Int) {
    state.withLock { $0.connections[number]?.target = target }
  }

  func takeTarget(of number: Int) -> [UInt8] {
    state.withLock { state in
      let target = state.connections[number]?.target ?? []
      state.connections[number]?.target = []
      return target
    }
  }

  /// An answer of `size` bytes is on its way.
  func answering(_ number: Int, size: Int) {
    let seconds = limits.answerSeconds + Double(size) / Double(max(1, limits.answerRate))
    let end = Self.now + seconds
    state.withLock { $0.connections[number]?.phase = .answering(until: end) }
  }

  func streaming(_ number: Int, stream: Int) {
    state.withLock { state in
      state.connections[number]?.phase = .streaming
      state.connections[number]?.stream = stream
    }
  }

  /// The answer is done with; returns the stream that the connection carried.
  func finished(_ number: Int) -> Int? {
    let now = Self.now
    return state.withLock { state in
      let stream = state.connections[number]?.stream
      state.connections[number]?.stream = nil
      state.connections[number]?.phase = .reading(since: now)
      return stream
    }
  }

  /// Ends connections whose other side sends no more, though its request isn't whole.
  private func endGone(_ state: State, _ now: Double) {
    var waiting: [pollfd] = []
    for connection in state.connections.values {
      guard case .reading(let since) = connection.phase, now - since > 0.3 else { continue }
      waiting.append(pollfd(fd: connection.socket, events: Self.hangUp, revents: 0))
    }
    guard !waiting.isEmpty, poll(&waiting, nfds_t(waiting.count), 0) > 0 else { return }
    for gone in waiting where gone.revents != 0 { shutdown(gone.fd, Int32(SHUT_RDWR)) }
  }

  /// Ends connections that took too long, or that the other side has ended; their sockets are open as
  /// long as they are listed.
  ///
  /// libmicrohttpd misses an end that comes together with the first half of a request.
  func reap() {
    let now = Self.now
    state.withLock { state in
      endGone(state, now)
      for connection in state.connections.values {
        let isLate =
          switch connection.phase {
          case .reading(let since): now - since > limits.requestSeconds
          case .answering(let until): now > until
          case .streaming: false
          }
        if isLate { shutdown(connection.socket, Int32(SHUT_RDWR)) }
      }
    }
  }
}
