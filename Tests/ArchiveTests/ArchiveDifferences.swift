import Bytes

@testable import Archive

extension Archive {
  /// What differs from another archive, the places of texts aside.
  func differences(from other: Archive) -> [String] {
    var found: [String] = []
    func compare<Value: Equatable>(_ what: String, _ mine: Value, _ theirs: Value) {
      if mine != theirs, found.count < 10 { found.append("\(what): \(mine), not \(theirs)") }
    }
    compare("entries", entries.count, other.entries.count)
    compare("posts", posts.map(PostImage.init), other.posts.map(PostImage.init))
    compare("channels", channels.map(\.messages), other.channels.map(\.messages))
    compare("topics", topics.map(\.messages), other.topics.map(\.messages))
    compare("topic titles", topics.map(\.title), other.topics.map(\.title))
    compare("topic names", topics.map(\.name), other.topics.map(\.name))
    compare("people", people.map(\.id), other.people.map(\.id))
    compare("names", people.map(\.displayName), other.people.map(\.displayName))
    compare("avatars", people.map(\.avatar), other.people.map(\.avatar))
    compare("people's entries", people.map(\.entries), other.people.map(\.entries))
    compare("tags", tags.map(\.name), other.tags.map(\.name))
    compare("tag titles", tags.map(\.title), other.tags.map(\.title))
    compare("tags' entries", tags.map(\.entries), other.tags.map(\.entries))
    compare("pages", pages.map(\.slug), other.pages.map(\.slug))
    compare("page titles", pages.map(\.title), other.pages.map(\.title))
    compare("page records", pages.map(\.record), other.pages.map(\.record))
    compare("page bodies", pages.map(\.body), other.pages.map(\.body))
    compare("page times", pages.map(\.updated), other.pages.map(\.updated))
    compare("static files", staticFiles, other.staticFiles)
    compare("files", files.map(\.path), other.files.map(\.path))
    compare("sizes", files.map(\.size), other.files.map(\.size))
    compare("times", files.map(\.modified), other.files.map(\.modified))
    compare("inodes", files.map(\.inode), other.files.map(\.inode))
    compare(
      "front matter",
      documents.map { string($0.frontMatter) },
      other.documents.map { other.string($0.frontMatter) }
    )
    compare("bodies", documents.map(\.body), other.documents.map(\.body))
    for index in entries.indices.prefix(other.entries.count) {
      compare(
        "entry \(index)",
        EntryImage(entries[index], in: self),
        EntryImage(other.entries[index], in: other)
      )
    }
    return found
  }
}

private struct PostImage: Equatable {
  var entry: EntryID
  var slug: String
  var title: String
  var tags: [UInt32]
  var aliases: [String]
  var comments: Range<Int>
  var count: Int

  init(_ post: Post) {
    entry = post.entry
    slug = post.slug
    title = post.title
    tags = post.tags
    aliases = post.aliases
    comments = post.comments
    count = post.commentCount
  }
}

private struct EntryImage: Equatable {
  var words: [String]
  var numbers: [UInt64]
  var times: [Timestamp]
  var record: RecordRange

  init(_ entry: Entry, in archive: Archive) {
    words = [archive.string(entry.id), archive.string(entry.name)]
    numbers = [
      UInt64(entry.kind.rawValue), UInt64(entry.audience.rawValue), UInt64(entry.format.rawValue),
      UInt64(entry.flags.rawValue), UInt64(entry.author.rawValue), UInt64(entry.container),
      UInt64(entry.parent.rawValue), UInt64(entry.topic), UInt64(entry.likes),
      UInt64(entry.shares), UInt64(entry.document), entry.fingerprint,
    ]
    times = [entry.date, entry.updated]
    record = entry.record
  }
}
