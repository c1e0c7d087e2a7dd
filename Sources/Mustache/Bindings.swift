/// What each name means at the moment.
///
/// Templates look up many more names than the objects they enter have members, and most of them are
/// not there. So an object that is entered binds each of its members at the place of its name, and
/// keeps on a stack what the name meant before; leaving it restores that. A lookup is one load,
/// whether it finds something or not, and however deep the sections are. (Lisp systems with dynamic
/// scope know this as shallow binding.)
///
/// Indexes are unchecked: the compiler alone makes slots that are looked up, each below the number
/// that `init` is given, and `bind` leaves others out.
struct Bindings: ~Copyable, Sendable {
  /// What a name means; not private, for the compiler fails in debug builds on private parts of a
  /// type that another one holds.
  struct Binding {
    var value = Reference.none
    /// How deep the context lies that has the member.
    var depth = 0
  }

  struct Shadowed {
    let slot: Int
    let binding: Binding
  }

  private var current: PlainArray<Binding>
  private var shadowed = PlainArray<Shadowed>()

  init(slots: Int) {
    current = PlainArray(capacity: slots)
    for _ in 0..<slots { current.append(Binding()) }
  }

  /// How many bindings hide others: what `restore` takes.
  var mark: Int { shadowed.count }

  /// The value of a name; `.none` if no context has it.
  @inline(__always)
  subscript(_ slot: UInt16) -> Reference { current[Int(slot)].value }

  /// Sets what `{{.}}` means; that is not on the stack.
  @inline(__always)
  mutating func setImplicit(_ value: Reference) { current[Int(Slot.implicit)].value = value }

  /// Binds the members of an object that becomes the context at `depth`, counted from 1.
  mutating func bindMembers(of object: Reference, depth: Int, _ tapes: borrowing Tapes) {
    if object.isShared {
      bindMembers(of: object, depth: depth, tapes.shared)
    } else {
      bindMembers(of: object, depth: depth, tapes.page)
    }
  }

  @inline(__always)
  private mutating func bindMembers(of object: Reference, depth: Int, _ tape: borrowing Tape) {
    var member = tape.firstMember(of: object.index)
    let end = tape.end(of: object.index)
    while member < end {
      let slot = Slot.of(tape.key(of: member))
      // Of two members with one name the first counts.
      if slot < current.count, current[slot].depth != depth {
        shadowed.append(Shadowed(slot: slot, binding: current[slot]))
        current[slot] = Binding(
          value: Reference(isShared: object.isShared, index: member),
          depth: depth
        )
      }
      member = tape.end(of: member)
    }
  }

  /// Takes back all that was bound since `mark` was read.
  @inline(__always)
  mutating func restore(to mark: Int) {
    while shadowed.count > mark, let last = shadowed.popLast() { current[last.slot] = last.binding }
  }
}

/// The members of the object that a dotted name looked into last, each at the place of its name.
///
/// An entry's template names nearly all of its fields as `message.date`, and lacks most: what is
/// noted once need not be searched for each of them. The stamp tells this object's members from
/// those of earlier ones, so that nothing has to be cleared. Indexes are unchecked as in `Bindings`.
struct UnpackedObject: ~Copyable, Sendable {
  struct Member {
    var value = Reference.none
    var stamp = 0
  }

  private var members: PlainArray<Member>
  private var stamp = 0
  /// The object; `.none` at first.
  private(set) var object = Reference.none

  init(slots: Int) {
    members = PlainArray(capacity: slots)
    for _ in 0..<slots { members.append(Member()) }
  }

  /// Forgets the object, whose data is going to change.
  mutating func forget() { object = .none }

  /// The object's member at a slot that the compiler made; `.none` without one.
  @inline(__always)
  subscript(_ slot: UInt32) -> Reference {
    let member = members[Int(slot)]
    return member.stamp == stamp ? member.value : .none
  }

  /// Notes the members of another object.
  mutating func unpack(_ object: Reference, _ tapes: borrowing Tapes) {
    self.object = object
    stamp &+= 1
    if object.isShared {
      unpack(tapes.shared)
    } else {
      unpack(tapes.page)
    }
  }

  @inline(__always)
  private mutating func unpack(_ tape: borrowing Tape) {
    var member = tape.firstMember(of: object.index)
    let end = tape.end(of: object.index)
    while member < end {
      let slot = Slot.of(tape.key(of: member))
      // Of two members with one name the first counts.
      if slot < members.count, members[slot].stamp != stamp {
        members[slot] = Member(
          value: Reference(isShared: object.isShared, index: member),
          stamp: stamp
        )
      }
      member = tape.end(of: member)
    }
  }
}

/// The place of a name among the bindings.
enum Slot {
  /// The place of `{{.}}`.
  static let implicit: UInt16 = 0
  /// A place that nothing is ever bound at, for names that a full table could not take.
  static let empty: UInt16 = 1
  /// How many places no key has.
  static let reserved = 2

  /// The place of a key; that of `KeyID.none` and `KeyID.overflow` is past the end of any bindings.
  @inline(__always)
  static func of(_ key: UInt16) -> Int { Int(key) &+ reserved }
}
