import Glibc
import Synchronization

/// Where the handler writes the number of a signal; -1 before there is a pipe.
private let signalPipe = Atomic<Int32>(-1)

/// Writes, which a handler may, and nothing else.
private func noteSignal(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = saved
}

/// The signals that ask the process to end.
final class Signals: Sendable {
  /// Seconds that work under way gets to finish.
  private static let grace = 0.7

  private let signal = Atomic<Int32>(0)
  private let isOver = Atomic<Bool>(false)
  private let ended: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (ended, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Whether one has come.
  var haveCome: Bool { signal.load(ordering: .acquiring) != 0 }

  /// Calls `stop` on another thread when the first signal comes.
  ///
  /// Unless ``wait()`` has returned soon
  /// after, or when another comes, the process is ended there and then.
  func catchThem(_ stop: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe.store(ends[1], ordering: .releasing)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = noteSignal
      action.sa_flags = Int32(SA_RESTART)
      sigaction(number, &action, nil)
    }
    let reading = ends[0]
    Thread.detach { [self] in
      var byte: UInt8 = 0
      while read(reading, &byte, 1) < 0, errno == EINTR {}
      signal.store(Int32(byte), ordering: .releasing)
      stop()
      continuation.finish()
      let end = Connections.now + Self.grace
      while !isOver.load(ordering: .acquiring), Connections.now < end {
        var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        if poll(&waiting, 1, 20) > 0 { break }
      }
      if !isOver.load(ordering: .acquiring) { _exit(0) }
    }
  }

  /// Waits for the first signal and returns its number.
  func wait() async -> Int32 {
    for await _ in ended {}
    isOver.store(true, ordering: .releasing)
    return signal.load(ordering: .acquiring)
  }
}
