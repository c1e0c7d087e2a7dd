import Bytes
import Testing

@testable import Mustache

@Suite
struct PropertyTests {
  /// Random templates over random data give what the naive renderer gives.
  @Test(arguments: 0..<8)
  func agreesWithTheReference(_ seed: Int) throws {
    var maker = Maker(seed: UInt64(seed))
    var shown = 0
    for round in 0..<60 {
      let templates = maker.templates()
      let page = maker.object(depth: 3)
      let shared = maker.object(depth: 2)
      let main = templates["main"] ?? []
      let expected = ReferenceRenderer(templates: templates).render(main, [shared, page])
      let found = try render(
        TemplateTree.source(main),
        page,
        partials: templates.filter { $0.key != "main" }.mapValues(TemplateTree.source),
        shared: shared
      )
      #expect(found.errors.isEmpty)
      #expect(found.text == expected, "seed \(seed), round \(round): \(templates)")
      if expected.utf8.count > 20 { shown += 1 }
    }
    // The templates aren't all empty.
    #expect(shown > 10)
  }

  /// An indented partial is the partial with each line indented, as the specification says.
  @Test(arguments: 0..<4)
  func indentationIsTextual(_ seed: Int) throws {
    var maker = Maker(seed: UInt64(seed) + 100)
    var differing = 0
    for round in 0..<60 {
      var partials: [String: String] = ["inline": "1\n{{a}}\n2"]
      for name in ["q3", "q2", "q1", "q0"] {
        partials[name] = maker.lines(using: partials.keys.filter { $0 != "inline" }.sorted())
      }
      let main = "top\n" + maker.lines(using: ["q0", "q1"]) + " {{>q0}}\n{{>q1}}\nend"
      let data = maker.object(depth: 2)
      let expanded = expand(main, partials)
      let expected = try render(expanded, data, partials: partials).text
      let found = try render(main, data, partials: partials).text
      #expect(found == expected, "seed \(seed), round \(round):\n\(main)\n\(partials)")
      if expanded != main { differing += 1 }
    }
    #expect(differing > 45)
  }

  /// Replaces each partial that has a line to itself by its indented lines.
  private func expand(_ text: String, _ partials: [String: String]) -> String {
    var result = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let tag = line.drop { $0 == " " }
      let blanks = line.prefix(line.count - tag.count)
      if tag.hasPrefix("{{>"), tag.hasSuffix("}}"),
        let partial = partials[String(tag.dropFirst(3).dropLast(2))]
      {
        let lines = partial.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        result += expand(lines.map { blanks + $0 + "\n" }.joined(), partials)
      } else {
        result += line + "\n"
      }
    }
    result.removeLast()
    return result
  }
}

/// Makes templates and data from a seed.
private struct Maker {
  private var random: SplitMix64
  private let names = ["a", "b", "c", "d", "e"]

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random.next(below: elements.count)]
  }

  // MARK: Data

  mutating func object(depth: Int) -> JSONTree {
    var members: [(key: String, value: JSONTree)] = []
    for name in names where random.next(below: 4) > 0 {
      members.append((name, value(depth: depth - 1)))
    }
    // Of two members with one name the first counts; objects of many members have a table.
    if random.next(below: 6) == 0 { members.append((pick(names), value(depth: depth - 1))) }
    if random.next(below: 8) == 0 {
      let place = random.next(below: members.count + 1)
      for number in 0..<24 { members.insert(("other\(number)", .string("other")), at: place) }
    }
    return .object(members)
  }

  private mutating func value(depth: Int) -> JSONTree {
    switch random.next(below: depth > 0 ? 10 : 5) {
    case 0: .string(pick(["", "p3", "p2", "<a href=\"x\">", "{{a}}", "'&\u{301}", "one\ntwo"]))
    case 1: .number(pick(["0", "7", "-12", "1.5"]))
    case 2: .flag(random.next(below: 2) == 0)
    case 3: .string(pick(["p3", "text", "{{{b}}}"]))
    case 4: .flag(true)
    case 5, 6: .array((0..<random.next(below: 4)).map { _ in value(depth: depth - 1) })
    default: object(depth: depth)
    }
  }

  // MARK: Templates

  /// `main` and `p0` to `p3`, each using only later ones.
  mutating func templates() -> [String: [TemplateTree]] {
    var templates: [String: [TemplateTree]] = [:]
    let order = ["main", "p0", "p1", "p2", "p3"]
    for (index, name) in order.enumerated() {
      let later = Array(order[(index + 1)...])
      templates[name] = [.text("[")] + body(depth: 3, later) + [.text("]")]
    }
    return templates
  }

  private mutating func body(depth: Int, _ later: [String]) -> [TemplateTree] {
    (0..<1 + random.next(below: 4)).map { _ in tree(depth: depth, later) }
  }

  private mutating func tree(depth: Int, _ later: [String]) -> TemplateTree {
    switch random.next(below: depth > 0 ? 12 : 4) {
    case 0: .text(pick(["x", " ", "<p>", "é", "} { ", "a\"'"]))
    case 1, 2: .variable(name())
    case 3: .raw(name())
    case 4, 5: .section(name(), body(depth: depth - 1, later))
    case 6: .inverted(name(), body(depth: depth - 1, later))
    case 7: .block(pick(["u", "v", "w"]), body(depth: depth - 1, later))
    case 8, 9: later.isEmpty ? .text("-") : .partial(pick(later))
    // Data names p2 and p3 only, so that nothing recurs.
    case 10: later.contains("p2") ? .dynamic(name()) : .text("+")
    default: later.isEmpty ? .text("*") : .parent(pick(later), blocks(depth: depth - 1, later))
    }
  }

  private mutating func blocks(
    depth: Int,
    _ later: [String]
  ) -> [(block: String, body: [TemplateTree])] {
    (0..<random.next(below: 3)).map { _ in (pick(["u", "v", "w"]), body(depth: depth, later)) }
  }

  private mutating func name() -> String {
    switch random.next(below: 8) {
    case 0: "."
    case 1: "\(pick(names)).\(pick(names))"
    case 2: "\(pick(names)).\(pick(names)).\(pick(names))"
    default: pick(names)
    }
  }

  // MARK: Lines

  /// Lines that use the given partials, each with a line of its own.
  mutating func lines(using partials: [String], depth: Int = 2) -> String {
    var text = ""
    for _ in 0..<1 + random.next(below: 4) {
      let blanks = String(repeating: " ", count: random.next(below: 4))
      switch random.next(below: 10) {
      case 0: text += "\(blanks){{\(pick(names))}}\n"
      case 1: text += "\(blanks)<{{{\(pick(names))}}}>\n"
      case 2: text += "\n"
      case 3: text += "\(blanks){{! nothing }}\n"
      case 4: text += "\(blanks)x {{>inline}} y\n"
      case 5: text += "\(blanks){{#a}}yes{{/a}}{{^a}}no{{/a}}\n"
      case 6 where depth > 0:
        let name = pick(names)
        let inner = lines(using: partials, depth: depth - 1)
        text += "\(blanks){{#\(name)}}\n\(inner)\(blanks){{/\(name)}}\n"
      case 7, 8: text += partials.isEmpty ? "plain\n" : "\(blanks){{>\(pick(partials))}}\n"
      default: text += "\(blanks)text\n"
      }
    }
    return text
  }
}
