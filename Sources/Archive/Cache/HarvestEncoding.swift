import Bytes

/// What a harvest was gathered from: the files of a run, or a part of one.
struct HarvestPlace {
  /// In the order in which they were read; `FileID`s follow each other.
  var sources: ArraySlice<Source>
  /// By file, in bytes.
  var sizes: [Int]
  /// Of the part in its file; the whole for files.
  var bytes: Range<Int>

  var firstFile: UInt32 { sources.first?.file.rawValue ?? 0 }

  func number(ofPath path: String) -> Int? {
    sources.firstIndex { $0.path.utf8.elementsEqual(path.utf8) }.map { $0 - sources.startIndex }
  }

  func source(_ number: Int) -> Source { sources[sources.startIndex + number] }
}

/// The fields of an entry that few have, as one word before the others.
struct EntryHead {
  static let author: UInt64 = 1 << 6
  static let parent: UInt64 = 1 << 7
  static let updated: UInt64 = 1 << 8
  static let likes: UInt64 = 1 << 9
  static let shares: UInt64 = 1 << 10
  static let document: UInt64 = 1 << 11
  /// Stands in the same record as the entry before it and comes next there.
  static let inside: UInt64 = 1 << 12
  static let firstFlag: UInt64 = 13
}

/// What is expected of an entry from the one before it.
struct EntryExpectation {
  var date: Int64 = 0
  var idEnd: Int64 = 0
  var recordEnd: Int64
  var ordinal: UInt32 = 0
  /// Of the record, that is of its first entry.
  var fingerprint: UInt64 = 0
}

extension Harvest {
  /// Writes everything but kept texts; false where something is not as a reader makes it.
  func encode(_ place: HarvestPlace, into output: inout ByteBuffer) -> Bool {
    output.append(number: part.map { $0.lines + 1 } ?? 0)
    text.withUnsafeBufferPointer { output.append(counted: $0) }
    for table in [authors, tags, topics] {
      output.append(number: table.count)
      for number in 0..<table.count { table.withBytes(number) { output.append(counted: $0) } }
    }
    for hasID in topicHasID { output.append(hasID ? 1 : 0) }
    output.append(number: documents.count)
    for document in documents {
      output.append(range: document.frontMatter)
      output.append(number: document.body.lowerBound)
      output.append(number: document.body.count)
    }
    output.append(number: posts.count)
    for post in posts {
      output.append(number: post.entry)
      output.append(range: post.slug)
      output.append(range: post.title)
      output.append(post.hasOwnID ? 1 : 0)
    }
    output.append(number: count)
    output.append(number: segments.count)
    var end = 0
    for segment in segments {
      guard segment.entries.lowerBound == end, encode(segment, place, into: &output) else {
        return false
      }
      end = segment.entries.upperBound
    }
    guard end == count else { return false }
    encodeUses(into: &output)
    guard encodePages(place, into: &output) else { return false }
    return encodeDiagnostics(place, into: &output)
  }

  private func encode(
    _ segment: Segment,
    _ place: HarvestPlace,
    into output: inout ByteBuffer
  ) -> Bool {
    let first = self[segment.entries.lowerBound]
    guard first.record.file.rawValue >= place.firstFile else { return false }
    let number = Int(first.record.file.rawValue - place.firstFile)
    guard number < place.sources.count, place.source(number).target == segment.target else {
      return false
    }
    output.append(number: number)
    output.append(number: segment.entries.count)
    var expected = EntryExpectation(recordEnd: Int64(place.bytes.lowerBound))
    for index in segment.entries {
      let entry = self[index]
      guard entry.record.file == first.record.file,
        encode(entry, at: index, &expected, into: &output)
      else { return false }
    }
    return true
  }

