import Archive
import Bytes

/// Numbers that stand for the places where entries have their permalinks: no `String` is made.
struct PlaceKeys: Sendable {
  private let plan: Plan
  private let keys: EntryKeys

  init(_ plan: Plan, _ keys: EntryKeys) {
    self.plan = plan
    self.keys = keys
  }

  /// Walks over entries in their order, one after another.
  func cursor() -> Cursor { Cursor(plan: plan, keys: keys) }

  struct Cursor {
    fileprivate let plan: Plan
    fileprivate let keys: EntryKeys
    /// The messages of one page, and its key.
    private var page = 0..<0
    private var pageKey: UInt64 = 0

    fileprivate init(plan: Plan, keys: EntryKeys) {
      self.plan = plan
      self.keys = keys
    }

    mutating func key(of index: Int, _ entry: Entry) -> UInt64 {
      let container = Int(entry.container)
      switch entry.kind {
      case .post: return keys.posts[container]
      case .comment: return key(ofComment: index, keys.posts[container], container)
      case .message:
        let channel = keys.channels[container]
        if plan.archive.channels[container].view == .topics {
          return key(ofTopicMessage: index, Int(entry.topic), channel)
        }
        if !page.contains(index) { enter(index, container) }
        return pageKey
      }
    }

    private func key(ofComment index: Int, _ post: UInt64, _ container: Int) -> UInt64 {
      var hash = KeyHash(post)
      let id = EntryID(index)
      hash.add(plan.deepThreads.hasPage(id))
      if let root = plan.deepThreads.root(of: id) {
        hash.add(plan.archive.string(plan.archive.entries[root.index].name))
      } else {
        let place = index - plan.archive.posts[container].comments.lowerBound
        hash.add(plan.commentParts(of: container).part(holding: place))
      }
      return hash.value
    }

    private func key(ofTopicMessage index: Int, _ topic: Int, _ channel: UInt64) -> UInt64 {
      guard plan.archive.topics.indices.contains(topic) else { return channel }
      let messages = plan.archive.topics.messages(of: topic)
      let place = Bucket.firstIndex(in: -1..<messages.count) { messages[$0] >= EntryID(index) }
      var hash = KeyHash(channel)
      hash.add(plan.archive.topics.name(of: topic))
      hash.add(plan.parts(ofTopic: topic).part(holding: place))
      return hash.value
    }

    /// Makes the page that holds a message the current one.
    private mutating func enter(_ message: Int, _ channel: Int) {
      let number = plan.bucketIndex(of: EntryID(message), in: channel)
      let bucket = plan.buckets[channel][number]
      let parts = plan.parts(ofBucket: number, in: channel)
      let part = parts.part(holding: message - bucket.messages.lowerBound)
      let shown = parts.range(of: part)
      let start = bucket.messages.lowerBound
      page = (start + shown.lowerBound)..<(start + shown.upperBound)
      var hash = KeyHash(keys.channels[channel])
      hash.add(bucket.year)
      hash.add(bucket.month)
      hash.add(bucket.day)
      hash.add(part)
      pageKey = hash.value
    }
  }
}
