import Bytes
import Testing

@testable import Archive

@Suite("YAML and TOML as JSON text")
struct FormatTests {
  private func json(yaml: String) throws(YAMLError) -> (text: String, keys: [KeyLine]) {
    var output = ByteBuffer()
    let keys = try YAMLText.writeJSON(Array(yaml.utf8).span, into: &output)
    return (output.string, keys)
  }

  private func json(toml: String) throws(TOMLError) -> (text: String, keys: [KeyLine]) {
    var output = ByteBuffer()
    let keys = try TOMLText.writeJSON(Array(toml.utf8).span, into: &output)
    return (output.string, keys)
  }

  @Test(arguments: [
    ("a: 1", #"{"a":1}"#),
    ("", "null"),
    ("title: NO", #"{"title":"NO"}"#),
    ("date: 2024-02-30", #"{"date":"2024-02-30"}"#),
    ("x: +1.5\ny: .5\nz: 3.\nw: 1e3", #"{"x":1.5,"y":0.5,"z":3.0,"w":1e3}"#),
    ("id: 007", #"{"id":"007"}"#),
    ("id: 0o17\nv: 1_000\nn: ~", #"{"id":"0o17","v":"1_000","n":null}"#),
    ("a: [x, 'true', true]", #"{"a":["x","true",true]}"#),
    ("t: \"a\\0b\\\"\"", "{\"t\":\"a\\u0000b\\\"\"}"),
    ("s: >-\n  one\n  two", #"{"s":"one two"}"#),
    ("a: &a [1]\nb: *a", #"{"a":[1],"b":[1]}"#),
    ("a: !!python/object/apply:x [y]", #"{"a":["y"]}"#),
    ("&k a: 1\n*k : 2\n? &q [x]\n: 3", #"{"a":1,"a":2,"":3}"#),
    ("a: &a {b: &b [1]}\nc: *b\nd: *a", #"{"a":{"b":[1]},"c":[1],"d":{"b":[1]}}"#),
    ("名: 甲", #"{"名":"甲"}"#),
    ("? [k]\n: v", #"{"":"v"}"#),
  ])
  func yaml(_ pair: (source: String, expected: String)) throws {
    #expect(try json(yaml: pair.source).text == pair.expected)
  }

  @Test
  func keysKnowTheirLines() throws {
    let keys = try json(yaml: "# comment\ntitle: x\n\nnested:\n  inner: 1\nlast: 2").keys
    #expect(
      keys == [
        KeyLine(key: "title", line: 2), KeyLine(key: "nested", line: 4),
        KeyLine(key: "last", line: 6),
      ]
    )
  }

  @Test
  func aMistakeHasALine() {
    #expect(throws: YAMLError.self) { try json(yaml: "title: a: b") }
    #expect { try json(yaml: "a: 1\nb: [1\nc: }") } throws: { ($0 as? YAMLError)?.line == 3 }
    #expect { try json(toml: "a = 1\nb = ") } throws: { ($0 as? TOMLError)?.line == 2 }
  }

  @Test
  func anAliasBombIsAnError() {
    var bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
    for level in 1...9 {
      let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",")
      bomb += "a\(level): &a\(level) [\(items)]\n"
    }
    #expect(throws: YAMLError.self) { try json(yaml: bomb) }
    #expect(throws: YAMLError.self) { try json(yaml: "a: &a [*a]") }
  }

  @Test
  func deepFlowIsAnError() {
    let deep = "a: " + String(repeating: "[", count: 100_000)
    #expect(throws: YAMLError.self) { try json(yaml: deep) }
    let closed = deep + String(repeating: "]", count: 100_000)
    #expect(throws: YAMLError.self) { try json(yaml: closed) }
    let block = String(repeating: "- ", count: 100_000)
    #expect(throws: YAMLError.self) { try json(yaml: block) }
  }

  @Test
  func toml() throws {
    let (text, keys) = try json(
      toml: "title = 'T'\ndate = 2023-05-06T07:08:09Z\n[params]\nauthor = \"Ada \\u00e9\"\n"
    )
    #expect(
      text.filter { !$0.isWhitespace }
        == #"{"date":"2023-05-06T07:08:09Z","params":{"author":"Adaé"},"title":"T"}"#
    )
    #expect(keys.map(\.key) == ["title", "date", "params"])
    #expect(keys.map(\.line) == [1, 2, 3])
  }
}
