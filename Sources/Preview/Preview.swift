import Glibc
import Synchronization

/// What a rebuild came to.
public struct RebuildOutcome: Sendable {
  /// Whether the site's folder holds a finished build.
  public var isFinished: Bool
  /// Lines that say what keeps the site from being built, or what is wrong in it; shown over the pages.
  public var problems: [String]
  /// The path that the site stands under; nil if it stays.
  public var basePath: String?

  /// A rebuild that came to this.
  public init(isFinished: Bool, problems: [String] = [], basePath: String? = nil) {
    self.isFinished = isFinished
    self.problems = problems
    self.basePath = basePath
  }
}

/// Builds, serves, watches, and builds again until a signal ends it.
public struct Preview: Sendable {
  /// What may be told while it runs.
  public enum Event: Sendable {
    /// The site is to be seen from now on.
    case serving(address: String)
    /// A build was published; the number of changed files, nil for many.
    case published(files: Int?)
    /// A finished build could not be taken over.
    case unpublished(reason: String)
  }

  private let server: PreviewServer
  private let watcher: Watcher?

  /// A preview; without a watcher it builds once.
  public init(server: PreviewServer, watcher: Watcher?) {
    self.server = server
    self.watcher = watcher
  }

  /// Runs until SIGINT, SIGTERM or SIGHUP, which end it within a second.
  ///
  /// A rebuild that is under way may finish for most of it, and is cut off then, as any build may be.
  ///
  /// - Parameters:
  ///   - rebuild: Brings the site's folder up to date; called for one change after the other.
  ///   - tell: Called with what may be told to the user.
  /// - Returns: The signal's number.
  /// - Throws: `PreviewError` if the server can't start.
  @discardableResult
  public func run(
    rebuild: @Sendable (Changes) async -> RebuildOutcome,
    tell: @escaping @Sendable (Event) -> Void
  ) async throws -> Int32 {
    let signals = Signals()
    let (server, watcher) = (server, watcher)
    signals.catchThem {
      server.stop()
      watcher?.stop()
    }
    do {
      await update(await rebuild(.everything), tell)
      try server.start()
      if !signals.haveCome { tell(.serving(address: server.address)) }
      if let watcher {
        for await _ in watcher.signals {
          let changes = watcher.take()
          if changes.isEmpty || signals.haveCome { continue }
          await update(await rebuild(changes), tell)
        }
      }
      return await signals.wait()
    } catch {
      server.stop()
      watcher?.stop()
      throw error
    }
  }

  private func update(
    _ outcome: RebuildOutcome,
    _ tell: @Sendable (Event) -> Void
  ) async {
    var problems = outcome.problems
    if outcome.isFinished {
      do {
        tell(.published(files: try server.publish(basePath: outcome.basePath)))
      } catch {
        tell(.unpublished(reason: "\(error)"))
        problems.append("\(error)")
      }
    }
    server.show(problems: problems)
  }
}
