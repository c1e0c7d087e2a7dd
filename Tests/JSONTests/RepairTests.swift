import Bytes
import Testing

@testable import JSON

@Suite
struct RepairTests {
  func repaired(_ bytes: [UInt8]) -> (String, JSONRepair.Notes) {
    var output = ByteBuffer()
    let notes = JSONRepair.repair(bytes.span, into: &output)
    return (output.string, notes)
  }

  func string(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }

  @Test(arguments: [
    (#""\ud83d""#, #""\ufffd""#), (#""\udc00\ud800""#, #""\ufffd\ufffd""#),
    (#""\ud83d\u0041""#, #""\ufffd\u0041""#),
    (#""\ud83d\ude00 \ude00""#, #""\ud83d\ude00 \ufffd""#),
    (#""\\ud83d""#, #""\\ud83d""#), ("\"a\n\tb\"", #""a\u000a\u0009b""#),
    ("[123456789012345678901234567890,-1,2.5]", #"["123456789012345678901234567890",-1,2.5]"#),
    ("{\"n\":1e400}", #"{"n":"1e400"}"#),
    ("\"123456789012345678901234567890\"", "\"123456789012345678901234567890\""),
    (
      "[18446744073709551615,18446744073709551616]",
      "[18446744073709551615,\"18446744073709551616\"]"
    ),
  ])
  func mends(_ text: String, _ expected: String) throws {
    let (copy, notes) = repaired(Array(text.utf8))
    #expect(copy == expected)
    #expect(notes.isEmpty == (text == expected))
    var parser = JSONParser()
    #expect(try parser.parse(repairing: Array(text.utf8).span) == notes)
  }

  @Test
  func mendsBytes() {
    #expect(
      repaired(string([0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x82])).0 == "\"a\u{FFFD}\u{FFFD}(\u{FFFD}\""
    )
    let pair = repaired(string([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]))
    #expect(pair.0 == "\"😀\"")
    #expect(pair.1 == JSONRepair.Notes(pairs: 1))
    #expect(!pair.1.hasLosses)
    let half = repaired(string([0xED, 0xA0, 0xBD, 0x61]))
    #expect(half.0 == "\"\u{FFFD}a\"")
    #expect(half.1.summary == "1 half of a surrogate pair")
    #expect(half.1.hasLosses)
  }

  /// Every message of the hostile set whose name says what is wrong with its text can be read.
  @Test(
    arguments: Fixture.names(in: "own").filter { $0.hasPrefix("msg_") || $0.hasPrefix("number_") }
  )
  func readsHostileMessages(_ name: String) throws {
    let bytes = Fixture.bytes("own/\(name)")
    var parser = JSONParser()
    let notes = try parser.parse(repairing: bytes.span)
    #expect(!parser.root.isNull)
    #expect((failure(of: bytes) == nil) == notes.isEmpty)
  }

  @Test
  func otherErrorsAreThrownWithTheirPlace() {
    var parser = JSONParser()
    let text = Array(#"{"a":"\ud83d","b":}"#.utf8)
    #expect(throws: JSONError(.unexpectedByte, at: 18)) { try parser.parse(repairing: text.span) }
    #expect(parser.root.isNull)
  }

  /// Mending damaged texts always gives JSON, and leaves sound texts alone.
  @Test
  func mendedTextsParse() throws {
    var random = Random(state: 3)
    var parser = JSONParser()
    let parts: [[UInt8]] = [
      Array("abc".utf8), Array(#"\ud83d"#.utf8), Array(#"\ude00"#.utf8), [0xFF],
      [0xED, 0xA0, 0x80],
      [0xED, 0xB0, 0x80], [0xF0, 0x9F], [0x0A], [0x00], Array("é".utf8), Array(#"\""#.utf8),
      Array(#"\\"#.utf8),
      Array("😀".utf8), [0x80],
    ]
    for _ in 0..<5000 {
      var bytes = Array(#"{"a":""#.utf8)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        bytes += parts[Int.random(in: 0..<parts.count, using: &random)]
      }
      bytes += Array(#"","b":99999999999999999999}"#.utf8)
      let notes = try parser.parse(repairing: bytes.span)
      #expect(notes.numbers == 1)
      let text = try #require(parser.root["a"]?.text)
      #expect(String(validating: text.array, as: UTF8.self) != nil)
    }
  }
}

@Suite
struct DuplicateTests {
  func duplicate(_ text: String) throws -> String? {
    var parser = JSONParser()
    return try parser.parse(Array(text.utf8).span).duplicateKey?.string
  }

  @Test
  func findsThem() throws {
    #expect(try duplicate(#"{"a":1,"b":2,"a":3,"b":4}"#) == "a")
    #expect(try duplicate(#"{"a":{"x":1},"b":{"x":2}}"#) == nil)
    #expect(try duplicate(#"{"a":1,"\u0061":3}"#) == "a")
    // The same character composed and decomposed: two keys.
    #expect(try duplicate("{\"\u{E9}\":1,\"e\u{301}\":2}") == nil)
    #expect(try duplicate("[1,1]") == nil)
    let many = (0..<1000).map { "\"k\($0)\":1" }
    #expect(try duplicate("{\(many.joined(separator: ","))}") == nil)
    #expect(try duplicate("{\(many.joined(separator: ",")),\"k7\":2,\"k3\":2}") == "k7")
  }
}
