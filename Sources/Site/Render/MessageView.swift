import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Reads the details of a page's messages, then of the messages they answer.
  ///
  /// - Returns: Where each answered message stands in the batch.
  mutating func readWithParents(_ messages: [EntryID]) throws -> [EntryID: Int] {
    var batch = messages
    var quoted: [EntryID: Int] = [:]
    for (index, message) in messages.enumerated() where quoted[message] == nil {
      quoted[message] = index
    }
    for message in messages {
      let parent = context.archive.entries[message.index].parent
      if parent != .none, quoted[parent] == nil {
        quoted[parent] = batch.count
        batch.append(parent)
      }
    }
    try details.read(batch)
    return quoted
  }

  /// Writes a message into the object that is open.
  ///
  /// `prefix` is the address of the page with the message's permalink; `limit` is where a body is cut.
  mutating func writeMessage(
    _ id: EntryID,
    at index: Int,
    prefix: String,
    quoted: [EntryID: Int],
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

  private mutating func writeQuote(of entry: Entry, _ quoted: [EntryID: Int]) {
    let context = context
    if entry.flags.contains(.missingParent) {
      data.beginObject(.quote)
      data.flag(.missing)
      data.endObject()
      return
    }
    guard entry.parent != .none, let index = quoted[entry.parent] else { return }
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
