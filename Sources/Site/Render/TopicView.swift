import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// `/channels/CH/` of a topics channel: the topics, the last active first.
  mutating func fillTopics(_ index: Int, number: Int?) throws {
    let context = context
    let channel = context.archive.channels[index]
    let sorted = context.plan.topicOrders[index]
    let paging = Paging(count: sorted.count, size: PageSize.topicList)
    var heading = channel.title
    if let number {
      heading += " · " + context.labels.strings.pattern("pageNumber").filled(with: String(number))
    }
    writeFrame(
      Frame(
        kind: "topics",
        flag: .isTopics,
        section: .channels,
        heading: heading,
        route: Routes.topics(channel, number: number),
        description: channel.description,
        channel: index,
        feeds: .channel(index)
      )
    )
    writeChannel(index)
    data.flag(.empty, sorted.isEmpty)
    data.beginArray(.topics)
    for topic in sorted[paging.range(of: number)].reversed() { writeTopicLine(topic, of: channel) }
    data.endArray()
    writePagination(paging, current: number) { Routes.topics(channel, number: $0) }
  }

  private mutating func writeTopicLine(_ index: Int, of channel: Channel) {
    let context = context
    let topic = context.archive.topics[index]
    let people = Set(topic.messages.lazy.map { context.archive.entries[$0.index].author })
    data.beginObject()
    data.set(.title, topicTitle(topic))
    data.writeURL(.url) { context.links.append(Routes.topic(topic, of: channel), into: &$0) }
    data.write(.countLabel) { context.labels.messages.append(topic.messages.count, into: &$0) }
    data.write(.peopleLabel) { context.labels.people.append(people.count, into: &$0) }
    if let first = topic.messages.first, let last = topic.messages.last {
      let entry = context.archive.entries[first.index]
      data.flag(.pinned, entry.flags.contains(.pinned))
      writeAuthor(.author, entry.author)
      writeTime(.last, context.archive.entries[last.index].date, style: .date)
      writeAuthor(.lastAuthor, context.archive.entries[last.index].author)
    }
    data.endObject()
  }

  /// A topic's title, or a word where it has none.
  func topicTitle(_ topic: Topic) -> String {
    topic.title.isEmpty ? context.labels.strings.text("topic") : topic.title
  }

  /// `/channels/CH/topics/ID/` and its further pages.
  mutating func fillTopic(_ index: Int, part: Int) throws {
    let context = context
    let topic = context.archive.topics[index]
    let number = Int(topic.channel)
    let channel = context.archive.channels[number]
    let parts = context.plan.parts(ofTopic: index)
    let members = Array(topic.messages[parts.range(of: part)])
    let tree = Thread(of: members, in: context.archive.entries)
    try details.read(tree.nodes.map(\.entry))
    var heading = topicTitle(topic)
    if part > 1 {
      heading += " · " + context.labels.strings.pattern("pageNumber").filled(with: String(part))
    }
    let first = tree.nodes.first
    writeFrame(
      Frame(
        kind: "topic",
        flag: .isTopic,
        section: .channels,
        heading: heading,
        route: Routes.topic(topic, of: channel, part: part),
        described: first.map { ($0.entry, 0) },
        channel: number,
        feeds: .channel(number),
        previous: part > 1 ? Routes.topic(topic, of: channel, part: part - 1) : nil,
        next: part < parts.total ? Routes.topic(topic, of: channel, part: part + 1) : nil,
        isArticle: true
      )
    )
    writeChannel(number)
    writeAside(people: members.lazy.map { context.archive.entries[$0.index].author })
    data.beginObject(.topic)
    data.set(.title, topicTitle(topic))
    data.writeURL(.url) { context.links.append(Routes.topic(topic, of: channel), into: &$0) }
    data.write(.countLabel) { context.labels.messages.append(topic.messages.count, into: &$0) }
    data.endObject()
    let author = topic.messages.first.map { context.archive.entries[$0.index].author } ?? .none
    let pageURL = context.links.url(Routes.topic(topic, of: channel, part: part))
    writeComments(tree, at: 0, level: 2, author: author, pageURL: pageURL)
    writeParts(.pagination, parts, current: part) {
      Routes.topic(topic, of: channel, part: $0)
    }
    if let first {
      writeThreadJSON(root: first.entry, heading: heading, tree: tree, at: 0, pageURL: pageURL)
    }
  }
}
