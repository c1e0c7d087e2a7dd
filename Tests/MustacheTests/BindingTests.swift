import Bytes
import Testing

@testable import Mustache

/// What a name means inside and outside of sections, and in the page after.
@Suite
struct BindingTests {
  private func object(_ members: KeyValuePairs<String, JSONTree>) -> JSONTree {
    .object(members.map { ($0.key, $0.value) })
  }

  @Test
  func leavingASectionRestoresWhatItsMembersHid() throws {
    let data = object([
      "x": .string("1"),
      "list": .array([object(["x": .string("2")]), object(["y": .string("3")]), .string("4")]),
      "y": .string("5"),
    ])
    let text = try render("{{x}}{{y}}{{#list}} {{x}}{{y}}{{/list}} {{x}}{{y}}", data).text
    #expect(text == "15 25 13 15 15")
  }

  /// A comment's replies are shown by the template that shows it: the same section inside itself,
  /// once as a list, once as a flag and once as text.
  @Test
  func aSectionInsideItself() throws {
    let inner = object(["n": .string("3"), "a": .string("text"), "next": .flag(false)])
    let flagged = object(["n": .string("2"), "a": .flag(true), "next": inner])
    let data = object([
      "n": .string("1"),
      "a": .array([object(["next": flagged]), object(["n": .string("4"), "next": .flag(false)])]),
    ])
    let text = try render(
      "{{>node}}",
      data,
      partials: ["node": "({{n}}{{#a}}<{{#next}}{{>node}}{{/next}}{{n}}>{{/a}})"]
    ).text
    #expect(text == "(1<(2<(3<3>)2>)1><4>)")
  }

  @Test(arguments: [
    ("{{#t}}{{.}}{{/t}}", "text"),
    ("{{#t}}{{#yes}}{{.}}{{/yes}}{{/t}}", "text"),
    ("{{#t}}{{#n}}{{.}}{{/n}}{{.}}{{/t}}", "7text"),
    ("{{#t}}{{>value}}{{/t}}", "text"),
    ("{{#t}}{{#yes}}{{>value}}{{/yes}}{{/t}}", "text"),
    ("{{#t}}{{$block}}{{.}}{{/block}}{{/t}}", "text"),
    ("{{#t}}{{#.}}x{{/.}}{{^.}}y{{/.}}{{/t}}", "x"),
    ("{{#t}}{{>*name}}{{/t}}", "text"),
    ("{{#list}}{{#t}}{{b}}{{/t}}{{.}}{{/list}}", "b1b2"),
    ("{{#list}}{{#t}}{{>value}}{{/t}}{{.}}{{/list}}", "text1text2"),
    ("{{#t}}{{<parent}}{{$block}}{{.}}{{/block}}{{/parent}}{{/t}}", "text"),
    ("{{#t}}a{{/t}}{{#n}}b{{/n}}{{#yes}}c{{/yes}}{{#empty}}d{{/empty}}e", "abce"),
  ])
  func textsAsSections(_ template: String, _ expected: String) throws {
    let data = object([
      "t": .string("text"), "n": .number("7"), "yes": .flag(true), "b": .string("b"),
      "empty": .string(""), "name": .string("value"),
      "list": .array([.string("1"), .string("2")]),
    ])
    let found = try render(
      template,
      data,
      partials: ["value": "{{.}}", "parent": "{{$block}}{{/block}}"]
    )
    #expect(found.text == expected)
  }

