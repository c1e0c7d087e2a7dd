import Bytes

/// Partials, parents and blocks.
extension Renderer {
  /// The first step of the template that a site brings in, -1 if there is none.
  mutating func target(
    of site: Site,
    _ operation: Operation,
    _ program: borrowing Program,
    _ paths: Span<UInt16>,
    _ tapes: borrowing Tapes
  ) -> Int {
    switch site.kind {
    case .named: return Int(program.entries[Int(site.target)])
    case .dynamic:
      let value = find(operation, paths, tapes)
      guard !value.isNone, let target = set.templateNames.index(of: tapes.text(of: value)) else {
        return -1
      }
      return Int(program.entries[Int(target)])
    case .missing, .block: return -1
    }
  }

  /// The body that replaces a block and the scope to run it in: the outermost one counts.
  func override(of block: UInt32, _ program: borrowing Program) -> (entry: Int, scope: Int)? {
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

  @inline(__always)
  mutating func call(
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
    if !site.indentation.isEmpty { indent(site.indentation) }
    isLineStart = site.startsLine
    if !site.arguments.isEmpty {
      scopes.append(Scope(arguments: site.arguments, outer: scope))
      scope = scopes.count - 1
    }
  }

  @inline(never)
  private mutating func indent(_ blanks: Range<UInt32>) {
    for index in blanks { indentation.append(set.program.literals[Int(index)]) }
  }

  /// Goes back to the caller; nil at the end of the outermost template.
  @inline(__always)
  mutating func leave() -> Int? {
    guard let call = calls.popLast() else { return nil }
    scopes.truncate(to: call.scopeCount)
    scope = call.scope
    indentation.truncate(to: call.indentationEnd)
    indentationStart = call.indentationStart
    isLineStart = call.isLineStart
    return call.resume
  }

  @inline(never)
  func tooDeep(at step: Int) -> TemplateError {
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

/// The white space in front of the lines of an indented partial or block.
extension Renderer {
  @inline(__always)
  var isIndented: Bool { indentationStart < indentation.count }

  /// Writes the indentation that is due before something that isn't a line end.
  @inline(__always)
  mutating func startLine(of output: inout ByteBuffer) {
    if isIndented && isLineStart { indentLine(of: &output) }
  }

  @inline(never)
  private mutating func indentLine(of output: inout ByteBuffer) {
    output.append(indentation.span.extracting(indentationStart..<indentation.count))
    isLineStart = false
  }

  mutating func appendIndented(_ text: Span<UInt8>, to output: inout ByteBuffer) {
    for index in text.indices {
      startLine(of: &output)
      output.append(text[index])
      if text[index] == TemplateByte.newline { isLineStart = true }
    }
  }
}
