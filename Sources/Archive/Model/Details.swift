import Bytes

/// A picture, film, sound or file of an entry.
public struct Medium: Sendable, Hashable {
  /// How a medium is shown.
  public enum Kind: UInt8, Sendable {
    case image
    case video
    case audio
    case file
  }

  /// By media type, else by the name's extension.
  public var kind: Kind
  /// The file in the content folder (an index in `MediaIndex.files`); nil if it isn't there.
  public var file: Int?
  /// The address on another host, shown as a link, never loaded; may be empty.
  public var href: String
  /// The path as written, for "missing" frames.
  public var written: String
  /// What the picture shows, in words; may be empty.
  public var alt: String
  /// A caption or file name; may be empty.
  public var title: String
  /// Pixels; 0 when unknown.
  public var width: Int
  /// Pixels; 0 when unknown.
  public var height: Int
  /// Bytes; 0 when unknown.
  public var size: Int
  /// A media type such as `image/png`; may be empty.
  public var type: String

  /// A medium of which only the written path is known.
  public init(
    kind: Kind,
    file: Int? = nil,
    href: String = "",
    written: String,
    alt: String = "",
    title: String = "",
    width: Int = 0,
    height: Int = 0,
    size: Int = 0,
    type: String = ""
  ) {
    self.kind = kind
    self.file = file
    self.href = href
    self.written = written
    self.alt = alt
    self.title = title
    self.width = width
    self.height = height
    self.size = size
    self.type = type
  }
}

/// A reaction to an entry.
public struct Reaction: Sendable, Hashable {
  /// An emoji or a word.
  public var name: String
  /// How often it was given.
  public var count: Int
  /// Ids or names of persons; never an address, never a hidden person.
  public var by: [String]

  /// A reaction given `count` times.
  public init(name: String, count: Int, by: [String] = []) {
    self.name = name
    self.count = count
    self.by = by
  }
}

/// The fields that few entries have, decoded.
public struct RareFields: Sendable, Hashable {
  /// On one line; a post's stands in `Archive.posts`.
  public var title = ""
  /// In the order written.
  public var media: [Medium] = []
  /// In the order written.
  public var reactions: [Reaction] = []
  /// Tag names as written; a post's stand in `Archive.posts`.
  public var tags: [String] = []
  /// The content warning; may be empty where only its presence was given.
  public var sensitive = ""
  /// A short description of a post, from front matter.
  public var summary = ""
  /// Where the entry came from, such as `Slack`.
  public var sourcePlatform = ""
  /// Its address there, with an allowed scheme.
  public var sourceURL = ""
  /// An avatar beside an author who is no person of the archive.
  public var avatar = ""
  /// Unknown fields, as JSON text of an object, for templates under `extra`; empty if there are none.
  public var extra = ""

  /// No rare fields.
  public init() {}

  /// Whether there are none.
  var isEmpty: Bool {
    title.isEmpty && media.isEmpty && reactions.isEmpty && tags.isEmpty && sensitive.isEmpty
      && summary.isEmpty && sourcePlatform.isEmpty && sourceURL.isEmpty && avatar.isEmpty
      && extra.isEmpty
  }
}
