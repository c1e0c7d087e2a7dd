import Bytes

/// The persons that the archive describes, before it is known who wrote anything.
struct PeopleTable: Sendable {
  var people = People()
  var names = NameIndex()

  /// Adds a described person with the other names it goes by.
  mutating func add(_ person: Person, also: [String]) {
    let number = PersonID(people.count)
    var listed = person
    listed.isListed = true
    people.append(listed)
    for name in [person.id, person.displayName] + also {
      name.withBytes { name in
        let name = name.trimmed.cut(to: longestName)
        if !name.isEmpty { names.insert(name, for: number) }
      }
    }
  }
}

/// Authors written as e-mail addresses, which must appear nowhere in a site.
enum MailAddress {
  /// The local part of an address, or the name before `<address>`, and an id without the address.
  static func masked(
    _ author: UnsafeBufferPointer<UInt8>
  ) -> (shown: [UInt8], id: [UInt8])? {
    var address = author
    var shown: [UInt8] = []
    if let open = author.lastIndex(of: UInt8(ascii: "<")), author.last == UInt8(ascii: ">") {
      address = UnsafeBufferPointer(rebasing: author[(open + 1)..<(author.count - 1)])
      shown = Array(UnsafeBufferPointer(rebasing: author[..<open]).trimmed)
      if shown.first == 0x22, shown.last == 0x22, shown.count > 2 {
        shown = Array(shown[1..<(shown.count - 1)])
      }
    }
    guard let at = address.lastIndex(of: UInt8(ascii: "@")), at > 0, at + 1 < address.count else {
      return nil
    }
    let domain = address[(at + 1)...]
    let isAddress = address.allSatisfy { !isBlankByte($0) } && domain.contains(UInt8(ascii: "."))
    guard isAddress, !address[..<at].contains(UInt8(ascii: "@")) else { return nil }
    if shown.isEmpty || shown.contains(UInt8(ascii: "@")) { shown = Array(address[..<at]) }
    let hash = ArchiveBuilder.hexadecimal(Fingerprint.of(address), digits: 6)
    return (shown, shown + [UInt8(ascii: "-")] + hash)
  }

  /// The text, or what may be shown of it.
  static func shown(_ text: String) -> String {
    let mask = text.withBytes { masked($0) }
    return mask.map { String(decoding: $0.shown, as: UTF8.self) } ?? text
  }
}

extension ArchiveBuilder {
  /// Makes tombstones of everything that hidden persons wrote.
  mutating func hidePeople() {
    let hidden = (0..<raw.authors.count).map { number in
      raw.authors.withBytes(number) { people.names.find($0) }
        .map { people.people.hiding(of: $0) == .everything } ?? false
    }
    guard hidden.contains(true) else { return }
    for index in raw.entries.indices {
      let author = raw.entries[index].author
      guard author != .none, hidden[author.index] else { continue }
      raw.entries[index].makeTombstone()
      if raw.entries[index].kind == .post { raw.posts[index].title = .empty }
    }
    raw.aliases.removeAll { raw.entries[Int($0.entry)].isTombstone }
  }

  /// Lists the described persons and those who wrote something, by id; gathers their entries.
  mutating func listPeople() {
    let persons = addAuthors()
    people.people.hideNames()
    let places = people.people.arrange()
    if people.people.isOverfull { raw.refuse() }
    let placed = persons.map { $0 == .max ? .max : places[Int($0)] }
    var (written, isInTime) = entries(of: placed, count: people.people.count)
    if !isInTime { written.sort { isEarlier($0.rawValue, $1.rawValue) } }
    people.people.take(written)
    people.names.renumber { PersonID(rawValue: places[$0.index]) }
    archive.people = people.people
    archive.names = people.names
  }

  /// Adds those who wrote something and whom nobody described, by their first entry; returns for each
  /// author the person.
  private mutating func addAuthors() -> [UInt32] {
    let described = people.people.count
    var persons = [UInt32](repeating: .max, count: raw.authors.count)
    people.people.reserve(raw.authors.count)
    for index in raw.entries.indices {
      let author = raw.entries[index].author
      if author == .none || persons[author.index] != .max { continue }
      persons[author.index] = UInt32(truncatingIfNeeded: person(ofAuthor: author.index))
    }
    // Beside an author whom nobody described: the first avatar that an entry shown gave.
    for use in raw.avatarUses where positions[Int(use.entry)] != .max {
      let person = Int(persons[Int(use.author)])
      guard person >= described, person < people.people.count else { continue }
      people.people.offer(avatar: raw.string(use.avatar), to: person)
    }
    // Nobody asks for them any more.
    raw.authors = TextTable()
    return persons
  }

  /// Replaces authors by persons and gathers what each wrote, in the order of entries; whether that
  /// is the order of time.
  private mutating func entries(
    of persons: [UInt32],
    count: Int
  ) -> (entries: EntryRuns, isInTime: Bool) {
    var written = EntryRuns(count: count)
    var isInTime = true
    raw.entries.withUnsafeMutableBufferPointer { entries in
      for index in entries.indices where entries[index].author != .none {
        let person = PersonID(rawValue: persons[entries[index].author.index])
        entries[index].author = person
        if person != .none, !entries[index].isTombstone { written.count(person.index) }
      }
      written.allocate()
      var time = Timestamp.undated
      for index in entries.indices where entries[index].author != .none {
        if entries[index].isTombstone { continue }
        written.place(EntryID(index), in: entries[index].author.index)
        isInTime = isInTime && time <= entries[index].date
        time = entries[index].date
      }
    }
    return (written, isInTime)
  }

  /// The person of an author, made where nobody described one.
  private mutating func person(ofAuthor author: Int) -> Int {
    if let person = raw.authors.withBytes(author, { people.names.find($0) }) {
      return person.index
    }
    let number = PersonID(people.people.count)
    let selfIDs = archive.configuration.selfIDs
    return raw.authors.withBytes(author) { name in
      let masked = MailAddress.masked(name)
      return (masked?.id ?? []).withUnsafeBufferPointer { maskedID in
        let id = masked == nil ? name : maskedID
        if masked != nil, let person = people.names.find(id) { return person.index }
        people.names.insert(id, for: number)
        people.names.insert(name, for: number)
        let isSelf = selfIDs.contains { $0.utf8.elementsEqual(name) || $0.utf8.elementsEqual(id) }
        (masked?.shown ?? []).withUnsafeBufferPointer { shown in
          people.people.append(id: id, displayName: masked == nil ? name : shown, isSelf: isSelf)
        }
        return number.index
      }
    }
  }
}

extension Entry {
  /// Leaves nothing but the place.
  mutating func makeTombstone() {
    flags.formIntersection([.pinned, .draft, .system, .missingParent, .cutCycle])
    flags.insert(.deleted)
    author = .none
    likes = 0
    shares = 0
    updated = date
  }
}
