import Bytes

/// Runs templates over data; one per worker, its stacks reused from page to page.
///
/// Neither data nor templates make it recurse: contexts, calls and blocks lie on explicit stacks.
/// What the data holds is written out and never read as a template.
public struct Renderer: ~Copyable, Sendable {
  /// How many partials, parents and blocks may stand inside each other.
  public static let deepestNesting = 10_000

  private let set: TemplateSet
  private var contexts: [Context] = []
  private var calls: [Call] = []
  private var scopes: [Scope] = []
  /// The white space in front of each line, those of outer calls first.
  private var indentation: [UInt8] = []
  /// How much of `indentation` counts for the template at hand: its end.
  private var indentationStart = 0
  private var isLineStart = false
  /// The scope of the template at hand, -1 without one.
  private var scope = -1

  /// A value that names are looked up in.
  private struct Context {
    var reference: Reference
    /// Where the array ends that the value is an element of; 0 outside an array.
    var end: Int
    /// Whether names pass through: the section of a flag.
    var isTransparent = false
  }

  /// What to go back to.
  private struct Call {
    let resume: Int
    let scope: Int
    let scopeCount: Int
    let indentationStart: Int
    let indentationEnd: Int
    let isLineStart: Bool
  }

  /// The blocks handed to a parent, and the scope of the template that did so.
  private struct Scope {
    let arguments: Range<UInt32>
    let outer: Int
  }

  /// Makes a renderer for the templates of one set.
  public init(_ set: TemplateSet) { self.set = set }

  /// Appends what `template` makes of `page`; names that it lacks are looked up in `shared`.
  ///
  /// - Throws: If partials are nested too deep; `output` then holds what came before.
  public mutating func render(
    _ template: TemplateID,
    page: borrowing TemplateData,
    shared: borrowing TemplateData,
    into output: inout ByteBuffer
  ) throws(TemplateError) {
    let tapes = Tapes(
      page: Tape(nodes: page.nodes.span, text: page.text.bytes),
      shared: Tape(nodes: shared.nodes.span, text: shared.text.bytes)
    )
    reset()
    if !shared.isEmpty { push(Reference(isShared: true, index: 0)) }
    if !page.isEmpty { push(Reference(isShared: false, index: 0)) }
    try run(from: Int(set.program.entries[Int(template.rawValue)]), tapes, into: &output)
  }

  private mutating func reset() {
    contexts.removeAll(keepingCapacity: true)
    calls.removeAll(keepingCapacity: true)
    scopes.removeAll(keepingCapacity: true)
    indentation.removeAll(keepingCapacity: true)
    indentationStart = 0
    isLineStart = false
    scope = -1
  }

  private mutating func push(_ reference: Reference) {
    contexts.append(Context(reference: reference, end: 0))
  }

  private mutating func run(
    from entry: Int,
    _ tapes: borrowing Tapes,
    into output: inout ByteBuffer
  ) throws(TemplateError) {
    let program = set.program
    let operations = program.operations.span
    let literals = program.literals.span
    let paths = program.paths.span
    var step = entry
    while true {
      let operation = operations[step]
      switch operation.code {
      case .literal:
        let text = literals.extracting(Int(operation.a)..<Int(operation.a &+ operation.b))
        if isIndented { appendIndented(text, to: &output) } else { output.append(text) }
        step &+= 1
      case .escaped:
        startLine(of: &output)
        if let value = find(operation, paths, tapes) {
          appendEscaped(value, tapes, to: &output)
        }
        step &+= 1
      case .raw:
        startLine(of: &output)
        if let value = find(operation, paths, tapes) { appendRaw(value, tapes, to: &output) }
        step &+= 1
      case .section:
        let isEntered = enter(find(operation, paths, tapes), tapes)
        step = isEntered ? step &+ 1 : Int(operation.b)
      case .inverted:
        let value = find(operation, paths, tapes)
        let isTruthy = value.map { tapes.node($0).isTruthy } ?? false
        step = isTruthy ? Int(operation.b) : step &+ 1
      case .sectionEnd:
        step = isAgain(tapes) ? Int(operation.a) : step &+ 1
      case .call:
        let site = program.sites[Int(operation.a)]
        let entry = target(of: site, operation, program, paths, tapes)
        if entry < 0 {
          if !site.startsLine { startLine(of: &output) }
          step = Int(site.resume)
        } else {
          try call(site, from: step, resume: Int(site.resume), output: &output)
          step = entry
        }
      case .block:
        let site = program.sites[Int(operation.a)]
        if let (entry, outer) = override(of: site.target, program) {
          try call(site, from: step, resume: Int(operation.b), output: &output)
          scope = outer
          step = entry
        } else {
          step &+= 1
        }
      case .leave:
        guard let resume = leave() else { return }
        step = resume
      }
    }
  }
}

// MARK: - Names and sections

