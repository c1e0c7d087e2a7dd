import Bytes

/// Runs templates over data; one per worker, its stacks reused from page to page.
///
/// Neither data nor templates make it recurse: contexts, calls and blocks lie on explicit stacks.
/// What the data holds is written out and never read as a template.
public struct Renderer: ~Copyable, Sendable {
  /// How many partials, parents and blocks may stand inside each other.
  public static let deepestNesting = 10_000

  let set: TemplateSet
  var contexts = PlainArray<Context>()
  var calls = PlainArray<Call>()
  var scopes = PlainArray<Scope>()
  /// The white space in front of each line, those of outer calls first.
  var indentation = PlainArray<UInt8>()
  /// How much of `indentation` counts for the template at hand: its end.
  var indentationStart = 0
  var isLineStart = false
  /// The scope of the template at hand, -1 without one.
  var scope = -1
  var bindings: Bindings
  var unpacked: UnpackedObject

  /// A value that names are looked up in.
  struct Context {
    var reference: Reference
    /// Where the array ends that the value is an element of; 0 outside an array.
    var end: Int
    /// The section that pushed it; -1 for the data itself.
    let section: Int
    /// The bindings before it.
    let mark: Int
  }

  /// What to go back to.
  struct Call {
    let resume: Int
    let scope: Int
    let scopeCount: Int
    let indentationStart: Int
    let indentationEnd: Int
    let isLineStart: Bool
  }

  /// The blocks handed to a parent, and the scope of the template that did so.
  struct Scope {
    private let start: UInt32
    private let end: UInt32
    let outer: Int

    init(arguments: Range<UInt32>, outer: Int) {
      start = arguments.lowerBound
      end = arguments.upperBound
      self.outer = outer
    }

    var arguments: Range<UInt32> { start..<end }
  }

  /// Makes a renderer for the templates of one set.
  public init(_ set: TemplateSet) {
    self.set = set
    bindings = Bindings(slots: set.program.slots)
    unpacked = UnpackedObject(slots: set.program.slots)
  }

  /// The template of a name; nil if there is none.
  public func template(named name: String) -> TemplateID? { set.template(named: name) }

  /// Appends what `template` makes of `page`; names that it lacks are looked up in `shared`.
  ///
  /// - Throws: If partials are nested too deep; `output` then holds what came before.
  public mutating func render(
    _ template: TemplateID,
    page: borrowing TemplateData,
    shared: borrowing TemplateData,
    into output: inout ByteBuffer
  ) throws(TemplateError) {
    assert(page.open < 0 && shared.open < 0, "an object or array of the data was not ended")
    let tapes = Tapes(page: Tape(page), shared: Tape(shared))
    reset()
    if !shared.isEmpty { push(Reference(isShared: true, index: 0), tapes) }
    if !page.isEmpty { push(Reference(isShared: false, index: 0), tapes) }
    try run(from: Int(set.program.entries[Int(template.rawValue)]), tapes, into: &output)
  }

  private mutating func reset() {
    contexts.removeAll()
    calls.removeAll()
    scopes.removeAll()
    indentation.removeAll()
    indentationStart = 0
    isLineStart = false
    scope = -1
    bindings.restore(to: 0)
    bindings.setImplicit(.none)
    unpacked.forget()
  }

  /// Pushes the whole of some data, not its elements where it is an array.
  private mutating func push(_ root: Reference, _ tapes: borrowing Tapes) {
    push(root, end: 0, section: -1, tapes)
  }

  /// Writes the text of a step.
  @inline(__always)
  private mutating func write(
    _ operation: Operation,
    _ literals: Span<UInt8>,
    to output: inout ByteBuffer
  ) {
    if operation.textCount == 0 { return }
    let start = Int(operation.textStart)
    let text = Range(uncheckedBounds: (start, start &+ Int(operation.textCount)))
    if isIndented {
      appendIndented(literals.extracting(text), to: &output)
    } else {
      output.append(text, of: literals)
    }
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
    let sites = program.sites.span
    var step = entry
    while true {
      // The compiler alone makes steps and the numbers of sites, each within the program.
      write(operations[unchecked: step], literals, to: &output)
      // Read again, since nothing of it need be kept while its text is written.
      let operation = operations[unchecked: step]
      switch operation.code {
      case .text: step &+= 1
      case .escaped:
        startLine(of: &output)
        let value = find(operation, paths, tapes)
        if !value.isNone { appendEscaped(value, tapes, to: &output) }
        step &+= 1
      case .raw:
        startLine(of: &output)
        let value = find(operation, paths, tapes)
        if !value.isNone { appendRaw(value, tapes, to: &output) }
        step &+= 1
      case .section:
        let value = find(operation, paths, tapes)
        let isEntered = enter(value, operation, at: step, tapes)
        step = isEntered ? step &+ 1 : Int(operation.b)
      case .inverted:
        let value = find(operation, paths, tapes)
        let isTruthy = !value.isNone && tapes.node(value).isTruthy
        step = isTruthy ? Int(operation.b) : step &+ 1
      case .sectionEnd:
        step = isAgain(operation, tapes) ? Int(operation.a) : step &+ 1
      case .call:
        let site = sites[unchecked: Int(operation.a)]
        let entry = target(of: site, operation, program, paths, tapes)
        if entry < 0 {
          if !site.startsLine { startLine(of: &output) }
          step = Int(site.resume)
        } else {
          try call(site, from: step, resume: Int(site.resume), output: &output)
          step = entry
        }
      case .block:
        let site = sites[unchecked: Int(operation.a)]
        if scope >= 0, let (entry, outer) = override(of: site.target, program) {
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
