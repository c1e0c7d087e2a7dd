import Bytes
import Testing

@testable import Mustache

/// Small templates in the place of their tags; that all show the same is what `PropertyTests` say.
@Suite
struct InlinerTests {
  private func program(_ templates: [String: String]) -> Program {
    var keys = KeyTable()
    var errors: [TemplateError] = []
    let sources = templates.sorted { $0.key < $1.key }.map { TemplateSource($0.key, $0.value) }
    let set = TemplateSet(sources, keys: &keys, errors: &errors)
    #expect(errors.isEmpty)
    return set.program
  }

  private func calls(_ templates: [String: String]) -> Int {
    program(templates).operations.count { $0.code == .call }
  }

  @Test
  func smallTemplatesTakeThePlaceOfTheirTags() {
    let small = "{{#b}}x{{.}}{{/b}}{{^b}}y{{/b}}"
    #expect(calls(["main": "{{>a}}{{#c}}{{>a}}{{/c}}", "a": small]) == 0)
    #expect(calls(["main": "{{>a}}", "a": "{{>b}}-{{>b}}", "b": "{{>c}}", "c": small]) == 0)
  }

  @Test(arguments: [
    ["main": "{{>main}}"],
    ["main": "{{>a}}", "a": "{{#b}}{{>main}}{{/b}}"],
    ["main": "{{>a}}", "a": "{{$b}}x{{/b}}"],
    ["main": "{{<a}}{{$b}}y{{/b}}{{/a}}", "a": "x"],
    ["main": "{{>*a}}", "a": "x"],
    ["main": "{{>a}}", "a": String(repeating: "{{x}}", count: 64)],
    ["main": "{{>a}} {{>b}}", "a": "x", "b": "-\n  {{>a}}\n"],
  ])
  func othersAreGoneTo(_ templates: [String: String]) {
    #expect(calls(templates) > 0)
  }

  /// Sections skip to where the steps of a template in place have gone, and texts stay in order.
  @Test
  func textsAndJumps() throws {
    let partials = [
      "a": "(a{{#x}}1{{/x}})", "b": "{{>a}}", "empty": "", "text": "t", "end": "{{^x}}0{{/x}}",
      "long": String(repeating: "l", count: 300),
    ]
    let template =
      "<{{>a}}{{>b}}{{>empty}}{{>text}}{{#no}}{{>a}}{{/no}}{{>end}}{{#list}}{{>text}}{{.}}{{>a}}"
      + "{{/list}}{{>long}}{{#x}}{{>empty}}{{/x}}{{>text}}>"
    for x in [true, false] {
      let data = JSONTree.object([
        ("x", .flag(x)), ("list", .array([.number("1"), .number("2")])),
      ])
      let a = x ? "(a1)" : "(a)"
      let end = x ? "" : "0"
      let long = String(repeating: "l", count: 300)
      let expected = "<\(a)\(a)t\(end)t1\(a)t2\(a)\(long)t>"
      #expect(try render(template, data, partials: partials).text == expected)
    }
  }

  /// Templates that bring in others twice each would double at every level.
  @Test
  func programsStaySmall() {
    var templates = ["t0": String(repeating: "{{x}}", count: 60)]
    for level in 1..<8 { templates["t\(level)"] = "{{>t\(level - 1)}}{{>t\(level - 1)}}" }
    templates["main"] = String(repeating: "{{>t0}}", count: 10_000)
    #expect(program(templates).operations.count < 30_000)
  }

  /// What is gone to must come back to where it was called from, also where the room for copies ends
  /// in the middle of templates in each other.
  @Test(arguments: 20...60)
  func whereRoomEnds(names: Int) throws {
    let partials = [
      "leaf": String(repeating: "{{x}}", count: names), "middle": "[{{>leaf}}{{>leaf}}]",
      "outer": "<{{>middle}}{{x}}>",
    ]
    let template = String(repeating: "{{>outer}}{{>middle}}", count: 200)
    let middle = "[" + String(repeating: "a", count: names * 2) + "]"
    let expected = String(repeating: "<\(middle)a>\(middle)", count: 200)
    let data = JSONTree.object([("x", .string("a"))])
    #expect(try render(template, data, partials: partials).text == expected)
  }
}
