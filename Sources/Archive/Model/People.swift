import Bytes

/// Persons by position, each made when it is asked for: an archive may have a million authors, of
/// whom nothing but the name is known.
public struct People: RandomAccessCollection, Sendable {
  private struct Row: Sendable {
    var id: TextRange
    var name = TextRange.empty
    var displayName: TextRange
    /// A position in `details`; the largest number for those who have none.
    var details = UInt32.max
    var hiding: Person.Hiding
    var isSelf: Bool
    var isListed: Bool
  }

  /// What only described persons have, as a rule.
  private struct Details: Sendable {
    var avatar = ""
    var links: [Person.Link] = []
    var biography = ""
  }

  private var rows: [Row] = []
  private var text = TextStore()
  private var details: [Details] = []
  private var runs = EntryRuns(count: 0)

  /// Nobody.
  init() {}

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of persons.
  public var endIndex: Int { rows.count }

  /// A person by position.
  public subscript(index: Int) -> Person {
    let row = rows[index]
    let details = details(of: row)
    return Person(
      id: text[row.id],
      name: text[row.name],
      displayName: text[row.displayName],
      avatar: details.avatar,
      links: details.links,
      biography: details.biography,
      isSelf: row.isSelf,
      hiding: row.hiding,
      isListed: row.isListed,
      entries: entries(of: PersonID(index))
    )
  }

  private func details(of row: Row) -> Details {
    row.details == .max ? Details() : details[Int(row.details)]
  }
}

// MARK: - Of one person

// What pages ask for again and again, without making the whole person.
extension People {
  /// `Person.isSelf`.
  public func isSelf(_ person: PersonID) -> Bool { rows[person.index].isSelf }

  /// `Person.hiding`.
  public func hiding(of person: PersonID) -> Person.Hiding { rows[person.index].hiding }

  /// `Person.name`.
  public func name(of person: PersonID) -> String { text[rows[person.index].name] }

  /// `Person.displayName`.
  public func displayName(of person: PersonID) -> String { text[rows[person.index].displayName] }

  /// Appends `Person.displayName`.
  public func appendDisplayName(of person: PersonID, into output: inout ByteBuffer) {
    text.withBytes(rows[person.index].displayName) { output.append($0) }
  }

  /// `Person.avatar`.
  public func avatar(of person: PersonID) -> String { details(of: rows[person.index]).avatar }

  /// `Person.entries`.
  public func entries(of person: PersonID) -> EntryRun {
    person.index < runs.count ? runs.run(person.index) : EntryRun()
  }
}

// MARK: - Gathering

extension People {
  /// Whether their names are more than can be held.
  var isOverfull: Bool { text.isOverfull }

  /// Makes room for so many more.
  mutating func reserve(_ count: Int) { rows.reserveCapacity(rows.count + count) }

  /// Adds a person, still without a name for URLs and entries.
  mutating func append(_ person: Person) {
    var (id, displayName) = (person.id, person.displayName)
    var row = id.withUTF8 { id -> Row in displayName.withUTF8 { makeRow(id: id, displayName: $0) } }
    row.hiding = person.hiding
    row.isSelf = person.isSelf
    row.isListed = person.isListed
    let own = Details(avatar: person.avatar, links: person.links, biography: person.biography)
    if !own.avatar.isEmpty || !own.links.isEmpty || !own.biography.isEmpty {
      row.details = add(own)
    }
    rows.append(row)
  }

  /// Adds somebody of whom only what entries call them is known.
  mutating func append(
    id: UnsafeBufferPointer<UInt8>,
    displayName: UnsafeBufferPointer<UInt8>,
    isSelf: Bool
  ) {
    var row = makeRow(id: id, displayName: displayName)
    row.isSelf = isSelf
    rows.append(row)
  }

  private mutating func makeRow(
    id: UnsafeBufferPointer<UInt8>,
    displayName: UnsafeBufferPointer<UInt8>
  ) -> Row {
    let id = text.append(id)
    return Row(
      id: id,
      displayName: text.append(displayName, orSameAs: id),
      hiding: .nothing,
      isSelf: false,
      isListed: false
    )
  }

  private mutating func add(_ own: Details) -> UInt32 {
    details.append(own)
    return UInt32(truncatingIfNeeded: details.count - 1)
  }

  /// Gives a person an avatar unless there is one.
  mutating func offer(avatar: String, to index: Int) {
    if rows[index].details == .max { rows[index].details = add(Details()) }
    let place = Int(rows[index].details)
    if details[place].avatar.isEmpty { details[place].avatar = avatar }
  }

  /// Forgets everything of those whose name is hidden, but who is the archive's owner.
  mutating func hideNames() {
    var hidden = 0
    for index in rows.indices where rows[index].hiding == .name {
      hidden += 1
      var id = "hidden-\(hidden)"
      rows[index].id = id.withUTF8 { text.append($0) }
      rows[index].displayName = .empty
      rows[index].details = .max
      rows[index].isListed = false
    }
  }

  /// Leaves those out who are hidden as a whole, sorts the others by id in byte order, and gives them
  /// names for URLs.
  ///
  /// - Returns: By the position that a person had, the one it has now; the largest number for those
  ///   left out.
  mutating func arrange() -> [UInt32] {
    var order: [UInt32] = []
    order.reserveCapacity(rows.count)
    for index in rows.indices where rows[index].hiding != .everything {
      order.append(UInt32(truncatingIfNeeded: index))
    }
    order.sort { left, right in
      text.withBytes(rows[Int(left)].id) { left in
        text.withBytes(rows[Int(right)].id) { precedes(left, $0) }
      }
    }
    var places = [UInt32](repeating: .max, count: rows.count)
    for (place, index) in order.enumerated() {
      places[Int(index)] = UInt32(truncatingIfNeeded: place)
    }
    rows = order.map { rows[Int($0)] }
    giveNames()
    return places
  }

  private mutating func giveNames() {
    var names = FileNames()
    for index in rows.indices {
      let id = rows[index].id
      let name = text.withBytes(id) { names.name(for: Span(_unsafeElements: $0)) }
      rows[index].name = name.bytes.withUnsafeBufferPointer { text.append($0, orSameAs: id) }
    }
  }

  /// Gives everybody the entries of the run at the same position.
  mutating func take(_ runs: EntryRuns) { self.runs = runs }
}
