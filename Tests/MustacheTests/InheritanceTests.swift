import Bytes
import Testing

@testable import Mustache

@Suite
struct InheritanceTests {
  private let builtIn = [
    "layout": "<title>{{$title}}Site{{/title}}</title>\n{{$content}}{{/content}}\n{{>footer}}",
    "footer": "<footer>{{$credit}}Stillfeed{{/credit}}</footer>\n",
    "feed":
      "{{<layout}}{{$title}}Feed{{/title}}{{$content}}\n  {{$header}}<h1>Feed</h1>{{/header}}\n"
      + "  {{#posts}}\n  {{>post}}\n  {{/posts}}\n{{/content}}{{/layout}}",
    "post": "<p>{{text}}</p>\n",
  ]

  private let data = JSONTree.object([
    ("posts", .array([.object([("text", .string("a"))]), .object([("text", .string("b"))])]))
  ])

  private func feed(_ overrides: [String: String]) throws -> String {
    let found = try render("{{>feed}}", data, partials: overrides, builtIn: builtIn)
    #expect(found.errors.isEmpty)
    return found.text
  }

  @Test
  func builtInAlone() throws {
    #expect(
      try feed([:]) == """
        <title>Feed</title>
        <h1>Feed</h1>
        <p>a</p>
        <p>b</p>

        <footer>Stillfeed</footer>

        """
    )
  }

  @Test
  func anArchiveChangesOneBlock() throws {
    let text = try feed([
      "feed": "{{<builtin/feed}}{{$header}}<h1>Mine</h1>{{/header}}{{/builtin/feed}}\n"
    ])
    #expect(
      text == """
        <title>Feed</title>
        <h1>Mine</h1>
        <p>a</p>
        <p>b</p>

        <footer>Stillfeed</footer>

        """
    )
  }

  @Test
  func aBlockReachesThroughParentsAndPartials() throws {
    let text = try feed([
      "feed":
        "{{<builtin/feed}}{{$title}}T{{/title}}{{$credit}}me{{/credit}}{{/builtin/feed}}"
    ])
    #expect(text.hasPrefix("<title>T</title>\n<h1>Feed</h1>"))
    #expect(text.hasSuffix("<footer>me</footer>\n"))
  }

  @Test
  func aPartialIsReplacedEverywhere() throws {
    let text = try feed(["post": "<li>{{text}}</li>", "footer": "bye"])
    #expect(
      text == "<title>Feed</title>\n<h1>Feed</h1>\n<li>a</li><li>b</li>\nbye"
    )
  }

  @Test
  func aBlockOfTheSameNameInsideAnOverrideIsItsOwn() throws {
    let found = try render(
      "{{<a}}{{$x}}[{{<b}}{{$x}}inner{{/x}}{{/b}}]{{/x}}{{/a}}",
      .object([]),
      partials: ["a": "A{{$x}}{{/x}}", "b": "B{{$x}}{{/x}}"]
    )
    #expect(found.text == "A[Binner]")
  }

  @Test
  func dynamicParents() throws {
    let found = try render(
      "{{<*kind}}{{$x}}1{{/x}}{{/*kind}}{{< * other }}{{$x}}2{{/x}}{{/ * other }}",
      .object([("kind", .string("a")), ("other", .string("none"))]),
      partials: ["a": "A{{$x}}{{/x}}"]
    )
    #expect(found.text == "A1")
    #expect(found.errors.isEmpty)
  }

  /// Fingerprints: which of the templates change when one does.
  @Test(arguments: [
    ("footer", ["builtin/feed", "builtin/footer", "builtin/layout", "feed", "footer", "layout"]),
    ("post", ["builtin/feed", "builtin/post", "feed", "post"]),
    ("feed", ["builtin/feed", "feed"]),
    ("other", ["builtin/other", "dynamic", "other"]),
  ])
  func fingerprintsCoverWhatIsReached(_ changed: String, _ expected: [String]) {
    func prints(_ builtIn: [String: String]) -> [String: UInt64] {
      var keys = KeyTable()
      var errors: [TemplateError] = []
      let set = TemplateSet(
        [TemplateSource("dynamic", "{{>*x}}")],
        builtIn: builtIn.map { TemplateSource($0.key, $0.value) },
        keys: &keys,
        errors: &errors
      )
      var result: [String: UInt64] = [:]
      for name in set.names {
        result[name] = set.template(named: name).map { set.fingerprint(of: $0) }
      }
      return result
    }
    var before = builtIn
    before["other"] = ""
    var after = before
    after[changed, default: ""] += "!"
    let (old, new) = (prints(before), prints(after))
    let names = old.keys.filter { old[$0] != new[$0] && $0 != "dynamic" || $0 == "dynamic" }
    #expect(old["dynamic"] != new["dynamic"])
    #expect(Set(names).subtracting(["dynamic"]) == Set(expected).subtracting(["dynamic"]))
    #expect(prints(before) == old)
  }
}
