import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Bytes of a text that a board shows at least; longer ones end with "read more", for the bucket has
  /// them whole.
  private static let cardBodyLimit = 1800

  /// `/channels/CH/`, `/newest/`, `/oldest/` and their numbered pages.
  mutating func fillBoard(_ index: Int, order: BoardOrder, number: Int?) throws {
    let channel = context.archive.channels[index]
    let sorted = context.plan.boardOrders[index]
    let paging = Paging(count: sorted.count, size: channel.perPage)
    let parts = Parts(count: sorted.count, size: channel.perPage)
    let shown: [EntryID]
    switch order {
    case .front, .newest: shown = sorted[paging.range(of: number)].reversed()
    case .oldest: shown = Array(sorted[parts.range(of: number ?? 1)])
    }
    var heading = channel.title
    if let number {
      heading += " · " + context.labels.strings.pattern("pageNumber").filled(with: String(number))
    }
    writeFrame(
      Frame(
        kind: "board",
        flag: .isBoard,
        section: .channels,
        heading: heading,
        route: Routes.board(channel, order: order, number: number),
        description: channel.description,
        channel: index,
        feeds: .channel(index)
      )
    )
    writeBoardOrders(channel, current: order)
    try writeCards(shown, of: index, limit: Self.cardBodyLimit)
    if order == .oldest {
      writeParts(.pagination, parts, current: number ?? 1) {
        Routes.board(channel, order: .oldest, number: $0 > 1 ? $0 : nil)
      }
    } else {
      writePagination(paging, current: number) {
        Routes.board(channel, order: $0 == nil ? .front : .newest, number: $0)
      }
    }
  }

  /// Writes the switch between the two orders; in a bucket neither is current.
  mutating func writeBoardOrders(_ channel: Channel, current: BoardOrder?) {
    let links = context.links
    data.beginObject(.newestFirst)
    data.writeURL(.url) {
      links.append(Routes.board(channel, order: .newest, number: nil), into: &$0)
    }
    data.flag(.current, current == .front || current == .newest)
    data.endObject()
    data.beginObject(.oldestFirst)
    data.writeURL(.url) {
      links.append(Routes.board(channel, order: .oldest, number: nil), into: &$0)
    }
    data.flag(.current, current == .oldest)
    data.endObject()
  }

  /// Writes the channel object, the people of the page and the messages as cards.
  mutating func writeCards(_ messages: [EntryID], of index: Int, limit: Int? = nil) throws {
    writeChannel(index)
    let context = context
    writeAside(people: messages.lazy.map { context.archive.entries[$0.index].author })
    data.flag(.empty, messages.isEmpty)
    let quoted = try readWithParents(messages)
    var page = MessagePage(context)
    data.beginArray(.messages)
    for (position, message) in messages.enumerated() {
      data.beginObject()
      data.beginObject(.message)
      writeMessage(
        message,
        at: position,
        prefix: page.prefix(of: message.index),
        quoted: quoted,
        style: .dateTime,
        limit: limit
      )
      data.flag(.isUpdated, context.archive.entries[message.index].flags.contains(.edited))
      data.endObject()
      data.endObject()
    }
    data.endArray()
  }
}
