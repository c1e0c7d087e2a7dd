import Bytes

/// The persons that the archive describes, before it is known who wrote anything.
struct PeopleTable: Sendable {
  var people: [Person] = []
  var names = NameIndex()

  /// Adds a described person with the other names it goes by.
  mutating func add(_ person: Person, also: [String]) {
    let number = PersonID(people.count)
    var listed = person
    listed.isListed = true
    people.append(listed)
    for name in [person.id, person.displayName] + also {
      var name = name
      name.withUTF8 { name in
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
    var text = text
    let mask = text.withUTF8 { masked($0) }
    return mask.map { String(decoding: $0.shown, as: UTF8.self) } ?? text
  }
}

extension ArchiveBuilder {
  /// Makes tombstones of everything that hidden persons wrote.
  mutating func hidePeople() {
    let hidden = (0..<raw.authors.count).map { number in
      raw.authors.withBytes(number) { people.names.find($0) }
        .map { people.people[$0.index].hiding == .everything } ?? false
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

  /// Lists the described persons and those who wrote something, by id; counts their entries.
  mutating func listPeople() {
    var all = people.people
    var personOfAuthor = [Int](repeating: -1, count: raw.authors.count)
    all.reserveCapacity(all.count + raw.authors.count)
    for author in authorsInOrder() { personOfAuthor[author] = find(author, in: &all) }
    // Beside an author whom nobody described: the first avatar that an entry shown gave.
    for use in raw.avatarUses where positions[Int(use.entry)] != .max {
      let number = personOfAuthor[Int(use.author)]
      if number >= people.people.count, all[number].avatar.isEmpty {
        all[number].avatar = raw.string(use.avatar)
      }
    }
    var hidden = 0
    for index in all.indices where all[index].hiding == .name {
      hidden += 1
      all[index] = Person(
        id: "hidden-\(hidden)",
        name: "",
        displayName: "",
        isSelf: all[index].isSelf,
        hiding: .name
      )
    }
    var order = Array(all.indices.filter { all[$0].hiding != .everything })
    order.sort { precedes(all[$0].id, all[$1].id) }
    var place = [UInt32](repeating: .max, count: all.count)
    for (position, number) in order.enumerated() {
      place[number] = UInt32(truncatingIfNeeded: position)
    }
    var sorted: [Person] = []
    sorted.reserveCapacity(order.count)
    for number in order { sorted.append(all[number]) }
    all = []
    var names = FileNames()
    for index in sorted.indices { sorted[index].name = names.name(for: sorted[index].id).string }
    let persons = personOfAuthor.map { $0 < 0 ? .max : place[$0] }
    var (written, isInTime) = entries(of: persons, count: sorted.count)
    if !isInTime { written.sort { isEarlier($0.rawValue, $1.rawValue) } }
    for index in sorted.indices { sorted[index].entries = written.run(index) }
    archive.people = sorted
    people.names.renumber { PersonID(rawValue: place[$0.index]) }
    archive.names = people.names
  }

  /// The authors of entries, each once, by their first entry.
  private func authorsInOrder() -> [Int] {
    var isKnown = [Bool](repeating: false, count: raw.authors.count)
    var order: [Int] = []
    raw.entries.withUnsafeBufferPointer { entries in
      for index in entries.indices {
        let author = entries[index].author
        if author == .none || isKnown[author.index] { continue }
        isKnown[author.index] = true
        order.append(author.index)
      }
    }
    return order
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
  private mutating func find(_ author: Int, in all: inout [Person]) -> Int {
    if let person = raw.authors.withBytes(author, { people.names.find($0) }) {
      return person.index
    }
    let number = all.count
    let name = raw.authors.array(author)
    let masked = name.withUnsafeBufferPointer { MailAddress.masked($0) }
    let id = String(decoding: masked?.id ?? name, as: UTF8.self)
    if masked != nil, let person = people.names.find(id) { return person.index }
    people.names.insert(masked?.id ?? name, for: PersonID(number))
    name.withUnsafeBufferPointer { _ = people.names.insert($0, for: PersonID(number)) }
    all.append(
      Person(
        id: id,
        name: "",
        displayName: String(decoding: masked?.shown ?? name, as: UTF8.self),
        isSelf: archive.configuration.selfIDs.contains {
          $0.utf8.elementsEqual(name) || $0.utf8.elementsEqual(id.utf8)
        }
      )
    )
    return number
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
