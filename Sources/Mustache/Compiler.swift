/// Writes templates into a `Program`, one after the other, without recursion.
struct Compiler {
  var program = Program()
  var errors: [TemplateError] = []
  var keys: KeyTable
  /// For each template the templates it names, for fingerprints.
  var reached: [[UInt32]] = []
  /// Whether a template brings in others by a name from the data.
  var isDynamic: [Bool] = []

  let names: TemplateNames
  let documented: DocumentedNames?
  var blocks: [[UInt8]: UInt32] = [:]
  var reportedFullTable = false

  // The template at hand.
  var unit = TemplateUnit(name: "", path: "", bytes: [])
  private var index: UInt32 = 0
  var lines = LineIndex([])
  var opened: [Opened] = []
  /// How often each name stands in `opened`.
  private var openNames: [[UInt8]: Int] = [:]
  /// For each block handed to a parent that is open, the white space that its lines lose.
  private var removals: [Range<Int>] = []
  /// How many open sections' names may hold anything, see `DocumentedNames`.
  var freeDepth = 0
  /// Where the last closing tag left off: a step that others may go to.
  private var lastTarget = 0

  /// A tag that waits for its closing tag.
  struct Opened {
    let token: Token
    let operation: Int
    let isArgument: Bool
    var isFree = false
    /// Whether `{{.}}` stands inside, or a partial or block, in which it may.
    var asksForValue = false
    var arguments: [Argument] = []
  }

  init(names: TemplateNames, documented: DocumentedNames?, keys: KeyTable) {
    self.names = names
    self.documented = documented
    self.keys = keys
  }

  mutating func compile(_ unit: TemplateUnit, index: UInt32) {
    self.unit = unit
    self.index = index
    lines = LineIndex(unit.bytes)
    freeDepth = 0
    lastTarget = program.operations.count
    reached.append([])
    isDynamic.append(false)
    program.entries.append(next)
    var tokenizer = Tokenizer(unit.bytes)
    tokenizer.run()
    for mistake in tokenizer.mistakes {
      report(mistake.headline, at: mistake.offset, suggestion: mistake.suggestion)
    }
    for token in LineTrimmer.trimmed(tokenizer.tokens, of: unit.bytes) { visit(token) }
    while let unclosed = opened.last {
      reportUnclosed(unclosed.token)
      closeInnermost(with: nil)
    }
    emit(Operation(code: .leave), at: max(unit.bytes.count - 1, 0))
  }

  // MARK: Tags

  private mutating func visit(_ token: Token) {
    let isIgnored = opened.last.map { $0.token.kind == .parent } ?? false
    switch token.kind {
    case .comment, .delimiters: break
    case .text: if !isIgnored { emitText(token.range) }
    case .variable: if !isIgnored { emitNamed(.escaped, token) }
    case .raw: if !isIgnored { emitNamed(.raw, token) }
    case .section: open(token, emitNamed(.section, token))
    case .inverted: open(token, emitNamed(.inverted, token))
    case .partial: visitCall(token)
    case .parent: open(token, visitCall(token))
    case .block:
      if isIgnored {
        push(Opened(token: token, operation: Int(next), isArgument: true))
      } else {
        visitBlock(token)
      }
    case .close: close(token)
    }
  }

  private mutating func open(_ token: Token, _ operation: Int) {
    var entry = Opened(token: token, operation: operation, isArgument: false)
    if token.kind == .section, documented?.isFree(bytes(token.name)) ?? false {
      entry.isFree = true
      freeDepth += 1
    }
    push(entry)
  }

  private mutating func push(_ entry: Opened) {
    opened.append(entry)
    openNames[normalized(entry.token.name), default: 0] += 1
    if entry.isArgument { removals.append(entry.token.removed) }
  }

  @discardableResult
  private mutating func visitCall(_ token: Token) -> Int {
    let name = bytes(token.name)
    var site = Site(
      target: 0,
      kind: .missing,
      startsLine: token.isStandalone,
      endsLine: token.isStandalone
    )
    if token.isStandalone { site.indentation = indentation(token.indentation) }
    var operation = Operation(code: .call)
    if name.first == UInt8(ascii: "*") {
      site.kind = .dynamic
      isDynamic[Int(index)] = true
      setName(&operation, dynamicName(token.name), token)
    } else if let target = names.index(of: name) {
      site.kind = .named
      site.target = target
      reached[Int(index)].append(target)
    } else if !name.isEmpty {
      reportMissing(name, token)
    }
    operation.a = UInt32(program.sites.count)
    let step = emit(operation, at: token.range.lowerBound)
    site.resume = next
    program.sites.append(site)
    return step
  }

  private mutating func visitBlock(_ token: Token) {
    var site = Site(
      target: block(token),
      kind: .block,
      startsLine: token.isStandalone,
      endsLine: false
    )
    site.indentation = indentation(token.indentation)
    var operation = Operation(code: .block)
    operation.a = UInt32(program.sites.count)
    program.sites.append(site)
    let step = emit(operation, at: token.range.lowerBound)
    push(Opened(token: token, operation: step, isArgument: false))
  }

