import Bytes

/// What `stillfeed.yml` says, with a default for everything.
public struct Configuration: Sendable {
  /// How links to folders are written.
  public enum Links: String, Sendable {
    /// `…/`, as web servers like it.
    case pretty
    /// `…/index.html`, which opens from a disk as well.
    case explicit
  }

  /// Which of sibling comments comes first.
  public enum CommentOrder: String, Sendable {
    case oldest
    case newest
    case likes
  }

  /// Of the site; may be empty.
  public var title = ""
  /// Of the site, in a sentence; may be empty.
  public var description = ""
  /// With a trailing slash; empty if none was given.
  public var baseURL = ""
  /// A BCP 47 tag.
  public var language = "en"
  /// In which dates without an offset are read, and days are cut.
  public var timeZone = TimeZoneRules.utc
  /// The ids of the archive's owner.
  public var selfIDs: [String] = []
  /// For whom the site is made.
  public var audience = Audience.everyone
  /// `pretty` where nothing is said.
  public var links = Links.pretty
  /// How bare numbers in date fields are meant.
  public var dates = DateReading.iso
  /// False asks search engines to stay away.
  public var index = true
  /// Posts per page.
  public var feedSize = 20
  /// `oldest` where nothing is said.
  public var commentOrder = CommentOrder.oldest
  /// Whether drafts are shown; only the command line says so.
  public var includesDrafts = false
  /// The folder of template overrides, from the archive's root.
  public var theme = "Templates"

  /// Every default.
  public init() {}
}
