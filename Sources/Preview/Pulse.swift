import Glibc
import Synchronization

/// Looks after connections from time to time, on a thread of its own.
final class Pulse: Sendable {
  private let isStopped = Atomic<Bool>(false)

  func start(_ connections: Connections, _ hub: LiveHub, heartbeat: Double) {
    Thread.detach { [self] in
      var next = Connections.now + heartbeat
      while !isStopped.load(ordering: .acquiring) {
        usleep(200_000)
        connections.reap()
        guard Connections.now >= next else { continue }
        hub.beat()
        next = Connections.now + heartbeat
      }
    }
  }

  func stop() { isStopped.store(true, ordering: .releasing) }
}

/// Threads that block, which tasks must not.
enum Thread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread; signals go to others.
  static func detach(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let result = pthread_create(
      &thread,
      nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      },
      work.toOpaque()
    )
    if result == 0 { pthread_detach(thread) } else { work.release() }
  }
}
