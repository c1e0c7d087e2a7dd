import Testing

@testable import JSON

@Suite
struct ParserTests {
  @Test
  func theSuiteIsWhole() {
    #expect(Fixture.names(in: "test_parsing").count == 318)
  }

  /// JSONTestSuite: `y_` must be accepted, `n_` refused, `i_` either.
  @Test(arguments: Fixture.names(in: "test_parsing"))
  func testSuite(_ name: String) {
    let bytes = Fixture.bytes("test_parsing/\(name)")
    let error = failure(of: bytes)
    if name.hasPrefix("y_") { #expect(error == nil) }
    if name.hasPrefix("n_") {
      #expect(error != nil)
      #expect(error?.kind != .other)
      #expect((error?.offset ?? -1) >= 0)
      #expect((error?.offset ?? 0) <= bytes.count)
    }
    let checked = bytes.withUnsafeBufferPointer { JSONSyntax.firstError(in: $0) }
    #expect((checked == nil) == (error == nil), "\(String(describing: checked))")
  }

  @Test
  func readsEveryKind() throws {
    var parser = JSONParser()
    let text =
      #"{"o":{"a":[]},"s":"a\n\u00e9\"","i":-7,"u":18446744073709551615,"d":1.5,"t":true,"f":false,"n":null,"s":2}"#
    let root = try parser.parse(Array(text.utf8).span)
    #expect(root.kind == .object)
    #expect(root.count == 9)
    #expect(root["o"]?["a"]?.kind == .array)
    #expect(root["o"]?["a"]?.count == 0)
    #expect(root["s"]?.text?.string == "a\né\"")
    #expect(root["i"]?.integer == -7)
    #expect(root["i"]?.unsigned == nil)
    #expect(root["i"]?.double == -7)
    #expect(root["u"]?.integer == nil)
    #expect(root["u"]?.unsigned == .max)
    #expect(root["d"]?.double == 1.5)
    #expect(root["d"]?.integer == nil)
    #expect(root["t"]?.bool == true)
    #expect(root["f"]?.bool == false)
    #expect(root["n"]?.isNull == true)
    #expect(root["x"] == nil)
    #expect(root["o"]?.text == nil)
    #expect(root.members.map { $0.key.string } == ["o", "s", "i", "u", "d", "t", "f", "n", "s"])
    #expect(root.elements.map { $0.kind }.isEmpty)
  }

  @Test
  func depth() {
    func nested(_ count: Int, _ inner: String) -> [UInt8] {
      Array(
        (String(repeating: "[", count: count) + inner + String(repeating: "]", count: count)).utf8
      )
    }
    #expect(failure(of: nested(512, "")) == nil)
    #expect(failure(of: nested(512, "1")) == nil)
    #expect(failure(of: nested(513, "")) == JSONError(.tooDeep, at: 512))
    #expect(failure(of: nested(513, "1")) == JSONError(.tooDeep, at: 512))
    #expect(failure(of: nested(100_000, "")) == JSONError(.tooDeep, at: 512))
  }

  @Test(arguments: [
    ("", JSONError.Kind.empty, 0), ("[1,]", .trailingComma, 2), (#"{"a":1,}"#, .trailingComma, 6),
    ("[1 // x\n]", .comment, 3), ("/* x */ []", .comment, 0), (#"["a"#, .unclosedString, 1),
    (#"{"a""#, .endsEarly, 4), ("[1", .endsEarly, 2), (#"["\x"]"#, .badEscape, 2),
    (#"["\ud83d"]"#, .loneSurrogate, 2), ("[\"a\u{1}\"]", .rawControl, 3),
    ("[01]", .badNumber, 1), ("[1e999]", .numberOutOfRange, 1), ("[nul]", .badWord, 1),
    ("[NaN]", .badWord, 1), ("[] x", .trailingContent, 3), ("{'a':1}", .unexpectedByte, 1),
    ("[1 2]", .unexpectedByte, 3), ("[99999999999999999999]", .numberOutOfRange, 1),
  ])
  func reasons(_ text: String, _ kind: JSONError.Kind, _ offset: Int) {
    #expect(failure(of: Array(text.utf8)) == JSONError(kind, at: offset))
  }

  @Test
  func aFailedParseLeavesNull() {
    var parser = JSONParser()
    #expect(parser.root.isNull)
    _ = try? parser.parse([UInt8](#"{"a":1}"#.utf8).span)
    #expect(parser.root["a"]?.integer == 1)
    _ = try? parser.parse([UInt8](#"{"a":1"#.utf8).span)
    #expect(parser.root.isNull)
    #expect(parser.root["a"] == nil)
  }

  /// Texts changed at random: the parser and the plain checker refuse the same ones.
  @Test
  func checkerAgreesWithParser() {
    let seeds = Fixture.names(in: "test_parsing").map { Fixture.bytes("test_parsing/\($0)") }
      .filter { $0.count < 400 }
    let spice =
      Array(#"{}[],:"\/u0eE+-.19dDtrfn "#.utf8) + [0, 9, 10, 0x80, 0xC3, 0xED, 0xA0, 0xFF]
    var random = Random(state: 1)
    var parser = JSONParser()
    for _ in 0..<60_000 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let byte = spice[Int.random(in: 0..<spice.count, using: &random)]
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        default: bytes.remove(at: place)
        }
      }
      let accepted = (try? parser.parse(bytes.span)) != nil
      let error = bytes.withUnsafeBufferPointer { JSONSyntax.firstError(in: $0) }
      #expect(accepted == (error == nil), "\(String(decoding: bytes, as: UTF8.self)) \(bytes)")
    }
  }
}
