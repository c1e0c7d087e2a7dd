import Bytes
import Mustache

/// The names of docs/template-data.md, in the order in which they are interned: a key's raw value
/// is its id on the tape.
enum Key: UInt16, CaseIterable, Sendable {
  case site, strings, nav, root, title, heading, description, kind, `in`, canonical
  case ogType, ogImage, ogImageAlt, jsonLD, feedAtomURL, feedJSONURL, feedTitle, previousURL
  case nextURL, rail, aside, language, baseURL, noIndex, homeURL, generator, style, script, icon
  case atomURL, jsonFeedURL, hasFeed, hasChannels, hasPeople, hasTags, hasTimeline, hasPages
  case feedURL, channelsURL, peopleURL, tagsURL, timelineURL, pages, url, channels, more, current
  case isChat, isBoard, isTopics, initials, hue, people, months, label, countLabel, view
  case isFeed, isPost, isThread, isTopic, isChannels, isPeople, isPerson, isTags, isTag
  case isTimeline, isMonth, isPage, isMissing, isRedirect
  case feed, tags, timeline
  case iso, text, full, time, undated
  case name, avatar, isSelf, anonymous
  case isImage, isVideo, isAudio, isFile, alt, caption, width, height, type, sizeLabel, moreLabel
  case external, grid, items
  case count, mine
  case id, anchor, fragment, author, date, updated, edited, editedLabel, body, bigEmoji, media
  case reactions
  case likes, likesLabel, liked, shares, sharesLabel, pinned, draft, sensitive, deleted, lang
  case sourceHref, sourceLabel, extra, bodyHeading, level
  case isPublic, isFriends, isPrivate, audienceLabel, comments, commentsLabel, commentsURL
  case truncated, post, comment, message, entry
  case replies, isAuthor, depth, flat, replyTo, missing, moreURL
  case isOwn, isSystem, startsRun, endsRun, quote, excerpt, isUpdated
  case pagination, newer, older, newest, oldest, gap
  case stories, image, posts, empty
  case commentsHeading, order, parts, earlier, later, parentURL
  case channel, days, messages, newestURL, bucketLabel
  case newestFirst, oldestFirst
  case topics, topic, peopleLabel, last, lastAuthor
  case person, links, bio, entries, `where`, kindLabel, href, size, tag, years, month, buckets

  var id: KeyID { KeyID(rawValue: rawValue) }

  /// The names that a template may use: docs/template-data.md.
  static var documented: [String] {
    allCases.map { "\($0)" } + ["extra.*", "hasSearch", "searchURL", "search"]
  }

  /// A table that holds all keys at their ids.
  static func table() -> KeyTable {
    var table = KeyTable()
    for key in allCases { _ = table.intern("\(key)") }
    return table
  }
}

extension TemplateData {
  mutating func beginObject(_ key: Key) { beginObject(key.id) }
  mutating func beginArray(_ key: Key) { beginArray(key.id) }
  mutating func set(_ key: Key, _ number: Int) { set(key.id, number) }
  mutating func set(_ key: Key, _ text: StaticString) { set(key.id, text) }
  mutating func set(_ key: Key, bytes: Span<UInt8>) { set(key.id, bytes: bytes) }

  mutating func set(_ key: Key, contentsOf buffer: borrowing ByteBuffer) {
    set(key.id, bytes: buffer.bytes)
  }

  /// A text; an empty one is left out.
  mutating func set(_ key: Key, _ text: String) {
    if !text.isEmpty { set(key.id, text) }
  }

  /// A flag; false is left out.
  mutating func flag(_ key: Key, _ value: Bool = true) {
    if value { set(key.id, true) }
  }

  /// A count; zero is left out.
  mutating func setCount(_ key: Key, _ count: Int) {
    if count != 0 { set(key.id, count) }
  }

  mutating func write(_ key: Key, _ body: (inout ByteBuffer) -> Void) { write(key.id, body) }

  /// An address, percent-encoded, in which nothing has to be escaped; an empty one is left out.
  mutating func setURL(_ key: Key, _ address: String) {
    if !address.isEmpty { writeURL(key) { $0.append(text: address) } }
  }

  /// An address, percent-encoded, in which nothing has to be escaped.
  mutating func writeURL(_ key: Key, _ body: (inout ByteBuffer) -> Void) {
    writePlain(key.id, body)
  }
}
