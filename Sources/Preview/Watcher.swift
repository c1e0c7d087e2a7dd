import Bytes
import Glibc
import Synchronization

/// Tells of changes below a folder, a moment after the last of a burst.
///
/// It watches from its making on, on a thread of its own, so that a change during a build is told after it.
public final class Watcher: Sendable {
  /// An element whenever there are changes to ``take()``; ends when the watcher is stopped.
  public let signals: AsyncStream<Void>
  /// Whether files are looked at now and then, be it asked for or for want of watches.
  public let polls: Bool

  private let plan: WatchPlan
  private let pending = Mutex(Changes())
  private let isStopped = Atomic<Bool>(false)
  private let continuation: AsyncStream<Void>.Continuation

  /// Begins to watch.
  public init(_ plan: WatchPlan) {
    self.plan = plan
    (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    if !plan.polls, let tree = try? InotifyTree(plan), !tree.isIncomplete {
      polls = false
      let box = Mutex<InotifyTree?>(tree)
      Thread.detach { [self] in
        if var tree = box.withLock({ $0.take() }) { follow(&tree) }
      }
    } else {
      polls = true
      let tree = PolledTree(plan)
      Thread.detach { [self] in
        var tree = tree
        look(&tree)
      }
    }
  }

  /// The changes since the last call.
  public func take() -> Changes {
    pending.withLock { pending in
      defer { pending = Changes() }
      return pending
    }
  }

  /// Ends the watch within a quarter of a second, and ``signals`` at once.
  public func stop() {
    isStopped.store(true, ordering: .releasing)
    continuation.finish()
  }

  private var goesOn: Bool { !isStopped.load(ordering: .acquiring) }

  private func tell(_ changes: Changes) {
    pending.withLock { $0.formUnion(changes) }
    continuation.yield()
  }

  private func follow(_ tree: inout InotifyTree) {
    while goesOn {
      guard Self.wait(tree.descriptor, seconds: 0.25) else { continue }
      var changes = tree.read()
      if changes.isEmpty { continue }
      let start = Connections.now
      while goesOn, Connections.now - start < plan.longestSeconds,
        Self.wait(tree.descriptor, seconds: plan.quietSeconds)
      {
        changes.formUnion(tree.read())
      }
      tell(changes)
    }
  }

  private static func wait(_ descriptor: Int32, seconds: Double) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, Int32(seconds * 1000)) > 0
  }

  private func look(_ tree: inout PolledTree) {
    var pause = plan.pollSeconds
    while goesOn {
      var slept = 0.0
      while goesOn, slept < pause {
        usleep(UInt32(min(0.1, pause - slept) * 1e6))
        slept += 0.1
      }
      let start = Connections.now
      let changes = tree.read()
      // A large tree is looked at less often.
      pause = max(plan.pollSeconds, 4 * (Connections.now - start))
      if !changes.isEmpty { tell(changes) }
    }
  }
}
