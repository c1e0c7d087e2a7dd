import Bytes
import JSON

/// Why details can't be read.
public enum DetailsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file is no longer what it was when it was scanned: the build must start again.
  case changed(path: String)
  case unreadable(FileError)

  /// In words, with the path.
  public var description: String {
    switch self {
    case .changed(let path): "'\(path)' changed while it was read"
    case .unreadable(let error): error.description
    }
  }
}

/// Reads bodies and rarer fields of entries in batches: make one per worker, its memory is kept.
///
/// Records that stand near each other in a file are read at once; a record is parsed once for all its
/// entries. What was read stays until the next `read`.
public struct DetailsReader: ~Copyable {
  private struct Detail {
    var body = 0..<0
    /// The position in `rares`, -1 for an entry without rarer fields.
    var rare = -1
  }

  /// An entry to be read.
  private struct Wanted {
    let id: EntryID
    let record: RecordRange
    /// Its position in what was given to `read`.
    let index: Int
  }

  private let root: String
  private let archive: Archive
  private var parser = JSONParser()
  private var walk = RecordWalk()
  private var mended = ByteBuffer()
  /// The record that the parser holds, and its entries by ordinal: one with many nested comments is
  /// parsed once for all pages that show them.
  private var parsed: RecordRange?
  private var objects: [JSONValue] = []
  /// The record of the window whose bytes were found to be those that were scanned, and their hash.
  private var hashed: (record: RecordRange, hash: UInt64)?
  private var openFile = OpenFile()
  /// The records of a run, as they stand in the file.
  private var window = ByteBuffer()
  private var windowStart = 0
  /// Whether the window's file is small and its text was kept: then these are the bytes that were
  /// scanned, and need no comparing.
  private var isScanned = false
  private var bodies = ByteBuffer(capacity: 64 << 10)
  private var details: [Detail] = []
  private var rares: [RareFields] = []
  /// In the order of reading; with their records, so that the archive, which all workers share, is
  /// asked once.
  private var order: [Wanted] = []

  /// Records that are at most this far apart are read together, in bytes: to copy a page that
  /// nobody asked for takes as long as another system call.
  private static let gap = 4 << 10
  private static let longestRun = 4 << 20
  /// What was kept of files up to this size is taken as it is, for to look at many small files again
  /// takes as long as to read them.
  private static let smallFile = 64 << 10

  /// A reader for the files below `root`, from which `archive` was read.
  public init(root: String, archive: Archive) {
    self.root = root
    self.archive = archive
  }

  /// Reads the details of these entries, in any order; of tombstones nothing is read.
  public mutating func read(_ entries: [EntryID]) throws(DetailsError) {
    details.removeAll(keepingCapacity: true)
    details.append(contentsOf: repeatElement(Detail(), count: entries.count))
    if !rares.isEmpty { rares.removeAll(keepingCapacity: true) }
    bodies.removeAll()
    order.removeAll(keepingCapacity: true)
    for index in entries.indices {
      let entry = archive.entries[entries[index].index]
      if entry.isTombstone { continue }
      order.append(Wanted(id: entries[index], record: entry.record, index: index))
    }
    sort()
    openFile.beginBatch()
    var position = 0
    while position < order.count {
      let end = endOfRun(from: position)
      try load(position..<end)
      var next = position
      while next < end {
        let record = order[next].record
        var last = next + 1
        while last < end, order[last].record.isSameRecord(record) { last += 1 }
        try readRecord(next..<last)
        next = last
      }
      position = end
    }
  }

  /// The number of entries read.
  public var count: Int { details.count }

  /// The body of the entry that stood at `index` in what was given to `read`; empty for tombstones.
  @_lifetime(borrow self)
  public func body(_ index: Int) -> Span<UInt8> { bodies.bytes.extracting(details[index].body) }

  /// The rarer fields of that entry; nil if it has none.
  public func rare(_ index: Int) -> RareFields? {
    let rare = details[index].rare
    return rare < 0 ? nil : rares[rare]
  }
}

