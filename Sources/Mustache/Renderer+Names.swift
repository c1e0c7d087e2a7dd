import Bytes

/// Looking names up, and entering and leaving sections.
extension Renderer {
  /// The value of a name, `.none` without one; small, since `run` holds it several times.
  @inline(__always)
  mutating func find(
    _ operation: Operation,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Reference {
    let value = bindings[operation.name]
    if operation.restCount == 0 || value.isNone { return value }
    if operation.restCount == 1, value == unpacked.object { return unpacked[operation.rest] }
    return follow(operation, value, paths, tapes)
  }

  /// The rest of a dotted name: only inside the value that its first part names.
  @inline(never)
  private mutating func follow(
    _ operation: Operation,
    _ first: Reference,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Reference {
    if operation.restCount == 1 {
      if tapes.node(first).kind != .object { return .none }
      if tapes.hasTable(first) {
        let key = UInt16(truncatingIfNeeded: Int(operation.rest) &- Slot.reserved)
        return tapes.member(key, of: first)
      }
      unpacked.unpack(first, tapes)
      return unpacked[operation.rest]
    }
    var value = first
    let start = Int(operation.rest)
    for index in start..<start &+ Int(operation.restCount) {
      value = tapes.member(paths[unchecked: index], of: value)
      if value.isNone { break }
    }
    return value
  }

  /// What tells a section that is being shown from all others: where it begins and how many calls
  /// there are around it, since it cannot contain itself without one.
  @inline(__always)
  private func section(beginningAt step: UInt32) -> Int { calls.count &<< 32 | Int(step) }

  /// Enters the section that begins at `step`; false if its value is falsey.
  ///
  /// Names pass through a flag, so that its section needs no context; so do they through text and
  /// numbers, which need one only where something asks for the value itself.
  @inline(__always)
  mutating func enter(
    _ value: Reference,
    _ operation: Operation,
    at step: Int,
    _ tapes: borrowing Tapes
  ) -> Bool {
    if value.isNone { return false }
    let node = tapes.node(value)
    if !node.isTruthy { return false }
    switch node.kind {
    case .yes: return true
    case .text, .plain, .number: if operation.a == 0 { return true }
    case .object, .array, .no: break
    }
    let body = section(beginningAt: UInt32(truncatingIfNeeded: step &+ 1))
    if node.kind == .array {
      let first = Reference(isShared: value.isShared, index: value.index &+ 1)
      push(first, end: node.place, section: body, tapes)
    } else {
      push(value, end: 0, section: body, tapes)
    }
    return true
  }

  /// Makes a value the innermost context; `end` is that of an array whose first element it is, or 0.
  @inline(never)
  mutating func push(_ value: Reference, end: Int, section: Int, _ tapes: borrowing Tapes) {
    let context = Context(reference: value, end: end, section: section, mark: bindings.mark)
    contexts.append(context)
    bind(context, tapes)
  }

  /// Goes on to the next element of the innermost section's array, or leaves the section.
  @inline(__always)
  mutating func isAgain(_ operation: Operation, _ tapes: borrowing Tapes) -> Bool {
    let last = contexts.count &- 1
    // Not every section has a context of its own.
    guard last >= 0, contexts[last].section == section(beginningAt: operation.a) else {
      return false
    }
    return advance(tapes)
  }

  @inline(never)
  private mutating func advance(_ tapes: borrowing Tapes) -> Bool {
    let last = contexts.count &- 1
    var context = contexts[last]
    bindings.restore(to: context.mark)
    // Outside an array the end is 0: nothing comes before it.
    let next = tapes.end(of: context.reference)
    guard next < context.end else {
      contexts.truncate(to: last)
      bindings.setImplicit(last > 0 ? contexts[last &- 1].reference : .none)
      return false
    }
    context.reference = Reference(isShared: context.reference.isShared, index: next)
    contexts[last] = context
    bind(context, tapes)
    return true
  }

  /// Binds what the innermost context names.
  @inline(__always)
  private mutating func bind(_ context: Context, _ tapes: borrowing Tapes) {
    bindings.setImplicit(context.reference)
    if tapes.node(context.reference).kind == .object {
      bindings.bindMembers(of: context.reference, depth: contexts.count, tapes)
    }
  }

  @inline(__always)
  func appendEscaped(
    _ value: Reference,
    _ tapes: borrowing Tapes,
    to output: inout ByteBuffer
  ) {
    let node = tapes.node(value)
    if node.kind == .text {
      output.appendEscaped(node.range, of: tapes.bytes(behind: value))
    } else {
      appendRaw(value, tapes, to: &output)
    }
  }

  @inline(__always)
  func appendRaw(
    _ value: Reference,
    _ tapes: borrowing Tapes,
    to output: inout ByteBuffer
  ) {
    let node = tapes.node(value)
    if node.isText {
      output.append(node.range, of: tapes.bytes(behind: value))
    } else if node.kind == .yes {
      output.append("true")
    } else if node.kind == .no {
      output.append("false")
    }
  }
}
