import Archive
import Bytes

/// Which page: positions in the archive, so that handing it on copies nothing.
enum Address: Hashable, Sendable {
  case post(Int, part: Int)
  /// The page of the answers to a comment.
  case thread(post: Int, root: EntryID)
  case bucket(channel: Int, bucket: Int, part: Int)
  case topic(Int, part: Int)
  case person(Int)
  case tag(Int)
}

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

  /// The parts of `buckets[channel][bucket]`; copies no channel.
  func parts(ofBucket bucket: Int, in channel: Int) -> Parts {
    let messages = buckets[channel][bucket].messages
    return Parts(
      count: messages.count,
      size: archive.channels[channel].perPage,
      starts: cuts.buckets.isEmpty ? nil : cuts.buckets[messages.lowerBound]
    )
  }

  func parts(ofTopic topic: Int) -> Parts {
    Parts(
      count: archive.topics.messages(of: topic).count,
      size: PageSize.topicMessages,
      starts: cuts.topics[topic]
    )
  }

  /// Appends the path of a page below the output folder, as raw names.
  func append(_ address: Address, into output: inout ByteBuffer) {
    switch address {
    case .post(let index, let part):
      Routes.append(post: archive.posts[index].slug, part: part, into: &output)
    case .thread(let post, let root):
      let name = archive.string(archive.entries[root.index].name)
      Routes.append(threadOf: archive.posts[post].slug, root: name, into: &output)
    case .bucket(let channel, let bucket, let part):
      Routes.append(
        buckets[channel][bucket],
        of: archive.channels[channel].name,
        part: part,
        into: &output
      )
    case .topic(let index, let part):
      let channel = archive.topics.channel(of: index)
      Routes.append(
        topic: archive.topics.name(of: index),
        of: archive.channels[channel].name,
        part: part,
        into: &output
      )
    case .person(let index):
      let name = archive.people.name(of: PersonID(index))
      Routes.append(person: name, number: nil, into: &output)
    case .tag(let index): Routes.append(tag: archive.tags[index].name, number: nil, into: &output)
    }
  }

  /// The path of a page below the output folder, as `Routes` gives it.
  func route(_ address: Address) -> String {
    var output = ByteBuffer(capacity: 64)
    append(address, into: &output)
    return output.string
  }

  /// The page on which an entry has its permalink; unless the entry is a post, an anchor names it
  /// there.
  func permalink(of entry: EntryID) -> Address {
    let kind = archive.entries[entry.index].kind
    let container = Int(archive.entries[entry.index].container)
    switch kind {
    case .post: return .post(container, part: 1)
    case .comment: return commentAddress(of: entry, in: container)
    case .message: return messageAddress(of: entry, in: container)
    }
  }

  private func commentAddress(of comment: EntryID, in post: Int) -> Address {
    if let root = deepThreads.root(of: comment) { return .thread(post: post, root: root) }
    let place = comment.index - archive.posts[post].comments.lowerBound
    return .post(post, part: commentParts(of: post).part(holding: place))
  }

  private func messageAddress(of message: EntryID, in channel: Int) -> Address {
    if archive.channels[channel].view == .topics {
      let topic = Int(archive.entries[message.index].topic)
      let messages = archive.topics.messages(of: topic)
      let place = Bucket.firstIndex(in: -1..<messages.count) { messages[$0] >= message }
      return .topic(topic, part: parts(ofTopic: topic).part(holding: place))
    }
    let bucket = bucketIndex(of: message, in: channel)
    let parts = parts(ofBucket: bucket, in: channel)
    let start = buckets[channel][bucket].messages.lowerBound
    let part = parts.part(holding: message.index - start)
    return .bucket(channel: channel, bucket: bucket, part: part)
  }

  /// The position in `buckets[channel]` of the bucket that holds a message.
  func bucketIndex(of message: EntryID, in channel: Int) -> Int {
    let list = buckets[channel]
    return Bucket.firstIndex(in: 0..<list.count) {
      list[$0].messages.lowerBound > message.index
    } - 1
  }
}
