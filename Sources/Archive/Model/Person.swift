/// An author.
public struct Person: Sendable {
  /// What a person asked not to be shown.
  public enum Hiding: Sendable {
    case nothing
    /// Shown without name, picture and page.
    case name
    /// Each of the person's entries is a tombstone.
    case everything
  }

  /// As described or as written; never an e-mail address.
  public var id: String
  /// A safe, unique name for the URL `/people/NAME/`.
  public var name: String
  /// What is shown; empty for persons whose name is hidden.
  public var displayName: String
  /// A path as written, resolved like any medium; or an address on another host.
  public var avatar: String
  /// Addresses with an allowed scheme.
  public var links: [Link]
  /// Markdown; may be empty.
  public var biography: String
  /// Whether this is the archive's owner.
  public var isSelf: Bool
  /// `.everything` does not occur in `Archive.people`: those persons are left out.
  public var hiding: Hiding
  /// Named in `people.yml` (or its like), not only as an author of entries.
  public var isListed: Bool
  /// Entries written, tombstones not counted, in time order over the whole archive.
  public var entries: EntryRun

  /// An address of a person elsewhere.
  public struct Link: Sendable {
    /// May be empty: the address is shown.
    public var label: String
    /// `http`, `https` or `mailto`, or relative.
    public var href: String

    /// A labelled address.
    public init(label: String, href: String) {
      self.label = label
      self.href = href
    }
  }

  /// A person without entries.
  public init(
    id: String,
    name: String,
    displayName: String,
    avatar: String = "",
    links: [Link] = [],
    biography: String = "",
    isSelf: Bool = false,
    hiding: Hiding = .nothing,
    isListed: Bool = false,
    entries: EntryRun = EntryRun()
  ) {
    self.id = id
    self.name = name
    self.displayName = displayName
    self.avatar = avatar
    self.links = links
    self.biography = biography
    self.isSelf = isSelf
    self.hiding = hiding
    self.isListed = isListed
    self.entries = entries
  }
}