extension Renderer {
  @inline(__always)
  private func find(
    _ operation: Operation,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Reference? {
    var index = contexts.count
    if operation.key == KeyID.none {
      while index > 0 {
        index &-= 1
        if !contexts[index].isTransparent { return contexts[index].reference }
      }
      return nil
    }
    while index > 0 {
      index &-= 1
      if contexts[index].isTransparent { continue }
      if let value = tapes.member(operation.key, of: contexts[index].reference) {
        return operation.restCount == 0 ? value : follow(operation, value, paths, tapes)
      }
    }
    return nil
  }

  /// The rest of a dotted name: only inside the value that its first part names.
  private func follow(
    _ operation: Operation,
    _ first: Reference,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Reference? {
    var value = first
    let start = Int(operation.rest)
    for index in start..<start + Int(operation.restCount) {
      guard let member = tapes.member(paths[index], of: value) else { return nil }
      value = member
    }
    return value
  }

  /// Pushes a section's value, or the first element of its array; false if it is falsey.
  private mutating func enter(_ value: Reference?, _ tapes: borrowing Tapes) -> Bool {
    guard let value else { return false }
    let node = tapes.node(value)
    guard node.isTruthy else { return false }
    var context = Context(reference: value, end: 0, isTransparent: node.kind == .yes)
    if node.kind == .array {
      context.reference.index += 1
      context.end = node.place
    }
    contexts.append(context)
    return true
  }

  /// Goes on to the next element of the innermost section's array, or leaves the section.
  private mutating func isAgain(_ tapes: borrowing Tapes) -> Bool {
    let last = contexts.count - 1
    let next = tapes.end(of: contexts[last].reference)
    if next < contexts[last].end {
      contexts[last].reference.index = next
      return true
    }
    contexts.removeLast()
    return false
  }

  private func appendEscaped(
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

  private func appendRaw(
    _ value: Reference,
    _ tapes: borrowing Tapes,
    to output: inout ByteBuffer
  ) {
    switch tapes.node(value).kind {
    case .text, .number: output.append(tapes.text(of: value))
    case .yes: output.append("true")
    case .no: output.append("false")
    case .object, .array: break
    }
  }
}

// MARK: - Partials, parents and blocks

extension Renderer {
  /// The first step of the template that a site brings in, -1 if there is none.
  private func target(
    of site: Site,
    _ operation: Operation,
    _ program: borrowing Program,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Int {
    switch site.kind {
    case .named: return Int(program.entries[Int(site.target)])
    case .dynamic:
      guard let value = find(operation, paths, tapes),
        let target = set.templateNames.index(of: tapes.text(of: value))
      else { return -1 }
      return Int(program.entries[Int(target)])
    case .missing, .block: return -1
    }
  }

  /// The body that replaces a block and the scope to run it in: the outermost one counts.
  private func override(of block: UInt32, _ program: borrowing Program) -> (entry: Int, scope: Int)?
  {
    var found: (entry: Int, scope: Int)?
    var index = scope
    while index >= 0 {
      for argument in scopes[index].arguments where program.arguments[Int(argument)].block == block
      {
        found = (Int(program.arguments[Int(argument)].entry), scopes[index].outer)
      }
      index = scopes[index].outer
    }
    return found
  }

  private mutating func call(
    _ site: Site,
    from step: Int,
    resume: Int,
    output: inout ByteBuffer
  ) throws(TemplateError) {
    if calls.count >= Self.deepestNesting { throw tooDeep(at: step) }
    if !site.startsLine { startLine(of: &output) }
    calls.append(
      Call(
        resume: resume,
        scope: scope,
        scopeCount: scopes.count,
        indentationStart: indentationStart,
        indentationEnd: indentation.count,
        isLineStart: site.endsLine
      )
    )
    if !site.startsLine && site.kind != .block { indentationStart = indentation.count }
    if !site.indentation.isEmpty {
      for index in site.indentation { indentation.append(set.program.literals[Int(index)]) }
    }
    isLineStart = site.startsLine
    if !site.arguments.isEmpty {
      scopes.append(Scope(arguments: site.arguments, outer: scope))
      scope = scopes.count - 1
    }
  }

  /// Goes back to the caller; nil at the end of the outermost template.
  private mutating func leave() -> Int? {
    guard let call = calls.popLast() else { return nil }
    scopes.removeLast(scopes.count - call.scopeCount)
    scope = call.scope
    indentation.removeLast(indentation.count - call.indentationEnd)
    indentationStart = call.indentationStart
    isLineStart = call.isLineStart
    return call.resume
  }

  private func tooDeep(at step: Int) -> TemplateError {
    let position = set.program.positions[step]
    let unit = set.units[Int(position.template)]
    return TemplateError(
      template: unit.name,
      path: unit.path,
      line: Int(position.line),
      column: Int(position.column),
      headline: "Templates are nested over \(Self.deepestNesting) deep",
      suggestion: set.template(named: TemplateSet.builtInPrefix + unit.name) == nil
        ? "end the recursion with a section that becomes empty"
        : "a template that replaces a built-in one inherits from '\(TemplateSet.builtInPrefix)\(unit.name)'"
    )
  }
}

// MARK: - Indentation

extension Renderer {
  @inline(__always)
  private var isIndented: Bool { indentationStart < indentation.count }

  /// Writes the indentation that is due before something that isn't a line end.
  @inline(__always)
  private mutating func startLine(of output: inout ByteBuffer) {
    if isIndented && isLineStart {
      output.append(indentation[indentationStart...])
      isLineStart = false
    }
  }

  private mutating func appendIndented(_ text: Span<UInt8>, to output: inout ByteBuffer) {
    for index in text.indices {
      startLine(of: &output)
      output.append(text[index])
      if text[index] == TemplateByte.newline { isLineStart = true }
    }
  }
}