  @inline(__always)
  private func encode(
    _ entry: Entry,
    at index: Int,
    _ expected: inout EntryExpectation,
    into output: inout ByteBuffer
  ) -> Bool {
    let isInside =
      entry.record.ordinal > 0 && entry.record.ordinal == expected.ordinal &+ 1
      && Int64(entry.record.offset) + Int64(entry.record.length) == expected.recordEnd
      && entry.fingerprint == Fingerprint.mix(expected.fingerprint, UInt64(entry.record.ordinal))
    var head = UInt64(entry.kind.rawValue) | UInt64(entry.audience.rawValue) << 2
    head |= UInt64(entry.format.rawValue) << 4
    head |= UInt64(entry.flags.rawValue) << EntryHead.firstFlag
    if entry.author != .none { head |= EntryHead.author }
    if entry.parent != .none { head |= EntryHead.parent }
    if entry.updated != entry.date { head |= EntryHead.updated }
    if entry.likes != 0 { head |= EntryHead.likes }
    if entry.shares != 0 { head |= EntryHead.shares }
    if entry.document != .max { head |= EntryHead.document }
    if isInside { head |= EntryHead.inside }
    output.append(number: head)
    if entry.author != .none { output.append(number: entry.author.rawValue) }
    if entry.parent != .none {
      guard entry.parent.index < index else { return false }
      output.append(number: index - entry.parent.index)
    }
    let date = entry.date.milliseconds
    output.append(signed: date &- expected.date)
    if entry.updated != entry.date {
      output.append(signed: entry.updated.milliseconds &- date)
    }
    if entry.likes != 0 { output.append(number: entry.likes) }
    if entry.shares != 0 { output.append(number: entry.shares) }
    if entry.document != .max { output.append(number: entry.document) }
    output.append(number: entry.id.length)
    if !entry.id.isEmpty {
      output.append(signed: Int64(entry.id.offset) - expected.idEnd)
      expected.idEnd = Int64(entry.id.offset) + Int64(entry.id.length)
    }
    if !isInside {
      let offset = Int64(entry.record.offset)
      output.append(signed: offset - expected.recordEnd)
      output.append(number: entry.record.length)
      output.append(number: entry.record.ordinal)
      output.append(fixed: entry.fingerprint)
      expected.recordEnd = offset + Int64(entry.record.length)
      expected.fingerprint = entry.fingerprint
    }
    if entry.flags.contains(.plain) { output.append(range: entry.body) }
    expected.ordinal = entry.record.ordinal
    expected.date = date
    return true
  }

  private func encodeUses(into output: inout ByteBuffer) {
    output.append(number: avatarUses.count)
    for use in avatarUses {
      output.append(number: use.entry)
      output.append(number: use.author)
      output.append(range: use.avatar)
      output.append(use.audience.rawValue)
    }
    output.append(number: tagUses.count)
    for use in tagUses {
      output.append(number: use.entry)
      output.append(number: use.tag)
    }
    for list in [parents, aliases] {
      output.append(number: list.count)
      for named in list {
        output.append(number: named.entry)
        output.append(range: named.name)
      }
    }
    output.append(number: nameless.count)
    for entry in nameless {
      output.append(number: entry.entry)
      output.append(fixed: entry.body)
    }
    output.append(number: topicUses.count)
    for use in topicUses {
      output.append(number: use.entry)
      output.append(number: use.topic == .max ? 0 : UInt64(use.topic) + 1)
      output.append(range: use.title)
    }
  }

  private func encodePages(
    _ place: HarvestPlace,
    into output: inout ByteBuffer
  ) -> Bool {
    output.append(number: pages.count)
    for page in pages {
      let record = page.page.record
      guard record.file.rawValue >= place.firstFile else { return false }
      output.append(number: record.file.rawValue - place.firstFile)
      output.append(number: record.length)
      page.slug.withUnsafeBufferPointer { output.append(counted: $0) }
      output.append(counted: page.page.title)
      output.append(signed: page.page.updated.milliseconds)
      output.append(number: page.page.aliases.count)
      for alias in page.page.aliases { output.append(counted: alias) }
      output.append(page.page.format.rawValue)
      output.append(number: page.page.body.lowerBound)
      output.append(number: page.page.body.count)
      output.append(page.audience.rawValue)
      output.append(page.isDraft ? 1 : 0)
      if record.ordinal != 0 || record.offset != 0 { return false }
    }
    return true
  }

  private func encodeDiagnostics(
    _ place: HarvestPlace,
    into output: inout ByteBuffer
  ) -> Bool {
    output.append(number: tallies.count)
    for tally in tallies {
      guard let number = place.number(ofPath: tally.path) else { return false }
      output.append(number: number)
      output.append(number: tally.warnings)
      output.append(number: tally.errors)
    }
    output.append(number: diagnostics.count)
    var (path, number) = ("", 0)
    for diagnostic in diagnostics {
      if !diagnostic.path.utf8.elementsEqual(path.utf8) {
        guard let found = place.number(ofPath: diagnostic.path) else { return false }
        (path, number) = (diagnostic.path, found)
      }
      output.append(number: number)
      output.append(diagnostic.severity.rawValue)
      output.append(number: diagnostic.line)
      output.append(number: diagnostic.column)
      output.append(counted: diagnostic.headline)
      output.append(counted: diagnostic.explanation)
      output.append(counted: diagnostic.suggestion)
    }
    return true
  }
}
