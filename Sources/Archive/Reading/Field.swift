import Bytes
import JSON

/// The fields of an entry, by whatever name a record gives them (DESIGN section 2).
enum Field: UInt8, CaseIterable {
  case id
  case slug
  case author
  case authors
  case avatar
  case date
  case updated
  case body
  case format
  case title
  case tags
  case categories
  case taxonomies
  case topic
  case pinned
  case draft
  case published
  case sensitive
  case aliases
  case redirects
  /// Hugo's `url`, Jekyll's and Eleventy's `permalink`, Publish's `path`: an old path.
  case address
  case audience
  case isPublic
  case media
  case likes
  case liked
  case shares
  case reactions
  case comments
  case replies
  case parent
  case source
  case deleted
  case system
  case type
  case summary
  case description
  // Names that count only where the field's own names are missing.
  case weakID
  case weakParent
  case weakDate
  case weakUpdated

  /// Names in records and front matter; the first is our own.
  var names: [String] {
    switch self {
    case .id: ["id"]
    case .slug: ["slug"]
    case .author: ["author", "name", "account", "userName", "sender", "from"]
    case .authors: ["authors"]
    case .avatar: ["avatar", "profilePictureName", "profilePicture"]
    case .date: ["date", "time", "timestamp", "created_at"]
    case .updated: ["updated", "lastmod"]
    case .body: ["body", "content", "message", "text"]
    case .format: ["format"]
    case .title: ["title"]
    case .tags: ["tags", "tag"]
    case .categories: ["categories", "category"]
    case .taxonomies: ["taxonomies"]
    case .topic: ["topic"]
    case .pinned: ["pinned"]
    case .draft: ["draft"]
    case .published: ["published"]
    case .sensitive: ["sensitive"]
    case .aliases: ["aliases"]
    case .redirects: ["redirect_from"]
    case .address: ["url", "permalink", "path"]
    case .audience: ["audience"]
    case .isPublic: ["isPublic"]
    case .media: ["media", "image", "imageName", "photo"]
    case .likes: ["likes"]
    case .liked: ["liked", "isLiked"]
    case .shares: ["shares"]
    case .reactions: ["reactions"]
    case .comments: ["comments", "postComments"]
    case .replies: ["replies", "replyComments"]
    case .parent: ["parent", "replyTo", "replyToId", "reply_to", "parent_id"]
    case .source: ["source"]
    case .deleted: ["deleted"]
    case .system: ["system"]
    case .type: ["type"]
    case .summary: ["summary"]
    case .description: ["description", "excerpt"]
    case .weakID: ["_id"]
    case .weakParent: ["replying_to_uid"]
    case .weakDate: ["created", "createdAt", "creationDate"]
    case .weakUpdated: ["modified", "last_modified_at", "updated_at", "updatedAt"]
    }
  }

  static let count = Self.allCases.count

  /// The field whose own name this is, for the `fields` of a channel.
  static func named(_ name: String) -> Field? {
    allCases.first { $0.names.contains { $0.utf8.elementsEqual(name.utf8) } }
  }
}

/// Some of the fields, a bit each.
struct FieldSet: ExpressibleByArrayLiteral {
  private(set) var bits: UInt64 = 0

  @inline(__always)
  init(arrayLiteral fields: Field...) {
    for field in fields { insert(field) }
  }

  /// Adds a field; returns false if it was there.
  @discardableResult
  @inline(__always)
  mutating func insert(_ field: Field) -> Bool {
    let bit = Self.bit(of: field)
    defer { bits |= bit }
    return bits & bit == 0
  }

  @inline(__always)
  func contains(_ field: Field) -> Bool { bits & Self.bit(of: field) != 0 }

  /// Whether both have a field.
  @inline(__always)
  func meets(_ other: FieldSet) -> Bool { bits & other.bits != 0 }

  @inline(__always)
  private static func bit(of field: Field) -> UInt64 { 1 &<< UInt64(field.rawValue) }
}

/// Finds a field by the bytes of a key; a channel may add names of its own.
struct FieldTable: Sendable {
  /// A name as its length and its first and last eight bytes: up to sixteen bytes that is all.
  private struct Key: Equatable {
    var count: Int
    var head: UInt64 = 0
    var tail: UInt64 = 0

    static let free = Key(count: -1)
    /// Longer names must be compared byte by byte.
    static let longestWhole = 16

    private init(count: Int) { self.count = count }

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      count = bytes.count
      guard let start = UnsafeRawPointer(bytes.baseAddress), count > 0 else { return }
      if count >= 8 {
        head = start.loadUnaligned(as: UInt64.self)
        tail = start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      } else if count >= 4 {
        head = UInt64(start.loadUnaligned(as: UInt32.self))
        tail = UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      } else {
        head = UInt64(bytes[0]) | UInt64(bytes[count &>> 1]) &<< 8
        tail = UInt64(bytes[count &- 1])
      }
    }

    /// Where the search begins in a table of ``FieldTable/size`` slots.
    @inline(__always)
    var place: Int {
      let mixed =
        (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(truncatingIfNeeded: count))
        &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: mixed &>> 32) & (FieldTable.size - 1)
    }
  }

  private struct Slot {
    var key: Key
    var field: Field
    /// The position in `longNames` of a name that its key doesn't hold whole.
    var longName: UInt8 = 0
  }

  /// A power of two, above the number of names by far: a channel adds 64 at most.
  private static let size = 256

  private var slots: [Slot]
  private var longNames: [[UInt8]] = []
  /// A channel's own names.
  let additions: [(name: String, field: Field)]

  /// The table of every channel and post: our own names and those that other apps write.
  static let standard = FieldTable(adding: [])

  /// - Parameter additions: A record's own names for our fields; they win over the usual meaning.
  init(adding additions: [(name: String, field: Field)]) {
    self.additions = additions
    slots = Array(repeating: Slot(key: .free, field: .id), count: Self.size)
    for (name, field) in additions { insert(Array(name.utf8), field) }
    for field in Field.allCases {
      for name in field.names { insert(Array(name.utf8), field) }
    }
  }

  /// Of the additions.
  var fingerprint: UInt64 {
    additions.reduce(1) { hash, addition in
      let name = Fingerprint.mix(hash, Fingerprint.of(addition.name))
      return Fingerprint.mix(name, Fingerprint.of("\(addition.field)"))
    }
  }

  private mutating func insert(_ name: [UInt8], _ field: Field) {
    if self[name] != nil { return }
    var slot = Slot(key: name.withUnsafeBufferPointer { Key($0) }, field: field)
    if name.count > Key.longestWhole {
      slot.longName = UInt8(truncatingIfNeeded: longNames.count)
      longNames.append(name)
    }
    var place = slot.key.place
    while slots[place].key != .free { place = (place + 1) & (Self.size - 1) }
    slots[place] = slot
  }

  /// The field of a key.
  @inline(__always)
  subscript(_ key: JSONText) -> Field? { self[key.buffer] }

  /// The field of a name.
  subscript(_ name: [UInt8]) -> Field? { name.withUnsafeBufferPointer { self[$0] } }

  @inline(__always)
  private subscript(_ name: UnsafeBufferPointer<UInt8>) -> Field? {
    let key = Key(name)
    var place = key.place
    while true {
      // The place is below the table's size.
      let slot = slots.span[unchecked: place]
      if slot.key == key {
        if key.count <= Key.longestWhole || longNames[Int(slot.longName)].elementsEqual(name) {
          return slot.field
        }
      } else if slot.key.count < 0 {
        return nil
      }
      place = (place &+ 1) & (Self.size - 1)
    }
  }
}
