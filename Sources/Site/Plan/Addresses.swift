import Archive
import Bytes

extension Plan {
  var feedPaging: Paging {
    Paging(count: archive.posts.count, size: archive.configuration.feedSize)
  }

  /// People with a page, in the order of `Archive.people`.
  var peoplePaging: Paging {
    Paging(count: hasPage.count { $0 }, size: PageSize.people)
  }

  var hasPeople: Bool { hasPage.contains(true) }

  func commentParts(of post: Int) -> Parts {
    Parts(
      count: archive.posts[post].comments.count,
      size: PageSize.comments,
      starts: cuts.comments[post]
    )
  }

  func parts(of bucket: Bucket, in channel: Channel) -> Parts {
    Parts(
      count: bucket.messages.count,
      size: channel.perPage,
      starts: cuts.buckets[bucket.messages.lowerBound]
    )
  }

  func parts(ofTopic topic: Int) -> Parts {
    Parts(
      count: archive.topics[topic].messages.count,
      size: PageSize.topicMessages,
      starts: cuts.topics[topic]
    )
  }

  /// The page on which an entry has its permalink, as a path like `Routes` gives, and whether an
  /// anchor names the entry there (a post is its page).
  func permalink(of entry: EntryID) -> (route: String, hasAnchor: Bool) {
    let value = archive.entries[entry.index]
    switch value.kind {
    case .post: return (Routes.post(archive.posts[Int(value.container)]), false)
    case .comment: return (commentRoute(of: entry, in: Int(value.container)), true)
    case .message: return (messageRoute(of: entry, in: Int(value.container)), true)
    }
  }

  private func commentRoute(of comment: EntryID, in index: Int) -> String {
    let post = archive.posts[index]
    if let root = threadRoots[comment] {
      return Routes.thread(post, root: archive.string(archive.entries[root.index].name))
    }
    let part = commentParts(of: index).part(holding: comment.index - post.comments.lowerBound)
    return Routes.post(post, part: part)
  }

  private func messageRoute(of message: EntryID, in index: Int) -> String {
    let channel = archive.channels[index]
    if channel.view == .topics {
      let topic = Int(archive.entries[message.index].topic)
      let messages = archive.topics[topic].messages
      let place = Bucket.firstIndex(in: -1..<messages.count) { messages[$0] >= message }
      let part = parts(ofTopic: topic).part(holding: place)
      return Routes.topic(archive.topics[topic], of: channel, part: part)
    }
    let bucket = buckets[index][bucketIndex(of: message, in: index)]
    let place = message.index - bucket.messages.lowerBound
    let part = parts(of: bucket, in: channel).part(holding: place)
    return Routes.bucket(bucket, of: channel, part: part)
  }

  /// The position in `buckets[channel]` of the bucket that holds a message.
  func bucketIndex(of message: EntryID, in channel: Int) -> Int {
    let list = buckets[channel]
    return Bucket.firstIndex(in: 0..<list.count) {
      list[$0].messages.lowerBound > message.index
    } - 1
  }
}
