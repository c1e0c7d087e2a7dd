/// What a preview serves, and where.
public struct PreviewConfiguration: Sendable {
  /// The folder that holds the built site.
  public var site: String
  /// A folder for the preview's own use, best on the same file system as `site`: what is served stays
  /// there, as hard links, while the next build changes `site`.
  public var cache: String
  /// The path under which the site stands: `/` or `/archive/`.
  public var basePath = "/"
  /// A name or address of this machine.
  public var host = "127.0.0.1"
  /// The port; 0 for any, nil for 8000 or the next free one.
  public var port: UInt16?
  /// Whether pages get the script that reloads them.
  public var reloadsPages = true
  /// Bounds for those who ask.
  public var limits = PreviewLimits()

  /// A preview of the site in `site` with all defaults.
  public init(site: String, cache: String) {
    self.site = site
    self.cache = cache
  }
}

/// Bounds on what connections may cost.
public struct PreviewLimits: Sendable {
  /// Connections at once; less where the process may open few files.
  public var connections = 4096
  /// New connections a second, and as many in a burst.
  public var connectionsPerSecond = 16_384
  /// Seconds until a request's headers must have arrived, from the connection's start or the
  /// answer before it.
  public var requestSeconds = 8.0
  /// Seconds that an answer may take, besides the time for its bytes.
  public var answerSeconds = 30.0
  /// The slowest rate, in bytes a second, at which an answer may be taken.
  public var answerRate = 16 * 1024
  /// Seconds without a byte in either direction.
  public var idleSeconds: UInt32 = 30
  /// Pages that wait for changes at once.
  public var livePages = 64
  /// Seconds between signs of life to them.
  public var heartbeatSeconds = 10.0
  /// Bytes of a request's line and headers.
  ///
  /// Above 32 KiB libmicrohttpd takes memory in pages that go back to the system with the connection.
  public var requestBytes = 36 * 1024

  /// The default bounds.
  public init() {}
}

/// Why there is no preview.
public struct PreviewError: Error, CustomStringConvertible, Sendable {
  /// One sentence without a full stop.
  public let description: String

  init(_ description: String) { self.description = description }
}
