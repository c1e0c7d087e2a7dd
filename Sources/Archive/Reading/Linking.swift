import Bytes

// Resolves parents, cuts cycles, and leaves out what the audience may not see.
extension ArchiveBuilder {
  /// Turns raw positions and written ids of parents into entries.
  mutating func linkParents() {
    if raw.facts.hasNested, !raw.facts.isInOrder {
      for index in raw.entries.indices where raw.entries[index].parent != .none {
        let position = positions[raw.entries[index].parent.index]
        raw.entries[index].parent = EntryID(rawValue: position)
      }
    }
    let named = raw.parents.filter { positions[Int($0.entry)] != .max }
    guard !named.isEmpty else { return }
    var odd: IDLookup?
    for parent in named {
      let index = Int(positions[Int(parent.entry)])
      let entry = raw.entries[index]
      guard entry.kind != .post, entry.parent == .none else { continue }
      var found = orderly.find(parent.name, near: index, raw)
      if found == nil, orderly.hasOdd(beside: entry) {
        let lookup = odd ?? IDLookup(of: orderly.odd, raw)
        odd = lookup
        found = lookup.find(parent.name, in: Self.space(of: entry), raw)
      }
      if let found {
        raw.entries[index].parent = EntryID(found)
      } else if !isPost(of: entry, named: parent.name) {
        raw.entries[index].flags.insert(.missingParent)
        remark(
          on: entry,
          "The parent '\(Diagnostic.shown(raw.string(parent.name)))' isn't in the archive",
          explanation: "The entry stands at the top level and says so"
        )
      }
    }
  }

  /// Whether a comment names its own post as its parent, as many exports do.
  private func isPost(of entry: Entry, named name: TextRange) -> Bool {
    guard entry.kind == .comment else { return false }
    let post = raw.posts[Int(entry.container)]
    let id = raw.entries[Int(entry.container)].id
    return raw.withBytes(name) { name in
      raw.withBytes(id) { equalBytes($0, name) }
        || raw.withBytes(post.slug) { equalBytes($0, name) }
    }
  }

  /// Cuts each reply cycle at its oldest entry.
  ///
  /// Linear: every entry is walked over once.
  mutating func cutCycles() {
    let count = raw.entries.count
    if !raw.facts.hasNested, raw.parents.isEmpty { return }
    // Parents that stand before their children can't close a ring.
    let isAscending = raw.entries.withUnsafeBufferPointer { entries in
      entries.indices.allSatisfy { entries[$0].parent == .none || entries[$0].parent.index < $0 }
    }
    if isAscending { return }
    // 0: not seen; 1: on the way being walked; 2: leads to a top-level entry.
    var state = [UInt8](repeating: 0, count: count)
    var way: [Int] = []
    for start in 0..<count where state[start] == 0 {
      way.removeAll(keepingCapacity: true)
      var index = start
      while true {
        state[index] = 1
        way.append(index)
        let parent = raw.entries[index].parent
        guard parent != .none, state[parent.index] != 2 else { break }
        if state[parent.index] == 1 {
          cut(way[(way.lastIndex(of: parent.index) ?? 0)...])
          break
        }
        index = parent.index
      }
      for index in way { state[index] = 2 }
    }
  }

  private mutating func cut(_ ring: ArraySlice<Int>) {
    guard let oldest = ring.min() else { return }
    raw.entries[oldest].parent = .none
    raw.entries[oldest].flags.insert(.cutCycle)
    remark(
      on: raw.entries[oldest],
      ring.count == 1
        ? "The entry answers itself" : "\(ring.count) entries answer each other in a ring",
      explanation: "The ring is cut at its oldest entry"
    )
    // A ring that holds something unseen is unseen as a whole: each of its entries is below it.
    if let unseen = ring.map({ raw.entries[$0].audience }).max(), unseen > audience {
      raw.entries[oldest].audience = unseen
    }
  }

  /// Drops entries above the audience, drafts, and everything below them.
  mutating func dropUnseen() {
    let count = raw.entries.count
    // 0: not seen; 1: stays; 2: goes.
    var state = [UInt8](repeating: 0, count: count)
    var way: [Int] = []
    var dropped = 0
    for start in 0..<count where state[start] == 0 {
      way.removeAll(keepingCapacity: true)
      var index = start
      var goes = false
      while true {
        way.append(index)
        let entry = raw.entries[index]
        if isUnseen(entry) {
          // All that was walked over stands below it.
          goes = true
          break
        }
        if entry.kind == .comment, state[Int(entry.container)] == 2 {
          goes = true
          break
        }
        guard entry.parent != .none else { break }
        if state[entry.parent.index] != 0 {
          goes = state[entry.parent.index] == 2
          break
        }
        index = entry.parent.index
      }
      for index in way { state[index] = goes ? 2 : 1 }
      if goes { dropped += way.count }
    }
    if dropped > 0 { compact(keeping: { state[$0] == 1 }) }
  }

