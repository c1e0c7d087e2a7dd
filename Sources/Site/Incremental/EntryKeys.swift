import Archive
import Bytes

/// A number for every entry that changes when anything changes that a page shows of it: its record,
/// its name and address, its author, and the entry that it answers.
struct EntryKeys: Sendable {
  /// By `EntryID`.
  private(set) var entries: [UInt64] = []
  /// By `PersonID`: how a person is shown beside an entry.
  private(set) var people: [UInt64] = []
  /// By channel: its name, title and view, and how its records are read.
  private(set) var channels: [UInt64] = []
  /// By post: what is shown of it where its comments stand.
  private(set) var posts: [UInt64] = []
  /// By topic: what the list of topics shows.
  private(set) var topics: [UInt64] = []

  private static let nobody: UInt64 = 3

  /// Computes all keys, entries with `jobs` workers.
  init(_ context: RenderContext, jobs: Int) async {
    let archive = context.archive
    people = archive.people.indices.map { Self.key(ofPerson: PersonID($0), context) }
    channels = archive.channels.indices.map { Self.key(ofChannel: $0, archive) }
    let tags = archive.tags.map { (title: Fingerprint.of($0.title), name: Fingerprint.of($0.name)) }
    posts = await ParallelRuns.map(archive.posts.count, jobs: jobs) { range, output in
      for index in range { output.append(Self.key(ofPost: index, archive, tags)) }
    }
    let bases = await baseKeys(context, jobs: jobs)
    entries = await ParallelRuns.map(archive.entries.count, jobs: jobs) { range, output in
      for index in range {
        let parent = archive.entries[index].parent
        output.append(
          parent == .none ? bases[index] : Fingerprint.mix(bases[index], bases[parent.index])
        )
      }
    }
    topics = archive.topics.map { topic in
      var hash = KeyHash()
      hash.add(topic.name)
      hash.add(topic.title)
      hash.add(topic.messages.count)
      for message in topic.messages {
        hash.add(key(ofAuthor: archive.entries[message.index].author))
      }
      for message in [topic.messages.first, topic.messages.last] {
        hash.add(message.map { bases[$0.index] } ?? 0)
      }
      return hash.value
    }
  }

  func key(ofAuthor person: PersonID) -> UInt64 {
    person == .none ? Self.nobody : people[person.index]
  }

  /// The keys of entries without what they answer.
  private func baseKeys(_ context: RenderContext, jobs: Int) async -> [UInt64] {
    let archive = context.archive
    let files = archive.files.map { Fingerprint.of($0.path) }
    // Tags of comments and messages are shown with their addresses.
    let tags = archive.tags.reduce(1) { hash, tag in
      Fingerprint.mix(Fingerprint.mix(hash, Fingerprint.of(tag.title)), Fingerprint.of(tag.name))
    }
    // Who reacted is shown by name, or not at all.
    let names = archive.names.fingerprint { key(ofAuthor: $0) }
    let places = PlaceKeys(context.plan, self)
    return await ParallelRuns.map(archive.entries.count, jobs: jobs) { range, output in
      var place = places.cursor()
      archive.text.withUnsafeBufferPointer { text in
        for index in range {
          let entry = archive.entries[index]
          var hash = KeyHash(entry.fingerprint)
          hash.add(
            UInt64(entry.flags.rawValue) << 32 | UInt64(entry.kind.rawValue) << 16
              | UInt64(entry.audience.rawValue) << 8 | UInt64(entry.format.rawValue)
          )
          hash.add(UInt64(bitPattern: entry.date.milliseconds))
          hash.add(UInt64(bitPattern: entry.updated.milliseconds))
          hash.add(UInt64(entry.likes) << 32 | UInt64(entry.shares))
          hash.add(KeyHash.of(entry.id, in: text))
          hash.add(KeyHash.of(entry.name, in: text))
          hash.add(files[entry.record.file.index])
          hash.add(key(ofAuthor: entry.author))
          hash.add(place.key(of: index, entry))
          if entry.flags.contains(.hasTags) { hash.add(tags) }
          if entry.flags.contains(.hasReactions) { hash.add(names) }
          output.append(hash.value)
        }
      }
    }
  }
}

extension EntryKeys {
  fileprivate static func key(ofPerson id: PersonID, _ context: RenderContext) -> UInt64 {
    let person = context.archive.people[id.index]
    var hash = KeyHash()
    hash.add(person.id)
    hash.add(person.name)
    hash.add(person.displayName)
    hash.add(person.isSelf)
    switch person.hiding {
    case .nothing: hash.add(0)
    case .name: hash.add(1)
    case .everything: hash.add(2)
    }
    hash.add(context.plan.hasPage(id))
    if !person.avatar.isEmpty {
      hash.add(Lookup.medium(person.avatar, beside: "Content").answer(in: context))
    }
    return hash.value
  }

  fileprivate static func key(ofChannel index: Int, _ archive: Archive) -> UInt64 {
    let channel = archive.channels[index]
    var hash = KeyHash()
    hash.add(channel.id)
    hash.add(channel.name)
    hash.add(channel.title)
    hash.add(channel.description)
    hash.add(channel.view.rawValue)
    hash.add(archive.fieldFingerprint(ofChannel: index))
    return hash.value
  }

  // `tags` are the fingerprints of the archive's.
  fileprivate static func key(
    ofPost index: Int,
    _ archive: Archive,
    _ tags: [(title: UInt64, name: UInt64)]
  ) -> UInt64 {
    var hash = KeyHash()
    hash.add(archive.posts[index].slug)
    hash.add(archive.posts[index].title)
    for tag in archive.posts[index].tags {
      hash.add(tags[Int(tag)].title)
      hash.add(tags[Int(tag)].name)
    }
    return hash.value
  }
}