  private mutating func close(_ token: Token) {
    let name = normalized(token.name)
    guard openNames[name] ?? 0 > 0 else {
      reportStray(token)
      return
    }
    while let inner = opened.last, normalized(inner.token.name) != name {
      reportUnclosed(inner.token)
      closeInnermost(with: nil)
    }
    closeInnermost(with: token)
  }

  private mutating func closeInnermost(with closing: Token?) {
    guard let tag = opened.popLast() else { return }
    if tag.asksForValue, let outer = opened.indices.last { opened[outer].asksForValue = true }
    let offset = closing?.range.lowerBound ?? max(unit.bytes.count - 1, 0)
    if tag.isFree { freeDepth -= 1 }
    if tag.isArgument { removals.removeLast() }
    openNames[normalized(tag.token.name), default: 1] -= 1
    switch tag.token.kind {
    case .section:
      emit(Operation(code: .sectionEnd, a: UInt32(tag.operation + 1)), at: offset)
      program.operations[tag.operation].a = tag.asksForValue ? 1 : 0
      program.operations[tag.operation].b = next
    case .inverted: program.operations[tag.operation].b = next
    case .parent:
      let site = Int(program.operations[tag.operation].a)
      let start = UInt32(program.arguments.count)
      program.arguments += tag.arguments
      program.sites[site].arguments = start..<UInt32(program.arguments.count)
      program.sites[site].resume = next
    case .block where tag.isArgument:
      emit(Operation(code: .leave), at: offset)
      guard let parent = opened.indices.last else { return }
      let argument = Argument(block: block(tag.token), entry: UInt32(tag.operation))
      opened[parent].arguments.removeAll { $0.block == argument.block }
      opened[parent].arguments.append(argument)
    case .block:
      program.operations[tag.operation].b = next
      let site = Int(program.operations[tag.operation].a)
      program.sites[site].endsLine = closing?.isStandalone ?? false
    case .text, .variable, .raw, .close, .partial, .comment, .delimiters: break
    }
    lastTarget = program.operations.count
  }

  // MARK: Steps

  private var next: UInt32 { UInt32(program.operations.count) }

  /// Adds a step; one that only writes text becomes part of the step after it, unless others go to
  /// that.
  @discardableResult
  private mutating func emit(_ operation: Operation, at offset: Int) -> Int {
    let (line, column) = lines.position(of: offset)
    let position = TemplatePosition(template: index, line: UInt32(line), column: UInt32(column))
    if operation.asksForValue, let innermost = opened.indices.last {
      opened[innermost].asksForValue = true
    }
    let last = program.operations.count - 1
    if last >= lastTarget, program.operations[last].code == .text {
      var operation = operation
      operation.textStart = program.operations[last].textStart
      operation.textCount = program.operations[last].textCount
      program.operations[last] = operation
      program.positions[last] = position
      return last
    }
    program.operations.append(operation)
    program.positions.append(position)
    return last + 1
  }

  @discardableResult
  private mutating func emitNamed(_ code: Operation.Code, _ token: Token) -> Int {
    var operation = Operation(code: code)
    setName(&operation, token.name, token)
    return emit(operation, at: token.range.lowerBound)
  }

  private mutating func emitText(_ range: Range<Int>) {
    let start = program.literals.count
    appendLiteral(range)
    let count = UInt32(program.literals.count - start)
    if count == 0 { return }
    // Text after a comment goes on where the text before it ended.
    let last = program.operations.count - 1
    if last >= lastTarget, program.operations[last].code == .text,
      Int(program.operations[last].textStart + program.operations[last].textCount) == start
    {
      program.operations[last].textCount += count
    } else {
      // Text that doesn't go on where the one before ended keeps that from being taken over.
      lastTarget = program.operations.count
      emit(
        Operation(code: .text, textStart: UInt32(start), textCount: count),
        at: range.lowerBound
      )
    }
  }

  private mutating func appendLiteral(_ range: Range<Int>) {
    let source = unit.bytes
    let removed = removals.last ?? 0..<0
    if removed.isEmpty {
      program.literals += source[range]
      return
    }
    var index = range.lowerBound
    while index < range.upperBound {
      if index == 0 || source[index - 1] == TemplateByte.newline {
        var match = removed.lowerBound
        while index < range.upperBound, match < removed.upperBound, source[index] == source[match] {
          index += 1
          match += 1
        }
      }
      let line = source[index..<range.upperBound]
      let end = line.firstIndex(of: TemplateByte.newline).map { $0 + 1 } ?? range.upperBound
      program.literals += source[index..<end]
      index = end
    }
  }

  private mutating func indentation(_ blanks: Range<Int>) -> Range<UInt32> {
    let start = UInt32(program.literals.count)
    let removed = removals.last ?? 0..<0
    let common = zip(unit.bytes[blanks], unit.bytes[removed]).prefix { $0 == $1 }.count
    program.literals += unit.bytes[blanks.dropFirst(common)]
    return start..<UInt32(program.literals.count)
  }
}

extension Operation {
  /// Whether the step may write or test the value of the section around it.
  fileprivate var asksForValue: Bool {
    switch code {
    case .escaped, .raw, .section, .inverted: name == Slot.implicit
    case .call, .block: true
    case .text, .sectionEnd, .leave: false
    }
  }
}
