import Testing

@testable import JSON

@Suite
struct EditorTests {
  enum Change: Sendable {
    case set(String, [JSONStep])
    case remove([JSONStep])
    case insert(String, [JSONStep])
    case append(String, [JSONStep])
    case appendLine(String)
  }

  static func apply(_ change: Change, to editor: inout JSONEditor) throws(JSONEditError) -> JSONEdit
  {
    switch change {
    case .set(let value, let path): try editor.set(Array(value.utf8), at: path)
    case .remove(let path): try editor.remove(path)
    case .insert(let value, let path): try editor.insert(Array(value.utf8), at: path)
    case .append(let value, let path): try editor.append(Array(value.utf8), to: path)
    case .appendLine(let value): try editor.appendLine(Array(value.utf8))
    }
  }

  static let pretty =
    "[\n  {\n    \"id\" : 1,\n    \"x\": 1.0,\n    \"comments\": []\n  },\n  {\n    \"id\": 2\n  }\n]\n"
  static let lines = "{\"id\": 1, \"tags\": [\"a\"]}\r\n{\"id\": 2}\r\n"

  @Test(
    arguments: [
      ("{\"a\":1,\"b\":2}", .set("3", [.member("a")]), "{\"a\":3,\"b\":2}"),
      ("{\"a\":1}", .set("[1,2]", [.member("b")]), "{\"a\":1,\"b\":[1,2]}"),
      ("{\"a\": 1}", .set("[1,2]", [.member("b")]), "{\"a\": 1, \"b\": [1, 2]}"),
      ("{}", .set("1", [.member("b\"")]), "{\"b\\\"\": 1}"),
      ("{\"\\u0061\":1}", .set("2", [.member("a")]), "{\"\\u0061\":2}"),
      ("{\"a\":1,\"b\":2,\"c\":3}", .remove([.member("a")]), "{\"b\":2,\"c\":3}"),
      ("{\"a\":1, \"b\":2, \"c\":3}", .remove([.member("b")]), "{\"a\":1, \"c\":3}"),
      ("{\"a\":1,\"b\":2 }", .remove([.member("b")]), "{\"a\":1 }"),
      ("{ \"a\":1 }", .remove([.member("a")]), "{}"),
      ("[1,2]", .append("3", []), "[1,2,3]"), ("[1, 2]", .insert("0", [.record(0)]), "[0, 1, 2]"),
      ("[\n1,\n2\n]", .insert("9", [.element(1)]), "[\n1,\n9,\n2\n]"),
      ("[\n1,\n2\n]", .append("9", []), "[\n1,\n2,\n9\n]"),
      ("[]\n", .append("{\"a\":1}", []), "[\n  {\n    \"a\": 1\n  }\n]\n"),
      ("", .append("{\"a\":1}", []), "{\"a\": 1}\n"),
      (
        Self.pretty, .set("7", [.record(0), .member("x")]),
        "[\n  {\n    \"id\" : 1,\n    \"x\": 7,\n    \"comments\": []\n  },\n  {\n    \"id\": 2\n  }\n]\n"
      ),
      (
        Self.pretty, .append("{\"a\":[]}", [.record(0), .member("comments")]),
        "[\n  {\n    \"id\" : 1,\n    \"x\": 1.0,\n    \"comments\": [\n      {\n        \"a\" : []\n      }\n    ]\n  },\n  {\n    \"id\": 2\n  }\n]\n"
      ),
      (
        Self.pretty, .append("{\"id\":3}", []),
        "[\n  {\n    \"id\" : 1,\n    \"x\": 1.0,\n    \"comments\": []\n  },\n  {\n    \"id\": 2\n  },\n  {\n    \"id\" : 3\n  }\n]\n"
      ),
      (
        Self.pretty, .remove([.record(0)]), "[\n  {\n    \"id\": 2\n  }\n]\n"
      ),
      (Self.lines, .appendLine("{\"id\":3}"), Self.lines + "{\"id\": 3}\r\n"),
      (Self.lines, .append("{\n\"id\":3}", []), Self.lines + "{\"id\": 3}\r\n"),
      (Self.lines, .remove([.record(0)]), "{\"id\": 2}\r\n"),
      (Self.lines, .remove([.offset(26)]), "{\"id\": 1, \"tags\": [\"a\"]}\r\n"),
      (
        Self.lines, .append("\"b\"", [.record(0), .member("tags")]),
        "{\"id\": 1, \"tags\": [\"a\", \"b\"]}\r\n{\"id\": 2}\r\n"
      ),
      ("{\"a\":1}\n{\"a\":2}", .append("{\"a\":3}", []), "{\"a\":1}\n{\"a\":2}\n{\"a\":3}"),
      ("{\"a\":1}\n{\"a\":2}", .remove([.record(1)]), "{\"a\":1}"),
      (
        "{\"a\":1}\n{\"a\":2}\n", .insert("{\"a\":0}", [.record(1)]),
        "{\"a\":1}\n{\"a\":0}\n{\"a\":2}\n"
      ),
      ("{\"a\":1\n{\"a\":2}\n", .set("3", [.offset(7), .member("a")]), "{\"a\":1\n{\"a\":3}\n"),
      // A broken neighbour is left alone.
      ("[{\"a\":},{\"a\":2}]", .set("3", [.record(1), .member("a")]), "[{\"a\":},{\"a\":3}]"),
      ("[{\"a\":1},{\"b\":}]", .remove([.record(0)]), "[{\"b\":}]"),
      ("\u{FEFF}{\"a\":1}", .set("2", [.member("a")]), "\u{FEFF}{\"a\":2}"),
      (
        "{\n\t\"a\": 1\n}", .set("{\"x\":1}", [.member("b")]),
        "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"x\": 1\n\t}\n}"
      ),
      (
        "[\n  {\"a\":1},\n  {\"a\":2}\n]\n", .append("{\"a\":3}", []),
        "[\n  {\"a\":1},\n  {\"a\":2},\n  {\"a\":3}\n]\n"
      ),
    ] as [(String, Change, String)]
  )
  func edits(_ before: String, _ change: Change, _ after: String) throws {
    var editor = JSONEditor(Array(before.utf8))
    let edit = try Self.apply(change, to: &editor)
    #expect(String(decoding: editor.bytes, as: UTF8.self) == after)
    // The edit is all that changed.
    let old = Array(before.utf8)
    #expect(
      Array(old[..<edit.range.lowerBound]) + edit.replacement + Array(old[edit.range.upperBound...])
        == editor.bytes
    )
  }

  @Test(
    arguments: [
      ("{\"a\":1}", .remove([.member("b")]), .notFound), ("{\"a\":1}", .remove([]), .onlyValue),
      ("{\n\"a\":1}", .remove([.record(0)]), .onlyValue),
      ("[1]", .remove([.member("a")]), .wrongKind),
      ("[1]", .remove([.element(1)]), .notFound), ("[1]", .insert("1", [.element(3)]), .notFound),
      ("[1]", .set("x", [.element(0)]), .badValue(JSONError(.badWord, at: 0))),
      ("{\"a\" 1}", .set("2", [.member("a")]), .malformed(offset: 5)),
      ("[{} {}]", .remove([.record(0)]), .malformed(offset: 3)),
      ("[1]", .set("2", [.element(0), .record(0)]), .wrongKind),
      ("", .set("2", [.member("a")]), .malformed(offset: 0)),
      ("5", .set("2", [.member("a")]), .wrongKind), ("[1]", .set("1", [.record(-1)]), .notFound),
      ("[1]", .set("1", [.offset(-1)]), .notFound),
    ] as [(String, Change, JSONEditError)]
  )
  func refuses(_ before: String, _ change: Change, _ error: JSONEditError) {
    var editor = JSONEditor(Array(before.utf8))
    #expect(throws: error) { try Self.apply(change, to: &editor) }
    #expect(editor.bytes == Array(before.utf8))
  }
}
