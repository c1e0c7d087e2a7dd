import Bytes

/// Finds persons by what content files call them: id, name, or another name (`also`).
///
/// Open addressing over XXH3 of the bytes; no `String` is hashed.
public struct NameIndex: Sendable {
  private struct Slot {
    var hash: UInt64
    var name: TextRange
    var person: PersonID
  }

  private var slots: [Slot?] = []
  private var names: [UInt8] = []
  private var count = 0

  /// An index of no names.
  public init() {}

  /// The person of that id, name or other name; nil also for one who is not shown at all.
  public func person(named name: Span<UInt8>) -> PersonID? {
    name.withUnsafeBufferPointer { find($0) }.flatMap { $0 == .none ? nil : $0 }
  }

  /// The person of that id, name or other name; nil also for one who is not shown at all.
  public func person(named name: String) -> PersonID? {
    find(name).flatMap { $0 == .none ? nil : $0 }
  }

  func find(_ name: String) -> PersonID? {
    var name = name
    return name.withUTF8 { find($0) }
  }

  /// As `person(named:)`, but `.none` for a person who is not shown at all.
  func find(_ name: UnsafeBufferPointer<UInt8>) -> PersonID? {
    guard !slots.isEmpty else { return nil }
    let hash = Fingerprint.of(name)
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while let slot = slots[place] {
      if slot.hash == hash, equals(slot.name, name) { return slot.person }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a name unless somebody has it; returns whether it was free.
  @discardableResult
  mutating func insert(_ name: UnsafeBufferPointer<UInt8>, for person: PersonID) -> Bool {
    if find(name) != nil { return false }
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let range = TextRange(
      offset: UInt32(truncatingIfNeeded: names.count),
      length: UInt32(truncatingIfNeeded: name.count)
    )
    names.append(contentsOf: name)
    place(Slot(hash: Fingerprint.of(name), name: range, person: person))
    count += 1
    return true
  }

  @discardableResult
  mutating func insert(_ name: [UInt8], for person: PersonID) -> Bool {
    name.withUnsafeBufferPointer { insert($0, for: person) }
  }

  /// Gives every person another number.
  mutating func renumber(_ number: (PersonID) -> PersonID) {
    for index in slots.indices {
      guard let slot = slots[index] else { continue }
      slots[index]?.person = number(slot.person)
    }
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: max(16, old.count * 2))
    for case let slot? in old { place(slot) }
  }

  private mutating func place(_ slot: Slot) {
    var place = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
    while slots[place] != nil { place = (place + 1) & (slots.count - 1) }
    slots[place] = slot
  }

  private func equals(_ range: TextRange, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard Int(range.length) == name.count else { return false }
    let start = Int(range.offset)
    return names[start..<start + name.count].elementsEqual(name)
  }
}
