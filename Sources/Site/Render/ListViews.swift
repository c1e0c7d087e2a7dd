import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// `/people/` and its numbered pages.
  mutating func fillPeople(_ number: Int?) {
    let context = context
    let paging = context.plan.peoplePaging
    writeFrame(
      Frame(
        kind: "people",
        flag: .isPeople,
        section: .people,
        heading: context.labels.strings.text("people"),
        route: Routes.people(number: number)
      )
    )
    let shown = context.archive.people.indices.filter { context.plan.hasPage[$0] }
    data.beginArray(.people)
    for index in shown[paging.range(of: number)] {
      let person = context.archive.people[index]
      writeAuthor(
        nil,
        PersonID(index),
        entryCount: person.entries.count
      ) { $0.set(Key.bio.id, person.biography) }
    }
    data.endArray()
    writePagination(paging, current: number, route: Routes.people)
  }

  /// `/people/ID/` and its numbered pages.
  mutating func fillPerson(_ index: Int, number: Int?) throws {
    let context = context
    let person = context.archive.people[index]
    let paging = Paging(count: person.entries.count, size: PageSize.lines)
    writeFrame(
      Frame(
        kind: "person",
        flag: .isPerson,
        section: .people,
        heading: person.displayName,
        route: Routes.person(person, number: number),
        description: person.biography,
        feeds: .person(index)
      )
    )
    writeAuthor(.person, PersonID(index)) { data in
      data.set(.bio, person.biography)
      if person.links.isEmpty { return }
      data.beginObject(.links)
      data.beginArray(.items)
      for link in person.links {
        data.beginObject()
        data.set(.label, link.label.isEmpty ? link.href : link.label)
        data.set(.href, link.href)
        data.endObject()
      }
      data.endArray()
      data.endObject()
    }
    try writeLines(person.entries[paging.range(of: number)].reversed())
    writePagination(paging, current: number) { Routes.person(person, number: $0) }
  }

  /// `/tags/`.
  mutating func fillTags() {
    let context = context
    let tags = context.archive.tags
    writeFrame(
      Frame(
        kind: "tags",
        flag: .isTags,
        section: .tags,
        heading: context.labels.strings.text("tags"),
        route: Routes.tags
      )
    )
    let most = tags.map(\.entries.count).max() ?? 1
    data.beginArray(.tags)
    for tag in tags {
      data.beginObject()
      data.set(.name, tag.title)
      data.writeURL(.url) { context.links.append(Routes.tag(tag), into: &$0) }
      data.write(.countLabel) { context.labels.entries.append(tag.entries.count, into: &$0) }
      data.set(.size, 1 + 4 * tag.entries.count / max(most, 1))
      data.endObject()
    }
    data.endArray()
  }

  /// `/tags/TAG/` and its numbered pages.
  mutating func fillTag(_ index: Int, number: Int?) throws {
    let context = context
    let tag = context.archive.tags[index]
    let paging = Paging(count: tag.entries.count, size: PageSize.lines)
    writeFrame(
      Frame(
        kind: "tag",
        flag: .isTag,
        section: .tags,
        heading: tag.title,
        route: Routes.tag(tag, number: number),
        feeds: .tag(index)
      )
    )
    data.beginObject(.tag)
    data.set(.name, tag.title)
    data.writeURL(.url) { context.links.append(Routes.tag(tag), into: &$0) }
    data.endObject()
    try writeLines(tag.entries[paging.range(of: number)].reversed())
    writePagination(paging, current: number) { Routes.tag(tag, number: $0) }
  }

  /// Writes entries as lines: where, when, and how they begin.
  mutating func writeLines(_ entries: [EntryID]) throws {
    let context = context
    // What is held needs no reading; titles of messages are not.
    let needsDetails = entries.contains {
      let entry = context.archive.entries[$0.index]
      return !context.texts.holds($0) || (entry.kind == .message && !entry.flags.contains(.plain))
    }
    if needsDetails { try details.read(entries) }
    context.texts.prefetch(entries)
    data.beginArray(.entries)
    for (index, id) in entries.enumerated() {
      let entry = context.archive.entries[id.index]
      data.beginObject()
      data.beginObject(.entry)
      writePermalink(.url, of: id)
      data.set(.where, place(of: entry))
      writeTime(.date, entry.date, style: .date)
      switch entry.kind {
      case .post:
        data.set(.kindLabel, context.labels.kindPost)
        data.set(.title, context.archive.posts[Int(entry.container)].title)
      case .comment: data.set(.kindLabel, context.labels.kindComment)
      case .message:
        if !entry.flags.contains(.plain) { data.set(.title, details.rare(index)?.title ?? "") }
      }
      if entry.flags.contains(.sensitive) {
        data.set(.excerpt, context.labels.sensitive)
      } else {
        scratch.removeAll()
        appendExcerpt(of: id, at: index, limit: 160)
        if !scratch.isEmpty {
          data.set(.excerpt, contentsOf: scratch)
        } else if entry.flags.contains(.hasMedia) {
          data.set(.excerpt, context.labels.file)
        }
      }
      data.endObject()
      data.endObject()
    }
    data.endArray()
  }

  /// Where an entry stands: the channel, or the post it comments.
  private func place(of entry: Entry) -> String {
    switch entry.kind {
    case .post: ""
    case .comment: context.archive.posts[Int(entry.container)].title
    case .message: context.archive.channels[Int(entry.container)].title
    }
  }

  /// `/timeline/`: the years and months that hold something.
  mutating func fillTimeline() {
    let context = context
    writeFrame(
      Frame(
        kind: "timeline",
        flag: .isTimeline,
        section: .timeline,
        heading: context.labels.strings.text("timeline"),
        route: Routes.timeline
      )
    )
    data.beginArray(.years)
    var year: Int?
    for month in context.plan.months.reversed() {
      if month.year != year {
        if year != nil { endYear() }
        year = month.year
        data.beginObject()
        data.set(.label, text(year: month.year, month: 1, day: 1, context.labels.year))
        data.beginArray(.months)
      }
      data.beginObject()
      data.set(.label, text(year: month.year, month: month.month, day: 1, context.labels.month))
      data.writeURL(.url) { context.links.append(Routes.month(month), into: &$0) }
      data.write(.countLabel) {
        if !month.posts.isEmpty { context.labels.posts.append(month.posts.count, into: &$0) }
        if !month.posts.isEmpty, month.messageCount > 0 { $0.append(" · ") }
        if month.messageCount > 0 { context.labels.messages.append(month.messageCount, into: &$0) }
      }
      data.endObject()
    }
    if year != nil { endYear() }
    data.endArray()
  }

  private mutating func endYear() {
    data.endArray()
    data.endObject()
  }

  /// `/timeline/2024/05/`: the posts of a month, and the channels' buckets.
  mutating func fillMonth(_ index: Int) throws {
    let context = context
    let months = context.plan.months
    let month = months[index]
    let label = text(year: month.year, month: month.month, day: 1, context.labels.month)
    writeFrame(
      Frame(
        kind: "month",
        flag: .isMonth,
        section: .timeline,
        heading: label,
        route: Routes.month(month)
      )
    )
    data.set(.month, label)
    try writeLines(month.posts.map { context.archive.posts[$0].entry })
    writeChannels(of: month)
    if index > 0 { writeMonthLink(.earlier, months[index - 1]) }
    if index + 1 < months.count { writeMonthLink(.later, months[index + 1]) }
  }

  /// Beyond so many channels their days are left out, so that a month's page stays light.
  private static let channelsWithDays = 40

  /// The channels with messages in a month, each with its days.
  private mutating func writeChannels(of month: Plan.Month) {
    if month.channels.isEmpty { return }
    let context = context
    data.beginObject(.buckets)
    data.beginArray(.items)
    for part in month.channels {
      let channel = context.archive.channels[part.channel]
      let buckets = context.plan.buckets[part.channel]
      data.beginObject()
      data.set(.title, channel.title)
      data.writeURL(.url) {
        context.links.append(
          Routes.bucket(buckets[part.buckets.lowerBound], of: channel),
          into: &$0
        )
      }
      data.write(.countLabel) { context.labels.messages.append(part.messageCount, into: &$0) }
      if channel.bucket == .day, month.channels.count <= Self.channelsWithDays {
        data.beginObject(.days)
        data.beginArray(.items)
        for bucket in buckets[part.buckets] {
          data.beginObject()
          data.set(.label, String(bucket.day))
          data.writeURL(.url) {
            context.links.append(Routes.bucket(bucket, of: channel), into: &$0)
          }
          data.write(.title) { context.labels.messages.append(bucket.messages.count, into: &$0) }
          data.endObject()
        }
        data.endArray()
        data.endObject()
      }
      data.endObject()
    }
    data.endArray()
    data.endObject()
  }

  private mutating func writeMonthLink(_ key: Key, _ month: Plan.Month) {
    let label = text(year: month.year, month: month.month, day: 1, context.labels.month)
    writeLink(key, route: Routes.month(month), label: label)
  }
}
