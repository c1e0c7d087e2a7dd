import Bytes

/// What `stillfeed.yml` says, with a default for everything.
public struct Configuration: Sendable {
  public enum Links: String, Sendable {
    /// `…/`, as web servers like it.
    case pretty
    /// `…/index.html`, which opens from a disk as well.
    case explicit
  }

  public enum CommentOrder: String, Sendable {
    case oldest
    case newest
    case likes
  }

  public var title = ""
  public var description = ""
  /// With a trailing slash; empty if none was given.
  public var baseURL = ""
  /// A BCP 47 tag.
  public var language = "en"
  public var timeZone = TimeZoneRules.utc
  /// The ids of the archive's owner.
  public var selfIDs: [String] = []
  public var audience = Audience.everyone
  public var links = Links.pretty
  public var dates = DateReading.iso
  /// False asks search engines to stay away.
  public var index = true
  /// Posts per page.
  public var feedSize = 20
  public var commentOrder = CommentOrder.oldest
  public var includesDrafts = false
  /// The folder of template overrides, from the archive's root.
  public var theme = "Templates"

  public init() {}
}
