import Bytes
import Testing

@testable import Mustache

@Suite
struct TemplateErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let template: String
    let expected: [String]
    var suggestion: String?

    init(_ template: String, _ expected: String..., suggestion: String? = nil) {
      self.template = template
      self.expected = expected
      self.suggestion = suggestion
    }

    var testDescription: String { template }
  }

  private static let tags = [
    Case("a\n {{#b}}", "2:2: Section 'b' is never closed", suggestion: "add '{{/b}}'"),
    Case("{{^b}}", "1:1: Section 'b' is never closed"),
    Case("{{$b}}", "1:1: Block 'b' is never closed"),
    Case("{{<post}}{{$x}}{{/post}}", "1:10: Block 'x' is never closed"),
    Case("{{<post}}", "1:1: Parent 'post' is never closed"),
    Case("{{#a}}\n{{#b}}{{/a}}", "2:1: Section 'b' is never closed"),
    Case(
      "{{#a}}\n{{#b}}",
      "2:1: Section 'b' is never closed",
      "1:1: Section 'a' is never closed"
    ),
    Case("x{{/a}}", "1:2: Closing tag 'a' has no opening tag"),
    Case(
      "{{#a}}\n{{/b}}{{/a}}",
      "2:1: Closing tag 'b' doesn't match 'a', opened on line 1",
      suggestion: "write '{{/a}}'"
    ),
    Case("a\r\nb{{c", "2:2: Tag is never closed", suggestion: "add '}}'"),
    Case("{{=<% %>=}}<% a", "1:12: Tag is never closed", suggestion: "add '%>'"),
    Case("{{{a}}", "1:1: Tag is never closed", suggestion: "add '}}}'"),
    Case("{{", "1:1: Tag is never closed"),
    Case("{{}}", "1:1: Tag has no name"),
    Case("{{# }}{{/ }}", "1:1: Tag has no name", "1:7: Tag has no name"),
    Case("é{{=<%=}}", "1:3: Delimiters can't be read"),
    Case("{{=a b c=}}", "1:1: Delimiters can't be read"),
    Case("{{= =}}", "1:1: Delimiters can't be read"),
    Case("{{=== ===}}", "1:1: Delimiters can't be read"),
    Case("{{a..b}}", "1:1: Name 'a..b' has an empty part"),
    Case("{{.a}}", "1:1: Name '.a' has an empty part"),
    Case(
      "{{#if a}}{{/if a}}",
      "1:1: Name 'if a' has a blank in it",
      "1:10: Name 'if a' has a blank in it",
      suggestion: "Mustache has no 'if': write '{{#name}}…{{/name}}' or '{{^name}}…{{/name}}'"
    ),
    Case("{{a b}}", "1:1: Name 'a b' has a blank in it"),
    Case(
      "\n{{> pst}}",
      "2:1: Template 'pst' doesn't exist; did you mean 'post'?",
      suggestion: "correct the name, or add 'pst.mustache' to the templates"
    ),
    Case("{{<pots}}{{/pots}}", "1:1: Template 'pots' doesn't exist; did you mean 'post'?"),
    Case("{{>utterly/else}}", "1:1: Template 'utterly/else' doesn't exist"),
    Case("{{>**x}}{{>*x}}{{> * x}}{{=| |=}}|x||! y z|{{a b}}{{}}"),
  ]

  @Test(arguments: tags)
  func tag(_ test: Case) throws {
    try check(test, documented: nil)
  }

  private static let names = [
    Case("{{titel}}", "1:1: Variable 'titel' is unknown; did you mean 'title'?"),
    Case(
      "{{{titel}}}{{&tilte}}",
      "1:1: Variable 'titel' is unknown; did you mean 'title'?",
      "1:12: Variable 'tilte' is unknown; did you mean 'title'?"
    ),
    Case("\n{{#auhtor}}{{/auhtor}}", "2:1: Variable 'auhtor' is unknown; did you mean 'author'?"),
    Case("{{^what}}{{/what}}", "1:1: Variable 'what' is unknown"),
    Case("{{author.nmae}}", "1:1: Variable 'nmae' is unknown; did you mean 'name'?"),
    Case("{{>*what}}", "1:1: Variable 'what' is unknown"),
    Case("{{extra.what.ever}}{{#extra}}{{what}}{{#x}}{{y}}{{/x}}{{/extra}}"),
    Case("{{#extra}}{{/extra}}{{what}}", "1:21: Variable 'what' is unknown"),
    Case("{{#author}}{{name}}{{.}}{{author.name}}{{/author}}{{title}}{{$what}}{{/what}}"),
  ]

  @Test(arguments: names)
  func strictName(_ test: Case) throws {
    try check(test, documented: ["title", "author", "name", "extra.*"])
    try check(Case(test.template), documented: nil)
  }

  private func check(_ test: Case, documented: [String]?) throws {
    let found = try render(
      test.template,
      .object([]),
      partials: ["post": ""],
      documented: documented
    )
    #expect(
      found.errors.map(\.description)
        == test.expected.map { "Templates/main.mustache:\($0)" }
    )
    #expect(found.errors.allSatisfy { $0.template == "main" })
    if let suggestion = test.suggestion {
      #expect(found.errors.first?.suggestion == suggestion)
    }
  }

  @Test
  func namesOfTemplates() {
    var keys = KeyTable()
    var errors: [TemplateError] = []
    let set = TemplateSet(
      [
        TemplateSource("a", "first"), TemplateSource("a", "second"),
        TemplateSource("builtin/x", ""), TemplateSource("b/c", ""),
      ],
      builtIn: [TemplateSource("a", "built in"), TemplateSource("d", "")],
      keys: &keys,
      errors: &errors
    )
    #expect(set.names == ["a", "b/c", "builtin/a", "builtin/d", "d"])
    #expect(
      errors.map(\.headline) == [
        "Two templates are named 'a'",
        "Names beginning with 'builtin/' are kept for the built-in theme",
      ]
    )
    #expect(set.template(named: "x") == nil)
    #expect(set.template(named: "d") == set.template(named: "builtin/d"))
    #expect(set.template(named: "a") != set.template(named: "builtin/a"))
  }

  @Test
  func encodings() throws {
    var keys = KeyTable()
    var errors: [TemplateError] = []
    let set = TemplateSet(
      [
        TemplateSource("marked", "\u{FEFF}{{! standalone }}\ntext"),
        TemplateSource(name: "latin", path: "latin.mustache", bytes: [0x61, 0xE9, 0x62]),
      ],
      keys: &keys,
      errors: &errors
    )
    #expect(errors.map(\.description) == ["latin.mustache:1:1: Template 'latin' isn't UTF-8 text"])
    let marked = try #require(set.template(named: "marked"))
    var renderer = Renderer(set)
    var output = ByteBuffer()
    try renderer.render(marked, page: TemplateData(), shared: TemplateData(), into: &output)
    let text = output.string
    #expect(text == "text")
  }

  @Test
  func tooManyNames() throws {
    let template = (0...KeyTable.capacity).map { "{{n\($0)}}\n" }.joined()
    let found = try render(template, .object([]))
    #expect(
      found.errors.map(\.description) == [
        "Templates/main.mustache:65535:1: Templates use more than 65534 different names"
      ]
    )
  }

  @Test
  func errorsHaveALimit() throws {
    let found = try render(String(repeating: "{{>pst}}", count: 5_000), .object([]))
    #expect(found.errors.count == TemplateSet.mostErrors)
  }
}
