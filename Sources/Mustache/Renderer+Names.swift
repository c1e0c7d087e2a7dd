import Bytes

/// Looking names up, and entering and leaving sections.
extension Renderer {
  @inline(__always)
  mutating func find(
    _ operation: Operation,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Reference? {
    if operation.key == latest.key, latest.key != KeyID.none {
      if operation.restCount == 0 { return latest.value }
      // Mostly the next name is one that the value lacks.
      let bit = TemplateData.Node.nameBit(paths[unchecked: Int(operation.rest)])
      return latest.names & bit == 0 ? nil : follow(operation, latest.value, paths, tapes)
    }
    return search(operation, paths, tapes)
  }

  /// Looks a name up in one context after another, the innermost first.
  @inline(never)
  private mutating func search(
    _ operation: Operation,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Reference? {
    var index = contexts.count
    if operation.key == KeyID.none {
      while index > 0 {
        index &-= 1
        let context = contexts[index]
        if !context.isTransparent { return context.reference }
      }
      return nil
    }
    let bit = TemplateData.Node.nameBit(operation.key)
    while index > 0 {
      index &-= 1
      if contexts[index].names & bit == 0 {
        if contexts[index].namesBelow & bit == 0 { index = min(index, roots) }
        continue
      }
      if let value = tapes.likelyMember(operation.key, of: contexts[index].reference) {
        latest = Latest(
          key: operation.key,
          value: value,
          context: index,
          names: tapes.names(of: value)
        )
        return operation.restCount == 0 ? value : follow(operation, value, paths, tapes)
      }
    }
    return nil
  }

  /// The rest of a dotted name: only inside the value that its first part names.
  func follow(
    _ operation: Operation,
    _ first: Reference,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Reference? {
    var value = first
    let start = Int(operation.rest)
    for index in start..<start &+ Int(operation.restCount) {
      guard let member = tapes.member(paths[unchecked: index], of: value) else { return nil }
      value = member
    }
    return value
  }

  /// Pushes a section's value, or the first element of its array; false if it is falsey.
  mutating func enter(_ value: Reference?, _ tapes: borrowing Tapes) -> Bool {
    guard let value else { return false }
    let node = tapes.node(value)
    guard node.isTruthy else { return false }
    var context = Context(reference: value, end: 0, names: 0, isTransparent: node.kind == .yes)
    if node.kind == .array {
      context.reference.index &+= 1
      context.end = node.place
    }
    context.names = tapes.names(of: context.reference)
    if contexts.count > roots {
      let below = contexts[contexts.count - 1]
      context.namesBelow = below.names | below.namesBelow
    }
    forgetLatest(ifAmong: context.names)
    contexts.append(context)
    return true
  }

  /// Goes on to the next element of the innermost section's array, or leaves the section.
  mutating func isAgain(_ tapes: borrowing Tapes) -> Bool {
    let last = contexts.count - 1
    if latest.context == last { latest.key = KeyID.none }
    var context = contexts[last]
    // Outside an array the end is 0: nothing comes before it.
    context.reference.index = tapes.end(of: context.reference)
    guard context.reference.index < context.end else {
      contexts.truncate(to: last)
      return false
    }
    context.names = tapes.names(of: context.reference)
    forgetLatest(ifAmong: context.names)
    contexts[last] = context
    return true
  }

  /// Forgets the value found last where a context that is entered may have another of its name.
  @inline(__always)
  private mutating func forgetLatest(ifAmong names: UInt64) {
    if names & TemplateData.Node.nameBit(latest.key) != 0 { latest.key = KeyID.none }
  }

  func appendEscaped(
    _ value: Reference,
    _ tapes: borrowing Tapes,
    to output: inout ByteBuffer
  ) {
    if tapes.node(value).kind == .text {
      output.appendEscaped(tapes.text(of: value))
    } else {
      appendRaw(value, tapes, to: &output)
    }
  }

  func appendRaw(
    _ value: Reference,
    _ tapes: borrowing Tapes,
    to output: inout ByteBuffer
  ) {
    switch tapes.node(value).kind {
    case .text, .plain, .number: output.append(tapes.text(of: value))
    case .yes: output.append("true")
    case .no: output.append("false")
    case .object, .array, .names: break
    }
  }
}
