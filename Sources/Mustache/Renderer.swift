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
  var scopes: [Scope] = []
  /// The white space in front of each line, those of outer calls first.
  var indentation: [UInt8] = []
  /// How much of `indentation` counts for the template at hand: its end.
  var indentationStart = 0
  var isLineStart = false
  /// The scope of the template at hand, -1 without one.
  var scope = -1
  /// The contexts of the data itself; sections push theirs above.
  var roots = 0
  /// The value found last, which names of one template often begin with.
  var latest = Latest()

  /// A name, its value and the context that holds it; none once a context with that name is entered,
  /// or the one that holds it is left.
  struct Latest {
    var key = KeyID.none
    var value = Reference(isShared: false, index: 0)
    var context = -1
    /// The names that the value holds, as a context has them.
    var names: UInt64 = 0
  }

  /// A value that names are looked up in.
  struct Context {
    var reference: Reference
    /// Where the array ends that the value is an element of; 0 outside an array.
    var end: Int
    /// The names of an object's members, a bit each; none for other values.
    var names: UInt64
    /// The names of the contexts below that sections pushed: in nested lists, whose every level
    /// pushes some, a name that none of them has is looked up in the data at once.
    var namesBelow: UInt64 = 0
    /// Whether names pass through: the section of a flag.
    var isTransparent = false
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
    let arguments: Range<UInt32>
    let outer: Int
  }

  /// Makes a renderer for the templates of one set.
  public init(_ set: TemplateSet) { self.set = set }

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
    roots = contexts.count
    try run(from: Int(set.program.entries[Int(template.rawValue)]), tapes, into: &output)
  }

  private mutating func reset() {
    contexts.removeAll()
    calls.removeAll()
    scopes.removeAll(keepingCapacity: true)
    indentation.removeAll(keepingCapacity: true)
    indentationStart = 0
    isLineStart = false
    scope = -1
    latest.key = KeyID.none
  }

  private mutating func push(_ root: Reference, _ tapes: borrowing Tapes) {
    contexts.append(Context(reference: root, end: 0, names: tapes.names(of: root)))
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
      // The compiler alone makes steps, each within the program.
      let operation = operations[unchecked: step]
      switch operation.code {
      case .literal:
        let text = Int(operation.a)..<Int(operation.a &+ operation.b)
        if isIndented {
          appendIndented(literals.extracting(text), to: &output)
        } else {
          output.append(text, of: literals)
        }
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
