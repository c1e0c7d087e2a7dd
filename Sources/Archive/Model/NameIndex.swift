import Bytes

/// Finds persons by what content files call them: id, name, or another name (`also`).
///
/// Open addressing over XXH3 of the bytes; no `String` is hashed.
public struct NameIndex: Sendable {
  private struct Name {
    var mark: UInt32
    var range: TextRange
    var person: PersonID
  }

  /// Places in `names`, `UInt32.max` where free.
  private var slots: [UInt32] = []
  private var names: [Name] = []
  private var pool: [UInt8] = []

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
    name.withBytes { find($0) }
  }

  /// As `person(named:)`, but `.none` for a person who is not shown at all.
  func find(_ name: UnsafeBufferPointer<UInt8>) -> PersonID? {
    guard !slots.isEmpty else { return nil }
    let number = slots[place(of: name, hash: Fingerprint.of(name))]
    return number == .max ? nil : names[Int(number)].person
  }

  /// Adds a name unless somebody has it; returns whether it was free.
  @discardableResult
  mutating func insert(_ name: UnsafeBufferPointer<UInt8>, for person: PersonID) -> Bool {
    if (names.count + 1) * 4 > slots.count * 3 { grow() }
    let hash = Fingerprint.of(name)
    let place = place(of: name, hash: hash)
    guard slots[place] == .max else { return false }
    slots[place] = UInt32(truncatingIfNeeded: names.count)
    let range = TextRange(
      offset: UInt32(truncatingIfNeeded: pool.count),
      length: UInt32(truncatingIfNeeded: name.count)
    )
    names.append(
      Name(mark: UInt32(truncatingIfNeeded: hash), range: range, person: person)
    )
    pool.append(contentsOf: name)
    return true
  }

  @discardableResult
  mutating func insert(_ name: [UInt8], for person: PersonID) -> Bool {
    name.withUnsafeBufferPointer { insert($0, for: person) }
  }

  /// A fingerprint of all names with what `key` gives for their persons, whatever their order.
  public func fingerprint(_ key: (PersonID) -> UInt64) -> UInt64 {
    pool.withUnsafeBufferPointer { pool in
      names.reduce(0) { sum, name in
        let bytes = UnsafeBufferPointer(rebasing: pool[name.range.bounds])
        return sum &+ Fingerprint.mix(Fingerprint.of(bytes, seed: 1), key(name.person))
      }
    }
  }

  /// Gives every person another number.
  mutating func renumber(_ number: (PersonID) -> PersonID) {
    for index in names.indices { names[index].person = number(names[index].person) }
  }

  /// Where a name stands or would stand.
  private func place(of name: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[place] != .max {
      let known = names[Int(slots[place])]
      if known.mark == UInt32(truncatingIfNeeded: hash), equals(known.range, name) { return place }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private mutating func grow() {
    slots = Array(repeating: .max, count: max(16, slots.count * 2))
    for (number, name) in names.enumerated() {
      // Only the low half of the hash is kept, which is enough for four billion slots.
      var place = Int(name.mark) & (slots.count - 1)
      while slots[place] != .max { place = (place + 1) & (slots.count - 1) }
      slots[place] = UInt32(truncatingIfNeeded: number)
    }
  }

  private func equals(_ range: TextRange, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    pool.withUnsafeBufferPointer {
      equalBytes(UnsafeBufferPointer(rebasing: $0[range.bounds]), name)
    }
  }
}
