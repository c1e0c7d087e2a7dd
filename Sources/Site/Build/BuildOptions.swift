import Archive

/// What a build is asked to do beyond what `stillfeed.yml` says.
public struct BuildOptions: Sendable {
  /// The archive's folder.
  public var root: String
  /// The output folder; relative to the current one.
  public var output: String
  /// Where the site will stand.
  public var baseURL: String?
  /// For whom the site is made; nil takes the configuration's, as for `baseURL` and `links`.
  public var audience: Audience?
  /// How addresses of pages are written.
  public var links: Configuration.Links?
  /// Show drafts too.
  public var includesDrafts = false
  /// Workers; nil takes one for each processor.
  public var jobs: Int?
  /// Write only the files that fall to a shard.
  public var shard: Shard?
  /// Refuse unknown variables in templates.
  public var isStrict = false

  /// A build of the archive at `root` into `output`.
  public init(root: String, output: String) {
    self.root = root
    self.output = output
  }
}

/// What a build did.
public struct BuildReport: Sendable {
  /// Pages, feeds and other files that the plan made.
  public var pages = 0
  /// Pages that were rendered.
  public var rendered = 0
  /// Pages that an earlier build made of the same, and which still stand.
  public var reused = 0
  /// All files of the site, assets and media with them.
  public var files = 0
  /// Bytes of all files.
  public var bytes = 0
  /// Files that were new or had other bytes.
  public var written = 0
  /// Files of an earlier build that this one didn't plan.
  public var removed = 0
  /// The page with the most bytes.
  public var largestPage = (path: "", bytes: 0)
  /// Posts, comments and messages.
  public var entries = 0
  /// Each stage with its seconds, in their order.
  public var stages: [(name: String, seconds: Double)] = []
  /// What is wrong with the archive, in a fixed order.
  public var diagnostics: [Diagnostic] = []

  init() {}
}

/// How far a build is, for a progress line.
public struct BuildProgress: Sendable {
  /// The stage's name.
  public let stage: String
  /// Steps done.
  public let done: Int
  /// Steps in all.
  public let total: Int
}
