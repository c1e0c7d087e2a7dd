import CMicroHTTPD
import Synchronization

/// Tells open pages of changes, by server-sent events (WHATWG HTML, 9.2).
///
/// A stream without news is suspended, so that it costs no time. libmicrohttpd leaves a suspended
/// connection alone until it is resumed, so that its handle stays good until then.
final class LiveHub: Sendable {
  private struct Client {
    var pending: [UInt8]
    /// The connection, while it is suspended.
    var suspended: UInt?
  }

  private struct State {
    var clients: [Int: Client] = [:]
    var nextClient = 1
    /// What changed with each of the last versions, oldest first; nil for too much to list.
    var changes: [(version: Int, addresses: [String]?)] = []
    var version = 0
    var problems: [String] = []
    var isStopping = false
  }

  private static let rememberedChanges = 64
  /// A page that takes nothing is told to look at everything.
  private static let mostPending = 256 * 1024

  private let run: String
  private let limit: Int
  private let state = Mutex(State())

  init(run: String, limit: Int) {
    self.run = run
    self.limit = limit
  }

  /// The lines of the last failed build; empty if it succeeded.
  var problems: [String] { state.withLock { $0.problems } }

  var clientCount: Int { state.withLock { $0.clients.count } }

  /// Tells all pages of a new version; `addresses` is nil for too many to list.
  func publish(version: Int, addresses: [String]?) {
    state.withLock { state in
      state.version = version
      if let addresses, addresses.isEmpty { return }
      state.changes.append((version, addresses))
      if state.changes.count > Self.rememberedChanges { state.changes.removeFirst() }
      send(change(version, addresses), &state)
    }
  }

  /// Tells all pages what is wrong with the site; no lines for nothing.
  func report(_ problems: [String]) {
    state.withLock { state in
      guard state.problems != problems else { return }
      state.problems = problems
      send(Self.problem(problems), &state)
    }
  }

  /// Sends a comment, so that pages that have gone are noticed.
  func beat() { state.withLock { send(Array(": still here\n\n".utf8), &$0) } }

  /// Ends all streams.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      send([], &state)
    }
  }

  /// Adds a page that shows the site as of a version; nil if there are too many.
  func add(since: Int?) -> Int? {
    state.withLock { state in
      guard state.clients.count < limit, !state.isStopping else { return nil }
      var pending = Array("retry: 1000\n\n".utf8)
      if since != state.version { pending += missed(since, state) }
      pending += Self.problem(state.problems)
      let number = state.nextClient
      state.nextClient += 1
      state.clients[number] = Client(pending: pending, suspended: nil)
      return number
    }
  }

  func remove(_ number: Int) { state.withLock { $0.clients[number] = nil } }

  /// Gives a page's stream its next bytes, or suspends the connection; -1 ends the stream.
  func read(_ number: Int, connection: UInt, into memory: UInt, count: Int) -> Int {
    state.withLock { state in
      guard var client = state.clients[number], !state.isStopping else { return -1 }
      defer { state.clients[number] = client }
      guard !client.pending.isEmpty else {
        client.suspended = connection
        MHD_suspend_connection(OpaquePointer(bitPattern: connection))
        return 0
      }
      let given = min(count, client.pending.count)
      UnsafeMutableRawPointer(bitPattern: memory)?
        .copyMemory(from: Array(client.pending[..<given]), byteCount: given)
      client.pending.removeFirst(given)
      return given
    }
  }

  private func send(_ bytes: [UInt8], _ state: inout State) {
    for (number, var client) in state.clients {
      client.pending += bytes
      if client.pending.count > Self.mostPending {
        client.pending = change(state.version, nil) + Self.problem(state.problems)
      }
      let suspended = client.suspended
      client.suspended = nil
      state.clients[number] = client
      if let suspended { MHD_resume_connection(OpaquePointer(bitPattern: suspended)) }
    }
  }

  /// What changed after a version, as far as it is remembered.
  private func missed(_ since: Int?, _ state: State) -> [UInt8] {
    let first = state.changes.first?.version ?? state.version + 1
    guard let since, since < state.version, since + 1 >= first || state.changes.isEmpty else {
      return change(state.version, nil)
    }
    var addresses: Set<String> = []
    for change in state.changes where change.version > since {
      guard let listed = change.addresses else { return self.change(state.version, nil) }
      addresses.formUnion(listed)
    }
    return addresses.isEmpty ? [] : change(state.version, addresses.sorted())
  }

  private func change(_ version: Int, _ addresses: [String]?) -> [UInt8] {
    let lines = addresses ?? ["*"]
    let data = lines.map { "data: \($0)\n" }.joined()
    return Array("event: change\nid: \(run).\(version)\n\(data)\n".utf8)
  }

  private static func problem(_ lines: [String]) -> [UInt8] {
    if lines.isEmpty { return Array("event: mended\ndata: ok\n\n".utf8) }
    var bytes = Array("event: problem\n".utf8)
    for line in lines {
      let parts = line.utf8.split(omittingEmptySubsequences: false) { $0 == 10 || $0 == 13 }
      for part in parts { bytes += Array("data: ".utf8) + Array(part) + [10] }
    }
    return bytes + [10]
  }
}
