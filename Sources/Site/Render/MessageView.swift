import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Reads the details of a page's messages, then of the messages they answer.
  ///
  /// - Returns: Where each stands in the batch.
  mutating func readWithParents(_ messages: [EntryID]) throws -> MessageBatch {
    let batch = MessageBatch(messages, in: context.archive.entries)
    try details.read(batch.entries)
    return batch
  }

  /// Writes a message into the object that is open.
  ///
  /// `prefix` is the address of the page with the message's permalink; `limit` is where a body is cut.
  mutating func writeMessage(
    _ id: EntryID,
    at index: Int,
    prefix: String,
    quoted: MessageBatch,
    style: TimeStyle,
    limit: Int? = nil
  ) {
    let entry = context.archive.entries[id.index]
    writeCommon(
      id,
      at: index,
      EntryPlacement(
        headingLevel: 2,
        // In a chat that is the day's.
        hasHeading: context.archive.channels[Int(entry.container)].view == .chat,
        timeStyle: style,
        hardBreaks: true,
        pageURL: prefix,
        bodyLimit: limit
      )
    )
    data.flag(.isSystem, entry.flags.contains(.system))
    data.flag(.isOwn, entry.author != .none && context.archive.people.isSelf(entry.author))
    if entry.flags.contains(.deleted) { return }
    writeQuote(of: entry, quoted)
  }

  private mutating func writeQuote(of entry: Entry, _ quoted: MessageBatch) {
    let context = context
    if entry.flags.contains(.missingParent) {
      data.beginObject(.quote)
      data.flag(.missing)
      data.endObject()
      return
    }
    guard entry.parent != .none, let index = quoted.place(of: entry.parent) else { return }
    let parent = context.archive.entries[entry.parent.index]
    data.beginObject(.quote)
    data.set(.name, displayName(of: parent.author))
    let isKnown = parent.author != .none
    data.set(.hue, isKnown ? Hue.of(context.archive.people[parent.author.index].id) : 0)
    writePermalink(.url, of: entry.parent)
    if parent.flags.contains(.deleted) {
      data.set(.excerpt, context.labels.strings.text("deletedMessage"))
    } else if parent.flags.contains(.sensitive) {
      data.set(.excerpt, context.labels.sensitive)
    } else {
      let text = excerpt(of: entry.parent, at: index, limit: 140)
      let isPicture = text.isEmpty && parent.flags.contains(.hasMedia)
      data.set(.excerpt, isPicture ? context.labels.file : text)
    }
    data.endObject()
  }
}

/// A page's messages and those they answer, which are read together.
struct MessageBatch {
  /// The messages in the order of the page, then those on other pages that they answer.
  private(set) var entries: [EntryID]
  /// Positions in `entries`, ascending by id.
  private var places: [Int]

  /// A batch of some of all entries.
  init(_ messages: [EntryID], in all: [Entry]) {
    entries = messages
    places = Self.sorted(messages)
    let answered = messages.map { all[$0.index].parent }.filter { $0 != .none }.sorted()
    for parent in answered where entries.last != parent && place(of: parent) == nil {
      entries.append(parent)
    }
    if entries.count > messages.count { places = Self.sorted(entries) }
  }

  private static func sorted(_ entries: [EntryID]) -> [Int] {
    entries.indices.sorted { entries[$0] < entries[$1] }
  }

  /// The position of an entry in `entries`; nil for one that isn't there.
  func place(of entry: EntryID) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[places[middle]] < entry { low = middle + 1 } else { high = middle }
    }
    return low < places.count && entries[places[low]] == entry ? places[low] : nil
  }
}