extension DetailsReader {
  /// Sorts `order` by where the records stand on disk; mostly they do already.
  private mutating func sort() {
    func precedes(_ left: Wanted, _ right: Wanted) -> Bool {
      let (first, second) = (left.record, right.record)
      return (first.file.rawValue, first.offset, first.ordinal, left.index)
        < (second.file.rawValue, second.offset, second.ordinal, right.index)
    }
    let isSorted = order.indices.dropFirst().allSatisfy { precedes(order[$0 - 1], order[$0]) }
    if !isSorted { order.sort(by: precedes) }
  }

  /// The end of a run of records that are read together: of one file, near each other.
  private func endOfRun(from start: Int) -> Int {
    let first = order[start].record
    var end = start + 1
    var bound = first.offset + UInt64(first.length)
    while end < order.count {
      let record = order[end].record
      guard record.file == first.file, record.offset <= bound + UInt64(Self.gap),
        record.offset + UInt64(record.length) - first.offset <= UInt64(Self.longestRun)
          || record.isSameRecord(first)
      else { break }
      bound = max(bound, record.offset + UInt64(record.length))
      end += 1
    }
    return end
  }

  /// Reads the bytes of a run and makes sure that the file is the one that was scanned.
  private mutating func load(_ run: Range<Int>) throws(DetailsError) {
    let first = order[run.lowerBound].record
    var end = first.offset
    for record in order[run].lazy.map(\.record) {
      end = max(end, record.offset + UInt64(record.length))
    }
    let place = first.file.index
    let isKept = place < archive.texts.count && !archive.texts[place].isEmpty
    // A larger one may have been read while another program was still writing it.
    isScanned = isKept && archive.files[place].size <= Self.smallFile
    if !isScanned {
      let file = archive.files[place]
      try openFile.open(first.file, "\(root)/\(file.path)", expecting: file)
    }
    let wanted = Int(end - first.offset)
    let isHeld = (parsed ?? hashed?.record).map { $0.isSameRecord(first) } ?? false
    if isHeld, windowStart == Int(first.offset), window.count == wanted { return }
    parsed = nil
    hashed = nil
    window.removeAll()
    windowStart = Int(first.offset)
    if isKept {
      archive.texts[place].withUnsafeBufferPointer {
        let end = min(windowStart + wanted, $0.count)
        window.append(UnsafeBufferPointer(rebasing: $0[windowStart..<end]))
      }
      return
    }
    let got = try openFile.read(at: windowStart, count: wanted, into: &window)
    if got != wanted { throw .changed(path: archive.files[place].path) }
  }

  private mutating func readRecord(_ group: Range<Int>) throws(DetailsError) {
    let record = order[group.lowerBound].record
    let start = Int(record.offset) - windowStart
    let bytes = UnsafeBufferPointer(
      rebasing: window.unsafeBytes[start..<start + Int(record.length)]
    )
    if group.allSatisfy({ archive.entries[order[$0].id.index].flags.contains(.plain) }) {
      return try takePlain(group, bytes)
    }
    let first = archive.entries[order[group.lowerBound].id.index]
    let table = archive.fieldTable(of: first)
    guard parsed?.isSameRecord(first.record) == true else {
      return try parse(group, bytes, table)
    }
    for position in group {
      let entry = archive.entries[order[position].id.index]
      let ordinal = Int(entry.record.ordinal)
      guard ordinal < objects.count else { throw changed(entry) }
      walk.visit(objects[ordinal], table)
      take(entry, bytes, table, into: order[position].index)
    }
  }

