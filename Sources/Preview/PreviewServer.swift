import Bytes
import CMicroHTTPD
import Glibc
import Synchronization

/// Serves published builds of a site to this machine.
///
/// Nothing is served that was not there when ``publish(basePath:)`` was last called; a build may change the
/// site's folder meanwhile.
public final class PreviewServer: Sendable {
  let responder: Responder
  let connections: Connections
  let hub: LiveHub
  private let limits: PreviewLimits
  private let store: Mutex<SnapshotStore>
  private let current: Mutex<Snapshot>
  /// The daemon's address; 0 when it does not run.
  private let daemon = Mutex<UInt>(0)
  private let isStopped = Atomic<Bool>(false)
  private let socket: ListeningSocket
  private let pulse: Pulse

  /// Binds the port; nothing is answered before ``start()``.
  public init(_ configuration: PreviewConfiguration) throws {
    socket = try ListeningSocket(host: configuration.host, port: configuration.port)
    let store: SnapshotStore
    do {
      store = try SnapshotStore(site: configuration.site, cache: configuration.cache)
    } catch {
      close(socket.number)
      throw error
    }
    limits = configuration.limits
    connections = Connections(limits)
    let run = String(UInt64(Connections.now * 1e6), radix: 36) + String(getpid(), radix: 36)
    hub = LiveHub(run: run, limit: min(limits.livePages, connections.limit / 2))
    responder = Responder(
      hosts: HostCheck(
        names: [configuration.host] + (socket.isLoopback ? [] : Self.machineNames),
        acceptsAddresses: !socket.isLoopback
      ),
      run: run,
      reloadsPages: configuration.reloadsPages,
      folder: store.folder
    )
    self.store = Mutex(store)
    current = Mutex(Snapshot(version: 0, base: BasePath(configuration.basePath), files: [:]))
    pulse = Pulse()
  }

  private static var machineNames: [String] {
    var name = utsname()
    guard uname(&name) == 0 else { return [] }
    let host = withUnsafeBytes(of: name.nodename) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return host.isEmpty ? [] : [host, host + ".local"]
  }

  /// Where the site is to be seen: `http://127.0.0.1:8000/`.
  public var address: String {
    "http://\(socket.host):\(socket.port)\(current.withLock { $0 }.base.address)"
  }

  /// The port that was bound.
  public var port: UInt16 { socket.port }

  /// Whether only this machine can reach it.
  public var isLoopback: Bool { socket.isLoopback }

  /// Begins to answer, on a thread of its own.
  public func start() throws {
    var settings = cmicrohttpd_settings()
    settings.listener = socket.number
    settings.connection_limit = UInt32(clamping: connections.limit)
    settings.idle_timeout = limits.idleSeconds
    settings.connection_memory = limits.requestBytes
    var callbacks = cmicrohttpd_callbacks()
    callbacks.context = Unmanaged.passUnretained(self).toOpaque()
    callbacks.accept = acceptConnection
    callbacks.connection = noteConnection
    callbacks.request = answerRequest
    callbacks.completed = completeRequest
    callbacks.target = noteTarget
    let started = daemon.withLock { daemon in
      if isStopped.load(ordering: .acquiring) { return true }
      daemon = UInt(bitPattern: cmicrohttpd_start(&settings, &callbacks))
      return daemon != 0
    }
    guard started else { throw PreviewError("The server could not start") }
    pulse.start(connections, hub, heartbeat: limits.heartbeatSeconds)
  }

  /// Takes the site's folder for a finished build, serves it from now on and tells open pages.
  ///
  /// Call it while no build changes the folder. `basePath` is nil for the one that there was.
  ///
  /// - Returns: How many files changed, nil for many.
  @discardableResult
  public func publish(basePath: String? = nil) throws -> Int? {
    try store.withLock { store in
      if isStopped.load(ordering: .acquiring) { return 0 }
      let old = current.withLock { $0 }
      let base = basePath.map(BasePath.init) ?? old.base
      let (new, unneeded) = try store.take(base: base)
      let changed = new.addresses(changedSince: old, limit: 1000)
      current.withLock { $0 = new }
      store.remove(unneeded)
      hub.publish(version: new.version, addresses: old.base == new.base ? changed : nil)
      return changed?.count
    }
  }

  /// Shows lines of text over all open pages; none takes them away.
  public func show(problems: [String]) { hub.report(problems) }

  /// Ends all connections and removes what was kept; the server can't be used again.
  public func stop() {
    if isStopped.exchange(true, ordering: .acquiringAndReleasing) { return }
    let running = daemon.withLock { daemon in
      defer { daemon = 0 }
      return daemon
    }
    pulse.stop()
    hub.stop()
    if let running = OpaquePointer(bitPattern: running) {
      MHD_stop_daemon(running)
    } else {
      close(socket.number)
    }
    store.withLock { $0.close() }
  }

  /// Answers from the newest snapshot, and from a yet newer one if its files go just then.
  func answer(to request: Request) -> Answer {
    for _ in 0..<8 {
      let snapshot = current.withLock { $0 }
      if let answer = responder.answer(to: request, from: snapshot, problems: hub.problems) {
        return answer
      }
    }
    return responder.refusal(503, "The file can't be read just now")
  }
}
