/// Puts small templates in the place of the tags that bring them in.
///
/// Going to a partial and back takes as many instructions as some partials have work to do. What is
/// shown stays the same: a template is put in place only if it holds nothing but text, names and
/// sections (or other such templates), and only where no tag of the set indents what it brings in.
struct Inliner {
  /// Steps of a template that is put in place.
  private static let mostSteps = 64
  /// How deep such templates may stand in each other.
  private static let deepest = 4
  /// Steps that a program may grow by, and bytes of a text that is made of two: templates that bring
  /// in each other many times would become large.
  private static let room = 16_384
  private static let longestText = 256

  private let old: Program
  private var program: Program
  /// For each template how many steps take its place, nil if it is always gone to.
  private var lengths: [Int?]
  /// Whether others go to a step, but for calls, which come back to the step after them.
  private var isTarget: [Bool]
  /// For each step of the template that was copied last, where it has gone.
  private var moved: [UInt32]
  /// Text that is due before the next step.
  private var pending: (start: UInt32, count: UInt32) = (0, 0)
  private var left = Self.room

  /// The program with small templates put in place; positions of errors stay right.
  static func inlined(_ program: Program) -> Program {
    if program.sites.contains(where: { !$0.indentation.isEmpty }) { return program }
    var inliner = Inliner(program)
    for template in program.entries.indices {
      inliner.program.entries[template] = inliner.next
      inliner.copy(inliner.steps(of: template), isInPlace: false)
    }
    return inliner.program
  }

  private init(_ program: Program) {
    old = program
    self.program = program
    self.program.operations.removeAll()
    self.program.positions.removeAll()
    lengths = program.entries.map { _ in nil }
    isTarget = program.operations.map { _ in false }
    moved = program.operations.map { _ in 0 }
    for operation in program.operations {
      switch operation.code {
      case .section, .inverted, .block: isTarget[Int(operation.b)] = true
      case .sectionEnd: isTarget[Int(operation.a)] = true
      case .text, .escaped, .raw, .call, .leave: break
      }
    }
    // Each round finds those that hold what the rounds before have found.
    for _ in 0..<Self.deepest {
      lengths = lengths.indices.map { lengths[$0] ?? length(of: $0) }
    }
  }

  private func steps(of template: Int) -> Range<Int> {
    let isLast = template + 1 == old.entries.count
    let end = isLast ? old.operations.count : Int(old.entries[template + 1])
    return Int(old.entries[template])..<end
  }

  private func length(of template: Int) -> Int? {
    var length = 0
    for operation in old.operations[steps(of: template)] {
      switch operation.code {
      case .text, .escaped, .raw, .section, .inverted, .sectionEnd, .leave: length += 1
      case .call:
        guard let target = target(of: operation) else { return nil }
        length += lengths[target] ?? 0
      case .block: return nil
      }
      if length > Self.mostSteps { return nil }
    }
    return length
  }

  /// The template that may take the place of a call.
  private func target(of operation: Operation) -> Int? {
    let site = old.sites[Int(operation.a)]
    guard operation.code == .call, site.kind == .named, site.arguments.isEmpty,
      lengths[Int(site.target)] != nil
    else { return nil }
    return Int(site.target)
  }

  // MARK: Copying

  private var next: UInt32 { UInt32(program.operations.count) }

  /// Copies steps of a template; where they are put in place, going back becomes going on.
  private mutating func copy(_ steps: Range<Int>, isInPlace: Bool) {
    var copied: [Int] = []
    for step in steps {
      let operation = old.operations[step]
      if isTarget[step] { flush(at: step) }
      moved[step] = next
      // A template in place holds no call: others go to the same call, which comes back to one of them.
      if operation.code == .call, let target = target(of: operation),
        isInPlace || takeRoom(for: target)
      {
        add(operation, at: step)
        copy(self.steps(of: target), isInPlace: true)
      } else if operation.code == .leave, isInPlace {
        add(operation, at: step)
      } else {
        append(operation, at: step)
        copied.append(program.operations.count - 1)
      }
    }
    for index in copied { redirect(index) }
  }

  private mutating func takeRoom(for template: Int) -> Bool {
    guard let length = lengths[template], length <= left else { return false }
    left -= length
    return true
  }

  /// Makes a copied step go to where the steps have gone that it goes to.
  private mutating func redirect(_ index: Int) {
    let operation = program.operations[index]
    switch operation.code {
    case .section, .inverted: program.operations[index].b = moved[Int(operation.b)]
    case .sectionEnd: program.operations[index].a = moved[Int(operation.a)]
    case .block: program.operations[index].b = moved[Int(operation.b)]
    case .call:
      let site = old.sites[Int(operation.a)]
      program.sites[Int(operation.a)].resume = moved[Int(site.resume)]
      for argument in site.arguments.lazy.map({ Int($0) }) {
        let entry = moved[Int(old.arguments[argument].entry)]
        program.arguments[argument] = Argument(block: old.arguments[argument].block, entry: entry)
      }
    case .text, .escaped, .raw, .leave: break
    }
  }

  // MARK: Texts

  /// Appends a step, with the text that is due before it.
  private mutating func append(_ operation: Operation, at step: Int) {
    var operation = operation
    add(operation, at: step)
    (operation.textStart, operation.textCount) = pending
    pending = (0, 0)
    program.operations.append(operation)
    program.positions.append(old.positions[step])
  }

  /// Adds the text of a step to what is due; of that, what would become too long is written first.
  private mutating func add(_ operation: Operation, at step: Int) {
    if operation.textCount == 0 { return }
    if Int(pending.count) + Int(operation.textCount) > Self.longestText { flush(at: step) }
    if pending.count == 0 {
      pending = (operation.textStart, operation.textCount)
      return
    }
    let start = UInt32(program.literals.count)
    program.literals += program.literals[Int(pending.start)...].prefix(Int(pending.count))
    program.literals += program.literals[Int(operation.textStart)...]
      .prefix(Int(operation.textCount))
    pending = (start, pending.count + operation.textCount)
  }

  private mutating func flush(at step: Int) {
    if pending.count == 0 { return }
    var text = Operation(code: .text)
    (text.textStart, text.textCount) = pending
    pending = (0, 0)
    program.operations.append(text)
    program.positions.append(old.positions[step])
  }
}
