import Bytes
import Testing

@testable import Mustache

@Suite
struct HostileTests {
  /// `levels` objects inside each other, each the `child` of the one before; the last has a false
  /// one, else its template would find an outer one and never end.
  private func nested(_ levels: Int, _ keys: inout KeyTable) -> TemplateData {
    let child = keys.intern("child")
    var data = TemplateData()
    data.beginObject()
    for _ in 0..<levels { data.beginObject(child) }
    data.set(child, false)
    for _ in 0...levels { data.endObject() }
    return data
  }

  private func renderNested(_ levels: Int, _ templates: [TemplateSource]) throws -> String {
    var keys = KeyTable()
    var errors: [TemplateError] = []
    let set = TemplateSet(templates, keys: &keys, errors: &errors)
    #expect(errors.isEmpty)
    let data = nested(levels, &keys)
    let template = try #require(set.template(named: "node"))
    var output = ByteBuffer()
    var renderer = Renderer(set)
    try renderer.render(template, page: data, shared: TemplateData(), into: &output)
    return output.string
  }

  @Test
  func partialsNestToTheLimit() throws {
    let node = TemplateSource("node", "<{{#child}}{{>node}}{{/child}}>")
    let text = try renderNested(9_999, [node])
    #expect(text == String(repeating: "<", count: 10_000) + String(repeating: ">", count: 10_000))
  }

  @Test
  func deeperPartialsAreAnError() throws {
    let node = TemplateSource("node", "x\n {{#child}}{{>node}}{{/child}}")
    let error = #expect(throws: TemplateError.self) { try renderNested(20_000, [node]) }
    #expect(
      error?.description == "Templates/node.mustache:2:12: Templates are nested over 10000 deep"
    )
    #expect(error?.suggestion == "end the recursion with a section that becomes empty")
  }

  @Test(arguments: [
    "{{>node}}", "{{<node}}{{/node}}", "{{<node}}{{$a}}{{/a}}{{/node}}", "  {{>node}}\n",
    "{{>*node}}{{>node}}", "{{<node}}{{$a}}{{>node}}{{/a}}{{/node}}{{$a}}{{/a}}",
  ])
  func endlessTemplates(_ template: String) {
    #expect(throws: TemplateError.self) {
      try renderNested(1, [TemplateSource("node", template)])
    }
  }

  @Test
  func anOverrideOfItself() {
    let error = #expect(throws: TemplateError.self) {
      try render(
        "{{>feed}}",
        .object([]),
        partials: ["feed": "{{<feed}}{{/feed}}"],
        builtIn: ["feed": ""]
      )
    }
    #expect(
      error?.suggestion == "a template that replaces a built-in one inherits from 'builtin/feed'"
    )
  }

  @Test
  func twentyThousandSectionsInEachOther() throws {
    let depth = 20_000
    let template =
      String(repeating: "{{#child}}", count: depth) + "x{{^child}}end{{/child}}"
      + String(repeating: "{{/child}}", count: depth)
    let text = try renderNested(depth, [TemplateSource("node", template)])
    #expect(text == "xend")
  }

  @Test
  func aDeepTapeAsJSON() {
    var keys = KeyTable()
    let data = nested(20_000, &keys)
    var output = ByteBuffer()
    data.writeJSON(keys: keys, into: &output)
    #expect(output.string.utf8.filter { $0 == UInt8(ascii: "}") }.count == 20_001)
  }

  @Test
  func dataIsNeverATemplate() throws {
    let lines = try Fixtures.read("markup-hostile/payloads.jsonl").split(separator: 0x0A)
    var payloads = try lines.compactMap { try JSONTree(Array($0))["payload"]?.text }
    #expect(payloads.count > 400)
    payloads += ["{{x}}", "{{{x}}}", "{{>secret}}", "{{#x}}", "{{/x}}", "{{=| |=}}", "|x|"]
    for payload in payloads {
      let found = try render(
        "{{=<% %>=}}<%x%>|<%&x%>|<%>p%><%<p%><%$b%><%x%><%/b%><%/p%>",
        .object([("x", .string(payload))]),
        partials: ["p": "[{{$b}}{{/b}}{{{x}}}]", "secret": "SECRET"]
      )
      var escaped = ByteBuffer()
      escaped.appendEscaped(text: payload)
      #expect(
        found.text
          == "\(escaped.string)|\(payload)|[\(payload)][\(escaped.string)\(payload)]"
      )
    }
  }

  /// No bytes make the compiler or the renderer stop or say something else the second time.
  @Test
  func randomTemplates() throws {
    var random = SplitMix64(state: 7)
    let pieces = [
      "{{", "}}", "{", "}", "#", "/", "^", "<", ">", "$", "=", "!", "&", "*", "a", "b", ".", " ",
      "\n", "\r\n", "\t", "x", "{{#a}}", "{{/a}}", "{{<b}}", "{{/b}}", "{{$a}}", "{{>b}}",
      "{{=| |=}}", "|={{ }}=|", "\u{E9}", "\u{0}",
    ]
    let data = JSONTree.object([
      ("a", .array([.object([("b", .string("b"))]), .string("")])), ("b", .flag(true)),
    ])
    for _ in 0..<3_000 {
      let count = random.next(below: 24)
      let template = (0..<count).map { _ in pieces[random.next(below: pieces.count)] }.joined()
      let partials = ["b": String(template.unicodeScalars.prefix(count / 2))]
      let first = Result { try render(template, data, partials: partials).text }
      let second = Result { try render(template, data, partials: partials).text }
      switch (first, second) {
      case (.success(let first), .success(let second)): #expect(first == second)
      case (.failure, .failure): break
      default: Issue.record("'\(template)' gave a text and an error")
      }
    }
  }
}

/// A small generator with a fixed seed (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, 2014).
struct SplitMix64 {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
