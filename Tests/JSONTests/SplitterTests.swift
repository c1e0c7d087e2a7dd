import Testing

@testable import JSON

/// What a file splits into, as text: records as they are, problems as `!kind@line`.
func pieces(_ text: String, _ format: JSONSplitter.Format = .automatic) -> [String] {
  pieces(Array(text.utf8), format)
}

func pieces(_ bytes: [UInt8], _ format: JSONSplitter.Format = .automatic) -> [String] {
  var splitter = JSONSplitter(format)
  var found: [String] = []
  while let piece = splitter.next(in: bytes.span) {
    switch piece {
    case .record(let record):
      found.append("\(record.line) " + String(decoding: bytes[record.range], as: UTF8.self))
    case .problem(let problem): found.append("!\(problem.kind)@\(problem.line)")
    }
  }
  return found
}

@Suite
struct SplitterTests {
  @Test(arguments: [
    ("[]", []), ("", []), (" \n", []), ("{}", ["1 {}"]), ("\u{FEFF}[1]", ["1 1"]),
    ("[{\"a\":1},{\"b\":\"]}\"}]", ["1 {\"a\":1}", "1 {\"b\":\"]}\"}"]),
    (
      "[\n  {\"a\": [1, 2]},\n\n  \"x\\\"\",\n  null\n]\n",
      ["2 {\"a\": [1, 2]}", "4 \"x\\\"\"", "5 null"]
    ),
    ("{\"a\":1}\r\n\r\n{\"b\":2}", ["1 {\"a\":1}", "3 {\"b\":2}"]),
    ("{\n \"a\": 1\n}\n{\n \"b\": 2\n}\n", ["1 {\n \"a\": 1\n}", "4 {\n \"b\": 2\n}"]),
    ("[{},]", ["1 {}", "!trailingComma@1"]), ("[{},\n,{}]", ["1 {}", "!extraComma@2", "2 {}"]),
    ("[{}\n{}]", ["1 {}", "!missingComma@2", "2 {}"]), ("[{}", ["1 {}", "!unclosedArray@1"]),
    ("{},\n{}", ["1 {}", "!commaOutsideArray@1", "2 {}"]),
    ("[1][2]", ["1 1", "!secondDocument@1", "1 2"]),
    ("{} {}", ["1 {}", "!secondDocument@1", "1 {}"]),
    ("[] x", ["!garbage@1"]), ("[]]", ["!garbage@1"]), ("{}}\n{}", ["1 {}", "!garbage@1", "2 {}"]),
  ])
  func splits(_ text: String, _ expected: [String]) {
    #expect(pieces(text) == expected)
  }

  @Test
  func comments() {
    #expect(pieces("// hi\n[{}/* x\n*/,{}]") == ["!comment@1", "2 {}", "!comment@2", "3 {}"])
    // A quote in a comment opens no string.
    #expect(pieces("[{\"a\":1 // don\"t\n},{}]") == ["1 {\"a\":1 // don\"t\n}", "2 {}"])
  }

  @Test
  func resynchronisesInArrays() {
    #expect(pieces(#"[{"a":1, {"b":2}]"#) == [#"1 {"a":1,"#, #"1 {"b":2}"#])
    #expect(pieces(#"[{"a":[1,2}, {"b":2}]"#) == [#"1 {"a":[1,2}"#, #"1 {"b":2}"#])
    #expect(pieces(#"[{"a":1], {"b":2}]"#) == [#"1 {"a":1],"#, #"1 {"b":2}"#])
    #expect(pieces(#"[{"b":2},{"a":1]"#) == [#"1 {"b":2}"#, #"1 {"a":1"#])
  }
}
