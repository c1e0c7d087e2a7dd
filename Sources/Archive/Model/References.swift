import Bytes

/// Names of entries that don't depend on pages: `posts/SLUG`, `posts/SLUG#c-ID`, `channels/CH#m-ID`.
extension Archive {
  /// The reference of an entry.
  public func reference(of entry: EntryID) -> String {
    let value = entries[entry.index]
    let container = Int(value.container)
    switch value.kind {
    case .post: return "posts/\(posts[container].slug)"
    case .comment: return "posts/\(posts[container].slug)#c-\(string(value.name))"
    case .message: return "channels/\(channels[container].name)#m-\(string(value.name))"
    }
  }

  /// The entry of a reference, nil if there is none; ids do as well as names.
  public func entry(for reference: String) -> EntryID? {
    let bytes = Array(reference.utf8)
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let hash = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    guard slash < hash else { return nil }
    let container = bytes[(slash + 1)..<hash]
    let anchor = bytes[hash...].dropFirst()
    if bytes[..<slash].elementsEqual("posts".utf8) {
      let found =
        posts.firstIndex { $0.slug.utf8.elementsEqual(container) }
        ?? posts.firstIndex { matches(entries[$0.entry.index].id, container) }
      guard let found else { return nil }
      if hash == bytes.endIndex { return posts[found].entry }
      return entry(in: posts[found].comments, anchor, prefix: "c-")
    }
    guard bytes[..<slash].elementsEqual("channels".utf8),
      let channel = channels.first(where: {
        $0.name.utf8.elementsEqual(container) || $0.id.utf8.elementsEqual(container)
      })
    else { return nil }
    return entry(in: channel.messages, anchor, prefix: "m-")
  }

  private func entry(in range: Range<Int>, _ anchor: ArraySlice<UInt8>, prefix: String) -> EntryID?
  {
    guard anchor.starts(with: prefix.utf8) else { return nil }
    let name = anchor.dropFirst(prefix.utf8.count)
    let found =
      range.first { matches(entries[$0].name, name) }
      ?? range.first { matches(entries[$0].id, name) }
    return found.map { EntryID($0) }
  }

  private func matches(_ range: TextRange, _ bytes: ArraySlice<UInt8>) -> Bool {
    Int(range.length) == bytes.count && text[range.bounds].elementsEqual(bytes)
  }

  /// The tag of a name as written, also in other case.
  public func tag(named name: String) -> Int? {
    let key = PathName.collisionKey(of: Array(name.utf8).span)
    return tags.firstIndex { PathName.collisionKey(of: Array($0.title.utf8).span) == key }
  }
}
