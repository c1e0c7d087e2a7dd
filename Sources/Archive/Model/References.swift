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
    if bytes.starts(with: "posts/".utf8) {
      let rest = bytes.dropFirst(6)
      if let post = post(rest) { return posts[post].entry }
      return entry(in: rest, prefix: "#c-") { post($0).map { posts[$0].comments } }
    }
    if bytes.starts(with: "channels/".utf8) {
      return entry(in: bytes.dropFirst(9), prefix: "#m-") { name in
        channels.first {
          $0.name.utf8.elementsEqual(name) || $0.id.utf8.elementsEqual(name)
        }?.messages
      }
    }
    return nil
  }

  private func post(_ name: ArraySlice<UInt8>) -> Int? {
    posts.firstIndex { $0.slug.utf8.elementsEqual(name) }
      ?? posts.firstIndex { matches(entries[$0.entry.index].id, name) }
  }

  /// Tries every place where the anchor may begin: names may hold a `#` themselves.
  private func entry(
    in rest: ArraySlice<UInt8>,
    prefix: String,
    container: (ArraySlice<UInt8>) -> Range<Int>?
  ) -> EntryID? {
    for place in rest.indices where rest[place...].starts(with: prefix.utf8) {
      let name = rest[place...].dropFirst(prefix.utf8.count)
      if let range = container(rest[..<place]), let found = entry(in: range, name) { return found }
    }
    return nil
  }

  private func entry(in range: Range<Int>, _ name: ArraySlice<UInt8>) -> EntryID? {
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
