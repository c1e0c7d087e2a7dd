import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Bytes of a post's body that the feed shows at least; longer posts end with "read more".
  private static let feedBodyLimit = 4000
  private static let storyLimit = 12

  /// `/` and `/page/N/`.
  mutating func fillFeed(_ number: Int?) throws {
    let context = context
    let paging = context.plan.feedPaging
    let posts = Array(paging.range(of: number).reversed())
    let heading = number.map {
      context.labels.strings.pattern("pageNumber").filled(with: String($0))
    }
    let position = number ?? paging.numbered + 1
    writeFrame(
      Frame(
        kind: "feed",
        flag: .isFeed,
        section: .feed,
        heading: heading ?? context.configuration.displayTitle,
        route: Routes.feed(number: number),
        description: context.configuration.description,
        feeds: .archive,
        previous: number.map { Routes.feed(number: $0 < paging.numbered ? $0 + 1 : nil) },
        next: position > 1 ? Routes.feed(number: position - 1) : nil
      )
    )
    writeAside(
      people: posts.map { context.archive.entries[context.archive.posts[$0].entry.index].author }
    )
    if number == nil {
      try writeStories()
      writeFrontChannels()
    }
    data.flag(.empty, posts.isEmpty && context.archive.channels.isEmpty)
    try details.read(posts.map { context.archive.posts[$0].entry })
    data.beginArray(.posts)
    for (index, post) in posts.enumerated() {
      data.beginObject()
      data.beginObject(.post)
      writePost(
        post,
        at: index,
        EntryPlacement(headingLevel: 2, bodyLimit: Self.feedBodyLimit)
      )
      data.endObject()
      data.endObject()
    }
    data.endArray()
    writePagination(paging, current: number, route: Routes.feed)
  }

  /// Writes a post into the object that is open.
  mutating func writePost(_ index: Int, at position: Int, _ placement: EntryPlacement) {
    let context = context
    let id = context.archive.posts[index].entry
    let entry = context.archive.entries[id.index]
    writeCommon(id, at: position, placement)
    if entry.flags.contains(.deleted) { return }
    writeAudience(entry.audience)
    let commentCount = context.archive.posts[index].commentCount
    if commentCount > 0 {
      data.set(.comments, commentCount)
      data.write(.commentsLabel) { context.labels.comments.append(commentCount, into: &$0) }
      data.writeURL(.commentsURL) {
        context.append(.post(index, part: 1), into: &$0)
        $0.append("#comments")
      }
    }
    writeTags(context.archive.posts[index].tags.lazy.map(Int.init))
  }

  private mutating func writeAudience(_ audience: Audience) {
    switch audience {
    case .everyone: data.flag(.isPublic)
    case .friends: data.flag(.isFriends)
    case .private: data.flag(.isPrivate)
    }
    data.set(.audienceLabel, context.labels.audience(audience))
  }

  /// The newest post with a picture of each author, the owner's first.
  private mutating func writeStories() throws {
    var seen: Set<PersonID> = []
    var own: [Int] = []
    var others: [Int] = []
    for index in context.archive.posts.indices.reversed() {
      let entry = context.archive.entries[context.archive.posts[index].entry.index]
      guard entry.flags.contains(.hasPicture), !entry.flags.contains(.deleted),
        !entry.flags.contains(.sensitive), entry.author != .none,
        seen.insert(entry.author).inserted
      else { continue }
      if context.archive.people.isSelf(entry.author) {
        own.append(index)
      } else if others.count < Self.storyLimit {
        others.append(index)
      }
      if others.count == Self.storyLimit, !own.isEmpty { break }
    }
    let stories = (own + others).prefix(Self.storyLimit)
    if stories.isEmpty { return }
    try details.read(stories.map { context.archive.posts[$0].entry })
    data.beginObject(.stories)
    data.beginArray(.items)
    for (position, index) in stories.enumerated() { writeStory(index, at: position) }
    data.endArray()
    data.endObject()
  }

  private mutating func writeStory(_ index: Int, at position: Int) {
    let context = context
    let post = context.archive.posts[index]
    let entry = context.archive.entries[post.entry.index]
    let picture = details.rare(position)?.media.first { $0.kind == .image && $0.file != nil }
    guard let file = picture?.file else { return }
    used.insert(file)
    let output = context.archive.media.files[file].output
    data.beginObject()
    writeAuthor(.author, entry.author)
    data.writeURL(.url) { context.links.append(Routes.post(post), into: &$0) }
    data.writeURL(.image) { context.links.append(output, into: &$0) }
    data.flag(.isSelf, context.archive.people.isSelf(entry.author))
    data.set(.label, displayName(of: entry.author))
    data.endObject()
  }

  private mutating func writeFrontChannels() {
    if context.archive.channels.isEmpty { return }
    data.beginObject(.channels)
    data.beginArray(.items)
    for index in context.archive.channels.indices.prefix(12) { writeChannelLine(index) }
    data.endArray()
    data.endObject()
  }

  /// `/channels/`, and `/` of an archive without posts.
  mutating func fillChannels() {
    let context = context
    let hasFeed = context.plan.hasFeed
    writeFrame(
      Frame(
        kind: "channels",
        flag: .isChannels,
        section: .channels,
        heading: hasFeed
          ? context.labels.strings.text("channels") : context.configuration.displayTitle,
        route: hasFeed ? Routes.channels : "",
        description: hasFeed ? "" : context.configuration.description,
        feeds: hasFeed ? nil : .archive
      )
    )
    data.beginArray(.channels)
    for index in context.archive.channels.indices { writeChannelLine(index) }
    data.endArray()
  }

  private mutating func writeChannelLine(_ index: Int) {
    let context = context
    let channel = context.archive.channels[index]
    data.beginObject()
    writeChannelName(channel)
    data.set(Key.description.id, channel.description)
    data.writeURL(.url) { context.links.append(Routes.channel(channel), into: &$0) }
    data.write(.countLabel) {
      if channel.view == .topics {
        context.labels.topics.append(channel.topics.count, into: &$0)
      } else {
        context.labels.messages.append(channel.messages.count, into: &$0)
      }
    }
    if let last = channel.messages.last {
      writeTime(.last, context.archive.entries[last].date, style: .date)
    }
    data.endObject()
  }
}
