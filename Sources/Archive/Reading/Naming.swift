import Bytes

// Gives every entry a safe name of its own; of equal ids the first in time keeps the name.
extension ArchiveBuilder {
  /// Names posts, and the entries behind the orderly beginnings of their containers.
  ///
  /// Orderly ids are names as they stand, and were made names when they were read.
  mutating func nameEntries() {
    let odd = orderly.odd
    let posts = 0..<raw.posts.count
    var taken = TakenNames(capacity: odd.reduce(posts.count) { $0 + $1.count })
    for index in posts { name(index, &taken) }
    for range in odd { for index in range { name(index, &taken) } }
    keepPostIDsApart()
  }

  private mutating func name(_ index: Int, _ taken: inout TakenNames) {
    let entry = raw.entries[index]
    // A post's name in URLs is its slug.
    let source = entry.kind == .post ? raw.posts[index].slug : entry.id
    let found = safeName(source, index)
    switch taken.take(found, for: index) {
    case nil: raw.entries[index].name = found.name
    case let owner?: rename(index, source, taken: &taken, owner: owner)
    }
  }

  /// The safe name of an id or slug of the entry at `index`.
  ///
  /// An anchor becomes an `id` in HTML, which holds no blank.
  private mutating func safeName(_ id: TextRange, _ index: Int) -> SafeName {
    let entry = raw.entries[index]
    let space = Self.space(of: entry)
    let folded = raw.withBytes(id) { bytes in
      PlainName.withFolded(bytes) { Fingerprint.of($0) }
    }
    if let folded {
      var name = SafeName(name: id, key: Fingerprint.mix(folded, space))
      if orderly.hasBeginning(beside: entry) {
        let lower = raw.withBytes(id) { bytes in PlainName.withFolded(bytes) { Array($0) } }
        name.owner = lower.flatMap { findOrderly($0, near: index) }
      }
      return name
    }
    let bytes = raw.withBytes(id) { Array($0) }
    var name = PathName.fileName(for: bytes.span)
    if entry.kind != .post, name.contains(UInt8(ascii: " ")) {
      name = PathName.suffixedFileName(for: bytes.span)
        .map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "-") : $0 }
    }
    let key = PathName.collisionKey(of: name.span)
    return SafeName(
      name: name == bytes ? id : raw.append(name),
      key: Fingerprint.mix(Fingerprint.of(key.span), space),
      owner: findOrderly(key, near: index)
    )
  }

  private func findOrderly(_ name: [UInt8], near index: Int) -> Int? {
    raw.text.withUnsafeBufferPointer { text in
      raw.entries.withUnsafeBufferPointer { entries in
        name.withUnsafeBufferPointer { orderly.find($0, near: index, entries, text) }
      }
    }
  }

  private mutating func rename(
    _ index: Int,
    _ source: TextRange,
    taken: inout TakenNames,
    owner: Int
  ) {
    let entry = raw.entries[index]
    let other = entry.kind == .post ? raw.posts[owner].slug : raw.entries[owner].id
    let isEqual = raw.withBytes(source) { id in raw.withBytes(other) { equalBytes($0, id) } }
    let author = entry.author == .none ? 0 : raw.authors.hashes[entry.author.index]
    // By what stays when other entries come and go.
    var hash = raw.withBytes(source) { Fingerprint.of($0) }
    if isEqual {
      hash = Fingerprint.mix(hash, UInt64(bitPattern: entry.date.milliseconds))
      hash = Fingerprint.mix(hash, author)
    }
    let bytes = raw.withBytes(source) { Array($0) }
    var attempt = taken.attempts[hash] ?? 0
    defer { taken.attempts[hash] = attempt + 1 }
    while true {
      let suffix = Self.hexadecimal(Fingerprint.mix(hash, attempt), digits: attempt == 0 ? 8 : 16)
      let id = raw.append(bytes + [UInt8(ascii: "-")] + suffix)
      let found = safeName(id, index)
      if taken.take(found, for: index) == nil {
        raw.entries[index].name = found.name
        if isEqual, entry.kind != .post { raw.entries[index].id = id }
        break
      }
      attempt += 1
    }
    let written = Diagnostic.shown(raw.string(source))
    remark(
      on: entry,
      isEqual
        ? "Another \(word(for: entry.kind)) before this one has the \(idWord(entry.kind)) '\(written)'"
        : "The \(idWord(entry.kind)) '\(written)' differs from another only in case or in how it is encoded",
      explanation: "Both are shown, this one as '\(raw.string(raw.entries[index].name))'"
    )
  }

  /// Of posts with different slugs and one id the first keeps it.
  private mutating func keepPostIDsApart() {
    var ids = TextTable()
    for index in raw.posts.indices {
      let id = raw.entries[index].id
      if raw.withBytes(id, { ids.intern($0) }).isNew { continue }
      raw.entries[index].id = raw.entries[index].name
      if raw.posts[index].hasOwnID {
        remark(on: raw.entries[index], "Another post has the id '\(raw.string(id))'")
      }
    }
  }

  private func word(for kind: Entry.Kind) -> String {
    switch kind {
    case .post: "post"
    case .comment: "comment"
    case .message: "message"
    }
  }

  private func idWord(_ kind: Entry.Kind) -> String { kind == .post ? "slug" : "id" }
}