  /// Text before a tag is written by the tag's step, but not where that step is also gone to.
  @Test(arguments: [
    ("{{#no}}a{{/no}}b{{x}}c", "bxc"), ("{{#yes}}a{{/yes}}b{{x}}c", "abxc"),
    ("{{^no}}a{{/no}}b{{x}}", "abx"), ("{{^yes}}a{{/yes}}b{{x}}", "bx"),
    ("{{^yes}}a{{/yes}}{{x}}", "x"), ("{{^no}}a{{/no}}{{x}}", "ax"),
    ("a{{!c}}b{{#list}}c{{!d}}d{{/list}}e{{!f}}", "abcdcde"),
    ("a{{$b}}b{{/b}}c{{x}}", "abcx"), ("a{{>p}}b{{x}}", "apbx"),
    ("a{{<q}}{{$b}}b{{/b}}{{$c}}c{{x}}{{/c}}{{/q}}d{{x}}", "a[b|cx]dx"),
    ("{{#list}}{{<q}}{{$b}}b{{/b}}{{/q}}{{/list}}", "[b|C][b|C]"),
  ])
  func textsAndTags(_ template: String, _ expected: String) throws {
    let data = object([
      "x": .string("x"), "yes": .flag(true), "no": .flag(false),
      "list": .array([.number("1"), .number("2")]),
    ])
    let partials = ["p": "p", "q": "[{{$b}}B{{/b}}|{{$c}}C{{/c}}]"]
    #expect(try render(template, data, partials: partials).text == expected)
  }

  @Test(arguments: [0, 40])
  func ofTwoMembersTheFirstCounts(_ others: Int) throws {
    var members: [(String, JSONTree)] = [("x", .string("first")), ("x", .string("second"))]
    members += (0..<others).map { ("other\($0)", .string("o")) }
    members.append(("x", .string("last")))
    let data = object(["o": .object(members), "p": .object(members)])
    let text = try render("{{#o}}{{x}}{{/o}} {{o.x}} {{p.x}} {{o.x}} {{o.other3}}", data).text
    #expect(text == "first first first first " + (others > 3 ? "o" : ""))
  }

  /// What a page bound or looked into is no part of the next, also after one that failed.
  @Test
  func aPageLeavesNothingBehind() throws {
    var keys = KeyTable()
    var errors: [TemplateError] = []
    let set = TemplateSet(
      [
        TemplateSource("main", "{{a.x}}{{a.y}}{{z}}{{#l}}{{.}}{{/l}}"),
        TemplateSource("endless", "{{#a}}{{a.x}}{{>endless}}{{/a}}"),
      ],
      keys: &keys,
      errors: &errors
    )
    let pages = [
      object(["a": object(["x": .string("1"), "y": .string("2")]), "z": .string("3")]),
      object(["a": object(["y": .string("4"), "x": .string("5")])]),
      object(["l": .array([.string("6")]), "a": object(["z": .string("7")])]),
      object([:]),
    ]
    var renderer = Renderer(set)
    let main = try #require(set.template(named: "main"))
    let endless = try #require(set.template(named: "endless"))
    for (page, expected) in zip(
      pages + pages.reversed(),
      ["123", "54", "6", "", "", "6", "54", "123"]
    ) {
      var data = TemplateData()
      page.fill(&data, keys: &keys)
      var output = ByteBuffer()
      try renderer.render(main, page: data, shared: TemplateData(), into: &output)
      #expect(output.string == expected)
      // Ends with an error unless there is no `a`.
      try? renderer.render(endless, page: data, shared: data, into: &output)
    }
  }

  /// A name that the table had no room for finds nothing, not even another such name's value.
  @Test
  func namesThatDidNotFit() throws {
    var keys = KeyTable()
    for number in 0..<KeyTable.capacity - 1 { _ = keys.intern("k\(number)") }
    var errors: [TemplateError] = []
    let source = TemplateSource("main", "{{last}}{{x}}{{last.y}}{{x.last}}{{x.y.z}}{{#z}}z{{/z}}.")
    let set = TemplateSet([source], keys: &keys, errors: &errors)
    #expect(errors.count == 1)
    var data = TemplateData()
    object(["x": .string("1"), "last": .string("2"), "z": object(["y": .string("3")])])
      .fill(&data, keys: &keys)
    var output = ByteBuffer()
    var renderer = Renderer(set)
    let main = try #require(set.template(named: "main"))
    try renderer.render(main, page: data, shared: TemplateData(), into: &output)
    #expect(output.string == "2.")
  }
}