  /// By channel: whether it has a message.
  func usedChannels() -> [Bool] {
    var used = Array(repeating: false, count: rules.count)
    for entry in raw.entries where entry.kind == .message { used[Int(entry.container)] = true }
    return used
  }

  /// Drops the channels of which no message is seen, for a title tells something too; one that
  /// never had a message stays.
  mutating func dropChannels(since before: [Bool]) {
    let now = usedChannels()
    let kept = rules.indices.filter { now[$0] || !before[$0] }
    if kept.count == rules.count { return }
    var place = [UInt32](repeating: 0, count: rules.count)
    for (number, channel) in kept.enumerated() {
      place[channel] = UInt32(truncatingIfNeeded: number)
    }
    for index in raw.entries.indices where raw.entries[index].kind == .message {
      raw.entries[index].container = place[Int(raw.entries[index].container)]
    }
    rules = kept.map { rules[$0] }
    archive.channelTables = rules.map(\.rules.table)
  }

  private func isUnseen(_ entry: Entry) -> Bool {
    entry.audience > audience || (!includesDrafts && entry.flags.contains(.draft))
  }

  private mutating func compact(keeping isKept: (Int) -> Bool) {
    var place = [UInt32](repeating: .max, count: raw.entries.count)
    var next: UInt32 = 0
    for index in raw.entries.indices where isKept(index) {
      place[index] = next
      next += 1
    }
    for index in raw.entries.indices where place[index] != .max {
      var entry = raw.entries[index]
      if entry.parent != .none {
        entry.parent = EntryID(rawValue: place[entry.parent.index])
      }
      // Posts come first and keep their order, so that a post's entry is its number.
      if entry.kind != .message { entry.container = place[Int(entry.container)] }
      raw.entries[Int(place[index])] = entry
    }
    raw.entries.removeLast(raw.entries.count - Int(next))
    orderly.follow(place)
    var numbers: [UInt32] = []
    for index in raw.posts.indices { numbers.append(place[index]) }
    raw.posts = raw.posts.indices.filter { numbers[$0] != .max }.map { raw.posts[$0] }
    raw.aliases = raw.aliases.compactMap { alias in
      let number = numbers[Int(alias.entry)]
      return number == .max ? nil : Harvest.Named(entry: number, name: alias.name)
    }
    for index in positions.indices where positions[index] != .max {
      positions[index] = place[Int(positions[index])]
    }
  }
}

/// Finds some entries by the id as written, the first in time where several have it.
private struct IDLookup {
  private var slots: [UInt32]
  /// The low halves of the hashes, so that few ids are compared.
  private var marks: [UInt32]

  init(of ranges: [Range<Int>], _ raw: RawArchive) {
    var size = 16
    while size < ranges.reduce(0, { $0 + $1.count }) * 2 { size *= 2 }
    slots = Array(repeating: .max, count: size)
    marks = Array(repeating: 0, count: size)
    for index in ranges.joined() {
      let entry = raw.entries[index]
      let place = place(of: entry.id, in: ArchiveBuilder.space(of: entry), raw)
      if slots[place.index] == .max {
        slots[place.index] = UInt32(truncatingIfNeeded: index)
        marks[place.index] = place.mark
      }
    }
  }

  func find(_ name: TextRange, in space: UInt64, _ raw: RawArchive) -> Int? {
    let slot = slots[place(of: name, in: space, raw).index]
    return slot == .max ? nil : Int(slot)
  }

  /// Where an id stands or would stand.
  @inline(__always)
  private func place(
    of name: TextRange,
    in space: UInt64,
    _ raw: RawArchive
  ) -> (index: Int, mark: UInt32) {
    let hash = Fingerprint.mix(raw.withBytes(name) { Fingerprint.of($0) }, space)
    let mark = UInt32(truncatingIfNeeded: hash >> 32)
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[place] != .max {
      let entry = raw.entries[Int(slots[place])]
      if marks[place] == mark, ArchiveBuilder.space(of: entry) == space,
        raw.withBytes(name, { name in raw.withBytes(entry.id) { equalBytes($0, name) } })
      {
        break
      }
      place = (place + 1) & (slots.count - 1)
    }
    return (place, mark)
  }
}