/// Ids that are names as they stand: ASCII letters, digits, `-`, `_`, `.` inside, no device name.
enum PlainName {
  /// Calls `body` with the id in lower case; nil where `PathName` has to look at it.
  @inline(__always)
  static func withFolded<Result>(
    _ id: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    // Device names of Windows have 3 to 7 bytes before a point.
    guard id.count <= 64, let first = id.first, let last = id.last, first != UInt8(ascii: "."),
      last != UInt8(ascii: "."), !mayBeDevice(id, first)
    else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { folded in
      for index in 0..<id.count {
        let byte = id[index]
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F, 0x2E: folded[index] = byte
        case 0x41...0x5A: folded[index] = byte | 0x20
        default: return nil
        }
      }
      return body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(folded)[..<id.count]))
    }
  }

  /// Whether an id is such a name and has no capital letter.
  @inline(__always)
  static func isLowerCase(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
    guard id.count <= 64, let first = id.first, let last = id.last, first != UInt8(ascii: "."),
      last != UInt8(ascii: "."), !mayBeDevice(id, first)
    else { return false }
    for byte in id {
      switch byte {
      case 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F, 0x2E: continue
      default: return false
      }
    }
    return true
  }

  @inline(__always)
  private static func mayBeDevice(_ id: UnsafeBufferPointer<UInt8>, _ first: UInt8) -> Bool {
    switch first | 0x20 {
    case UInt8(ascii: "c"), UInt8(ascii: "p"), UInt8(ascii: "a"), UInt8(ascii: "n"),
      UInt8(ascii: "l"):
      (id.count <= 7 || id.contains(UInt8(ascii: "."))) && beginsLikeDevice(id)
    default: false
    }
  }

  /// Whether an id begins with the three letters of a name that Windows takes for a device.
  private static func beginsLikeDevice(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
    if id.count < 3 { return false }
    let letters = (id[0] | 0x20, id[1] | 0x20, id[2] | 0x20)
    for name: StaticString in ["con", "com", "prn", "aux", "nul", "lpt"] {
      let bytes = name.utf8Start
      if letters == (bytes[0], bytes[1], bytes[2]) { return true }
    }
    return false
  }
}

/// A name in the text of an archive.
private struct SafeName {
  var name: TextRange
  /// Equal names within a container share it, also where case is folded.
  var key: UInt64
  /// The orderly entry that has the name.
  var owner: Int?
}

/// Keys of names and who has them: open addressing.
private struct TakenNames {
  private struct Slot {
    var key: UInt64
    var owner: UInt32
  }

  private var slots: [Slot] = []
  private let capacity: Int
  /// By hash of an id that many have: how many suffixes were tried.
  var attempts: [UInt64: UInt64] = [:]

  init(capacity: Int) { self.capacity = capacity }

  /// Takes a name, or returns who has it already; at most `capacity` names are taken.
  mutating func take(_ name: SafeName, for index: Int) -> Int? {
    if let owner = name.owner { return owner }
    let key = name.key
    if slots.isEmpty {
      var size = 16
      while size < capacity * 2 { size *= 2 }
      slots = Array(repeating: Slot(key: 0, owner: .max), count: size)
    }
    var place = Int(truncatingIfNeeded: key) & (slots.count - 1)
    while slots[place].owner != .max {
      if slots[place].key == key { return Int(slots[place].owner) }
      place = (place + 1) & (slots.count - 1)
    }
    slots[place] = Slot(key: key, owner: UInt32(truncatingIfNeeded: index))
    return nil
  }
}
