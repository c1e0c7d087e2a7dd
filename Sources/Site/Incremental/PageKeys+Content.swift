import Archive
import Bytes

// What each kind of page shows, beside what every page shows. The counterpart of the `fill` functions
// of `PageRenderer`: whoever changes one of those looks here.
extension PageKeys {
  func add(feed number: Int, to hash: inout KeyHash) {
    let paging = plan.feedPaging
    add(archive.posts[paging.range(of: number)].lazy.map(\.entry), to: &hash)
    add(paging, current: number, to: &hash)
  }

  func add(post index: Int, part: Int, to hash: inout KeyHash) {
    let comments = archive.posts[index].comments
    let parts = plan.commentParts(of: index)
    let range = parts.range(of: part)
    let start = comments.lowerBound
    add(archive.posts[index].entry, to: &hash)
    hash.add(comments.count > 1)
    add((start + range.lowerBound)..<(start + range.upperBound), to: &hash)
    add(parts, current: part, to: &hash)
    hash.add(index > 0 ? entries.posts[index - 1] : 0)
    hash.add(index + 1 < archive.posts.count ? entries.posts[index + 1] : 0)
  }

  func add(thread root: EntryID, of index: Int, to hash: inout KeyHash) {
    let post = archive.posts[index]
    let parts = plan.commentParts(of: index)
    let start = post.comments.lowerBound
    let range = parts.range(of: parts.part(holding: root.index - start))
    add(post.entry, to: &hash)
    add(root, to: &hash)
    for place in (start + range.lowerBound)..<(start + range.upperBound)
    where plan.deepThreads.root(of: EntryID(place)) == root {
      add(EntryID(place), to: &hash)
    }
  }

  func add(chatFront index: Int, to hash: inout KeyHash) {
    let channel = archive.channels[index]
    let start = channel.messages.lowerBound
    let front = Paging(count: channel.messages.count, size: channel.perPage).front
    let range = PartCuts.light(
      (start + front.lowerBound)..<(start + front.upperBound),
      of: archive
    )
    hash.add(entries.channels[index])
    add(range, to: &hash)
    addPlace(of: range.lowerBound > start ? range.lowerBound - 1 : nil, to: &hash)
    for bucket in plan.buckets[index].suffix(PageRenderer.monthLimit) {
      hash.add(bucket.year)
      hash.add(bucket.month)
      hash.add(bucket.day)
    }
  }

  func add(bucket number: Int, of index: Int, part: Int, to hash: inout KeyHash) {
    let channel = archive.channels[index]
    let bucket = plan.buckets[index][number]
    let parts = plan.parts(ofBucket: number, in: index)
    let start = bucket.messages.lowerBound
    let shown = parts.range(of: part)
    let range = (start + shown.lowerBound)..<(start + shown.upperBound)
    hash.add(entries.channels[index])
    hash.add(bucket.year)
    hash.add(bucket.month)
    hash.add(bucket.day)
    add(range, to: &hash)
    addPlace(
      of: range.lowerBound > channel.messages.lowerBound ? range.lowerBound - 1 : nil,
      to: &hash
    )
    addPlace(
      of: range.upperBound < channel.messages.upperBound ? range.upperBound : nil,
      to: &hash
    )
    add(parts, current: part, to: &hash)
  }

  /// Adds the page on which a message stands.
  private func addPlace(of message: Int?, to hash: inout KeyHash) {
    guard let message else { return hash.add(0) }
    hash.add(plan.route(plan.permalink(of: EntryID(message))))
  }

  func add(board index: Int, _ order: BoardOrder, _ number: Int?, to hash: inout KeyHash) {
    let channel = archive.channels[index]
    let sorted = plan.boardOrders[index]
    hash.add(entries.channels[index])
    switch order {
    case .front, .newest:
      let paging = Paging(count: sorted.count, size: channel.perPage)
      hash.add(order == .front)
      add(sorted[paging.range(of: number)], to: &hash)
      add(paging, current: number, to: &hash)
    case .oldest:
      let parts = Parts(count: sorted.count, size: channel.perPage)
      add(sorted[parts.range(of: number ?? 1)], to: &hash)
      add(parts, current: number ?? 1, to: &hash)
    }
  }

  func add(topicsOf index: Int, _ number: Int?, to hash: inout KeyHash) {
    let sorted = plan.topicOrders[index]
    let paging = Paging(count: sorted.count, size: PageSize.topicList)
    hash.add(entries.channels[index])
    for topic in sorted[paging.range(of: number)] { hash.add(entries.topics[topic]) }
    add(paging, current: number, to: &hash)
  }

  func add(topic index: Int, part: Int, to hash: inout KeyHash) {
    let topic = archive.topics[index]
    let parts = plan.parts(ofTopic: index)
    hash.add(entries.channels[Int(topic.channel)])
    hash.add(topic.name)
    hash.add(topic.title)
    hash.add(topic.messages.count)
    let first = topic.messages.first.map { archive.entries[$0.index].author } ?? .none
    hash.add(entries.key(ofAuthor: first))
    add(topic.messages[parts.range(of: part)], to: &hash)
    add(parts, current: part, to: &hash)
  }

  func add(person index: Int, _ number: Int?, to hash: inout KeyHash) {
    let person = archive.people[index]
    let paging = Paging(count: person.entries.count, size: PageSize.lines)
    hash.add(entries.people[index])
    hash.add(person.biography)
    for link in person.links {
      hash.add(link.label)
      hash.add(link.href)
    }
    addLines(person.entries[paging.range(of: number)], to: &hash)
    add(paging, current: number, to: &hash)
  }

  func add(tag index: Int, _ number: Int?, to hash: inout KeyHash) {
    let tag = archive.tags[index]
    let paging = Paging(count: tag.entries.count, size: PageSize.lines)
    hash.add(tag.title)
    hash.add(tag.name)
    addLines(tag.entries[paging.range(of: number)], to: &hash)
    add(paging, current: number, to: &hash)
  }

  func add(month index: Int, to hash: inout KeyHash) {
    let months = plan.months
    for month in [index - 1, index, index + 1] where months.indices.contains(month) {
      hash.add(months[month].year)
      hash.add(months[month].month)
    }
    hash.add(index > 0)
    addLines(months[index].posts.lazy.map { archive.posts[$0].entry }, to: &hash)
    hash.add(months[index].channels.count)
    for part in months[index].channels {
      hash.add(entries.channels[part.channel])
      hash.add(archive.channels[part.channel].bucket.rawValue)
      hash.add(part.messageCount)
      for bucket in plan.buckets[part.channel][part.buckets] {
        hash.add(bucket.year)
        hash.add(bucket.month)
        hash.add(bucket.day)
        hash.add(bucket.messages.count)
      }
    }
  }

  /// Adds entries that are shown as lines, with where they stand.
  private func addLines(_ list: some Sequence<EntryID>, to hash: inout KeyHash) {
    for id in list {
      hash.add(entries.entries[id.index])
      let entry = archive.entries[id.index]
      if entry.kind != .message { hash.add(entries.posts[Int(entry.container)]) }
    }
  }
}
