import Bytes

// Lists posts, channels, topics, tags and pages over the sorted entries.
extension ArchiveBuilder {
  mutating func listPosts() {
    archive.posts = raw.posts.indices.map { index in
      Post(
        entry: EntryID(index),
        slug: raw.string(raw.entries[index].name),
        title: raw.string(raw.posts[index].title)
      )
    }
    for alias in raw.aliases {
      archive.posts[Int(alias.entry)].aliases.append(raw.string(alias.name))
    }
    var index = raw.posts.count
    for post in archive.posts.indices {
      let start = index
      var count = 0
      while index < raw.entries.count, raw.entries[index].kind == .comment,
        Int(raw.entries[index].container) == post
      {
        if !raw.entries[index].isTombstone { count += 1 }
        index += 1
      }
      archive.posts[post].comments = start..<index
      archive.posts[post].commentCount = count
    }
  }

  mutating func listChannels() {
    var names = FileNames()
    var index = archive.posts.last?.comments.upperBound ?? 0
    archive.channels = rules.enumerated().map { number, rules in
      var channel = rules.channel
      channel.name = names.name(for: channel.id).string
      let start = index
      index = end(ofChannel: number, from: start)
      channel.messages = start..<index
      return channel
    }
  }

  /// Where the messages of a channel end: they stand together, channel by channel.
  private func end(ofChannel number: Int, from start: Int) -> Int {
    var (low, high) = (start, raw.entries.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(raw.entries[middle].container) <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func listTags() {
    var names = FileNames()
    // Tags that differ only in case are one, called as its earliest entry calls it.
    var numberOfKey: [UInt64: UInt32] = [:]
    var keys: [UInt64?] = Array(repeating: nil, count: raw.tags.count)
    var uses: [(entry: UInt32, tag: UInt32)] = raw.tagUses.compactMap { use in
      let entry = positions[Int(use.entry)]
      return entry == .max ? nil : (entry, use.tag)
    }
    // By time over the whole archive; the written order within an entry stays.
    uses = uses.enumerated().sorted { left, right in
      let (first, second) = (left.element.entry, right.element.entry)
      if first == second { return left.offset < right.offset }
      return isEarlier(first, second)
    }.map(\.element)
    var tags: [Tag] = []
    for use in uses where !raw.entries[Int(use.entry)].isTombstone {
      let number = Int(use.tag)
      let key =
        keys[number]
        ?? raw.tags.withBytes(number) {
          Fingerprint.of(PathName.collisionKey(of: Span(_unsafeElements: $0)).span)
        }
      keys[number] = key
      let tag = numberOfKey[key] ?? UInt32(truncatingIfNeeded: tags.count)
      if Int(tag) == tags.count {
        numberOfKey[key] = tag
        tags.append(Tag(title: raw.tags.string(number), name: ""))
      }
      let entry = EntryID(rawValue: use.entry)
      if tags[Int(tag)].entries.last != entry { tags[Int(tag)].entries.append(entry) }
    }
    for index in tags.indices { tags[index].name = names.name(for: tags[index].title).string }
    tags.sort { precedes($0.name, $1.name) }
    archive.tags = tags
    for (number, tag) in tags.enumerated() {
      for entry in tag.entries where raw.entries[entry.index].kind == .post {
        archive.posts[entry.index].tags.append(UInt32(truncatingIfNeeded: number))
      }
    }
  }

  /// By date, then position.
  @inline(__always)
  func isEarlier(_ left: UInt32, _ right: UInt32) -> Bool {
    let (first, second) = (raw.entries[Int(left)].date, raw.entries[Int(right)].date)
    return first == second ? left < right : first < second
  }

  mutating func listPages() {
    var names = FileNames()
    for page in raw.pages
    where page.audience <= audience && (includesDrafts || !page.isDraft) {
      let name = names.name(for: page.slug.span)
      var standalone = page.page
      standalone.slug = name.string
      archive.pages.append(standalone)
      if name.wasTaken {
        raw.diagnostics.append(
          Diagnostic(
            .warning,
            path: scan.paths[standalone.record.file.index],
            headline: "Another page has the name '\(String(decoding: page.slug, as: UTF8.self))'",
            explanation: "This one is shown as '\(name.string)'"
          )
        )
      }
    }
    archive.pages.sort { precedes($0.slug, $1.slug) }
  }
}

// MARK: - Topics

extension ArchiveBuilder {
  /// Groups the messages of topics channels: by their topic, else by the thread they stand in.
  mutating func listTopics() {
    guard archive.channels.contains(where: { $0.view == .topics }) else { return }
    var uses: [UInt32: Harvest.TopicUse] = [:]
    for use in raw.topicUses {
      let position = positions[Int(use.entry)]
      if position != .max, !raw.entries[Int(position)].isTombstone { uses[position] = use }
    }
    for number in archive.channels.indices where archive.channels[number].view == .topics {
      let first = archive.topics.count
      listTopics(of: number, uses)
      archive.channels[number].topics = first..<archive.topics.count
    }
    // Nobody asks for them any more.
    raw.topics = TextTable()
    gatherMessages(uses)
    if archive.topics.isOverfull { raw.refuse() }
  }

  private mutating func listTopics(of channel: Int, _ uses: [UInt32: Harvest.TopicUse]) {
    var names = FileNames()
    var numberOfTopic: [UInt32: Int] = [:]
    for index in archive.channels[channel].messages {
      // Up the thread to an entry that has a topic or names one, or to the top.
      var way: [Int] = []
      var place = index
      var topic: Int?
      while true {
        if raw.entries[place].topic != .max {
          topic = Int(raw.entries[place].topic)
          break
        }
        way.append(place)
        if let use = uses[UInt32(truncatingIfNeeded: place)], use.topic != .max {
          topic = numberOfTopic[use.topic]
          break
        }
        guard raw.entries[place].parent != .none else { break }
        place = raw.entries[place].parent.index
      }
      let number = topic ?? archive.topics.count
      if topic == nil {
        let use = uses[UInt32(truncatingIfNeeded: place)]
        let hasID = use.map { $0.topic != .max && raw.topicHasID[Int($0.topic)] } ?? false
        let own = use.flatMap { hasID ? raw.topics.array(Int($0.topic)) : nil }
        let name = own ?? raw.withBytes(raw.entries[place].name) { Array($0) }
        if let use, use.topic != .max { numberOfTopic[use.topic] = number }
        archive.topics.append(
          name: names.name(for: name.span).bytes,
          channel: UInt32(truncatingIfNeeded: channel)
        )
      }
      for place in way { raw.entries[place].topic = UInt32(truncatingIfNeeded: number) }
    }
  }

  /// Gathers the messages of each topic, and its title.
  private mutating func gatherMessages(_ uses: [UInt32: Harvest.TopicUse]) {
    let messages = archive.channels.filter { $0.view == .topics }.map(\.messages).joined()
    let topics = archive.topics.indices
    var runs = EntryRuns(count: archive.topics.count)
    for index in messages where topics.contains(Int(raw.entries[index].topic)) {
      runs.count(Int(raw.entries[index].topic))
    }
    runs.allocate()
    for index in messages where topics.contains(Int(raw.entries[index].topic)) {
      let number = Int(raw.entries[index].topic)
      runs.place(EntryID(index), in: number)
      guard let use = uses[UInt32(truncatingIfNeeded: index)], !use.title.isEmpty else { continue }
      // A topic's title is the newest it was given; a thread's is its first entry's.
      if use.topic != .max || !archive.topics.hasTitle(number) {
        raw.withBytes(use.title) { archive.topics.entitle(number, $0) }
      }
    }
    archive.topics.take(runs)
  }
}
