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

/// Finds a field by the bytes of a key; a channel may add names of its own.
struct FieldTable: Sendable {
  private struct Slot {
    var hash: UInt64
    var name: [UInt8]
    var field: Field
    /// Stands in no slot when negative; the position among the field's names.
    var isFree: Bool
  }

  private var slots: [Slot]
  /// A channel's own names.
  let additions: [(name: String, field: Field)]

  /// The table of every channel and post: our own names and those that other apps write.
  static let standard = FieldTable(adding: [])

  /// - Parameter additions: A record's own names for our fields; they win over the usual meaning.
  init(adding additions: [(name: String, field: Field)]) {
    self.additions = additions
    let free = Slot(hash: 0, name: [], field: .id, isFree: true)
    slots = Array(repeating: free, count: 256)
    for (name, field) in additions { insert(Array(name.utf8), field) }
    for field in Field.allCases {
      for name in field.names { insert(Array(name.utf8), field) }
    }
  }

  private mutating func insert(_ name: [UInt8], _ field: Field) {
    let hash = name.withUnsafeBufferPointer { Self.hash($0) }
    var place = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while !slots[place].isFree {
      if slots[place].name == name { return }
      place = (place + 1) & (slots.count - 1)
    }
    slots[place] = Slot(hash: hash, name: name, field: field, isFree: false)
  }

  @inline(__always)
  subscript(_ key: JSONText) -> Field? {
    let bytes = key.buffer
    let hash = Self.hash(bytes)
    var place = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while !slots[place].isFree {
      if slots[place].hash == hash, slots[place].name.elementsEqual(bytes) {
        return slots[place].field
      }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Mixes the length and the first and last eight bytes: keys are short, and equality is checked.
  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    let count = bytes.count
    guard let start = UnsafeRawPointer(bytes.baseAddress), count > 0 else { return 1 }
    if count >= 8 {
      head = start.loadUnaligned(as: UInt64.self)
      tail = start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
      for index in 0..<count { head = head << 8 | UInt64(bytes[index]) }
    }
    let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(count)) &* 0xD6E8_FEB8_6659_FD93
    return mixed | 1
  }
}