  /// Takes bodies out of a record whose entries hold no rarer fields, without parsing it.
  private mutating func takePlain(
    _ group: Range<Int>,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(DetailsError) {
    let record = order[group.lowerBound].record
    let isHashed = isScanned || hashed?.record.isSameRecord(record) ?? false
    let hash = isHashed ? hashed?.hash ?? 0 : Fingerprint.of(bytes)
    hashed = (record, hash)
    for position in group {
      let entry = archive.entries[order[position].id.index]
      let isSame = isScanned || entry.hasRecord(hashed: hash)
      if entry.document != .max, isSame {
        takeDocumentBody(of: entry, bytes, into: order[position].index)
        continue
      }
      let (range, start) = (entry.body.bounds, bodies.count)
      guard isSame, range.upperBound <= bytes.count,
        JSONString.unescape(UnsafeBufferPointer(rebasing: bytes[range]), into: &bodies)
      else { throw changed(entry) }
      details[order[position].index].body = start..<bodies.count
    }
  }

  /// Parses a record that is the one that was scanned, notes its entries, and takes those of the
  /// group, which stand in the order of the walk.
  private mutating func parse(
    _ group: Range<Int>,
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ table: FieldTable
  ) throws(DetailsError) {
    var entry = archive.entries[order[group.lowerBound].id.index]
    parsed = nil
    objects.removeAll(keepingCapacity: true)
    guard isScanned || entry.hasRecord(hashed: Fingerprint.of(bytes)), begin(entry, bytes) else {
      throw changed(entry)
    }
    var next = group.lowerBound
    while let visit = walk.next(table) {
      if let object = walk.object { objects.append(object) }
      while next < group.upperBound, entry.record.ordinal == visit.ordinal {
        take(entry, bytes, table, into: order[next].index)
        next += 1
        if next < group.upperBound { entry = archive.entries[order[next].id.index] }
      }
      walk.push(visit.ordinal)
    }
    guard next == group.upperBound else { throw changed(entry) }
    parsed = entry.record
  }

  /// Takes what an entry's details hold from where the walk stands.
  private mutating func take(
    _ entry: Entry,
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ table: FieldTable,
    into index: Int
  ) {
    takeBody(of: entry, bytes, into: index)
    if let rare = RareReader.fields(of: entry, walk, table, archive) {
      details[index].rare = rares.count
      rares.append(rare)
    }
  }

  private func changed(_ entry: Entry) -> DetailsError {
    .changed(path: archive.files[entry.record.file.index].path)
  }

  /// Parses a record, or the front matter that was kept from the scan.
  private mutating func begin(_ entry: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    do throws(JSONError) {
      if entry.document != .max {
        let range = archive.documents[Int(entry.document)].frontMatter
        let json = range.isEmpty ? Array("{}".utf8)[...] : archive.text[range.bounds]
        let root = try json.withUnsafeBufferPointer { json throws(JSONError) in
          try parser.parse(json)
        }
        walk.begin(root)
      } else {
        walk.begin(try parser.parse(bytes))
      }
      return true
    } catch {
      guard error.isRepairable else { return false }
    }
    mended.removeAll()
    _ = JSONRepair.repair(Span(_unsafeElements: bytes), into: &mended)
    guard let root = try? parser.parse(mended.unsafeBytes) else { return false }
    walk.begin(root)
    return true
  }

  /// Takes what stands behind the front matter; false where nothing does.
  @discardableResult
  private mutating func takeDocumentBody(
    of entry: Entry,
    _ bytes: UnsafeBufferPointer<UInt8>,
    into index: Int
  ) -> Bool {
    let range = archive.documents[Int(entry.document)].body
    if range.isEmpty { return false }
    let body = UnsafeBufferPointer(rebasing: bytes[range])
    let start = bodies.count
    if JSONText.isUTF8(body) {
      bodies.append(body)
    } else {
      bodies.append(UnicodeText.repaired(Span(_unsafeElements: body)))
    }
    details[index].body = start..<bodies.count
    return true
  }

  private mutating func takeBody(
    of entry: Entry,
    _ bytes: UnsafeBufferPointer<UInt8>,
    into index: Int
  ) {
    if entry.document != .max, entry.record.ordinal == 0,
      takeDocumentBody(of: entry, bytes, into: index)
    {
      return
    }
    let start = bodies.count
    if let value = walk[.body] {
      if let text = value.text {
        bodies.append(text.buffer)
      } else {
        bodies.append(text: FieldValue.string(value))
      }
    }
    details[index].body = start..<bodies.count
  }
}

extension Entry {
  /// Whether its record's bytes have this hash.
  fileprivate func hasRecord(hashed hash: UInt64) -> Bool {
    let ordinal = UInt64(record.ordinal)
    return fingerprint == (ordinal == 0 ? hash : Fingerprint.mix(hash, ordinal))
  }
}

extension RecordRange {
  fileprivate func isSameRecord(_ other: RecordRange) -> Bool {
    file == other.file && offset == other.offset
  }
}
