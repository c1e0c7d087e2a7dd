import Testing

@testable import JSON

/// Records that parse, records that don't (with their lines), problems: as a reader would count.
struct Tally: Equatable, CustomStringConvertible {
  var good = 0
  var mended = 0
  var bad: [Int] = []
  var problems: [String] = []

  var description: String { "\(good) good, \(mended) mended, bad \(bad), \(problems)" }

  init(_ bytes: [UInt8], _ format: JSONSplitter.Format = .automatic) {
    var parser = JSONParser()
    for piece in split(bytes, format) {
      switch piece {
      case .problem(let problem): problems.append("\(problem.kind)@\(problem.line)")
      case .record(let record):
        let slice = Array(bytes[record.range])
        do {
          let notes = try parser.parse(repairing: slice.span)
          if notes.isEmpty { good += 1 } else { mended += 1 }
        } catch {
          bad.append(record.line(ofOffset: error.offset ?? 0, in: slice.span))
        }
      }
    }
  }
}

@Suite
struct HostileTests {
  static let expected: [String: String] = [
    "bad_escape.json": "0 good, 0 mended, bad [1, 1, 1], []",
    "bom.json": "0 good, 0 mended, bad [], []",
    "bom_only.json": "0 good, 0 mended, bad [], []",
    "comments.json": "1 good, 0 mended, bad [], [\"comment@1\", \"comment@1\"]",
    "depth_10000_objects.json": "0 good, 0 mended, bad [1], []",
    "empty.json": "0 good, 0 mended, bad [], []",
    "msg_lone_high.json": "2 good, 1 mended, bad [], []",
    "ndjson_crlf_blank.ndjson": "2 good, 0 mended, bad [], []",
    "ndjson_no_final_newline.ndjson": "2 good, 0 mended, bad [], []",
    "ndjson_one_bad_line.ndjson": "2 good, 0 mended, bad [2], []",
    "ndjson_u2028.ndjson": "1 good, 0 mended, bad [], []",
    "nan.json": "0 good, 0 mended, bad [1, 1, 1], []",
    "root_null.json": "1 good, 0 mended, bad [], []",
    "root_scalar.json": "1 good, 0 mended, bad [], []",
    "single_quotes.json": "0 good, 0 mended, bad [1], []",
    "space_only.json": "0 good, 0 mended, bad [], []",
    "trailing_comma.json": "0 good, 0 mended, bad [1], [\"trailingComma@1\"]",
    "trailing_garbage.json": "0 good, 0 mended, bad [], [\"garbage@1\"]",
    "trailing_nul.json": "0 good, 0 mended, bad [], [\"garbage@1\"]",
    "truncated_after_comma.json": "1 good, 0 mended, bad [], [\"unclosedArray@1\"]",
    "truncated_in_escape.json": "0 good, 0 mended, bad [1], []",
    "truncated_in_key.json": "0 good, 0 mended, bad [1], []",
    "truncated_in_string.json": "0 good, 0 mended, bad [1], []",
    "two_documents.json": "0 good, 0 mended, bad [], [\"secondDocument@1\"]",
    "utf16be.json": "0 good, 0 mended, bad [], [\"notUTF8@1\"]",
    "utf16le_bom.json": "0 good, 0 mended, bad [], [\"notUTF8@1\"]",
    "utf32le_bom.json": "0 good, 0 mended, bad [], [\"notUTF8@1\"]",
  ]

  @Test(arguments: expected.keys.sorted())
  func ownFiles(_ name: String) {
    let format: JSONSplitter.Format = name.hasSuffix(".ndjson") ? .lines : .automatic
    #expect(Tally(Fixture.bytes("own/\(name)"), format).description == Self.expected[name])
  }

  /// Every other file holds only records that can be read, some of them mended.
  @Test(arguments: Fixture.names(in: "own").filter { expected[$0] == nil })
  func soundOwnFiles(_ name: String) {
    let tally = Tally(Fixture.bytes("own/\(name)"))
    #expect(tally.good + tally.mended > 0 || name == "depth_513_in_content.json")
    #expect(tally.bad == (name == "depth_513_in_content.json" ? [1] : []))
    #expect(tally.problems == [])
  }

  /// The large documents that the corpus describes as recipes.
  @Test
  func recipes() throws {
    var parser = JSONParser()
    let recipes = Fixture.bytes("recipes.json")
    let cases = try #require(try parser.parse(recipes.span)["cases"])
    var documents: [(name: String, bytes: [UInt8])] = []
    // The text repeated a million times is built from smaller parts in a debug build.
    var scale: Int64 = 1
    assert({ scale = 10 }() == ())
    for recipe in cases.elements {
      func text(_ key: [UInt8]) -> [UInt8] { recipe[key]?.text?.array ?? [] }
      func times(_ unit: [UInt8], _ count: Int64) -> [UInt8] {
        let mark = Array("{n}".utf8)
        guard
          let place = (0..<max(unit.count - 2, 0)).first(where: { Array(unit[$0..<$0 + 3]) == mark }
          )
        else {
          return [[UInt8]](repeating: unit, count: Int(count)).flatMap { $0 }
        }
        return (0..<count).flatMap {
          Array(unit[..<place]) + Array("\($0)".utf8) + unit[(place + 3)...]
        }
      }
      var count = recipe["count"]?.integer ?? 0
      if count >= 400_000 { count /= scale }
      documents.append(
        (
          recipe["name"]?.text?.string ?? "",
          text(Array("prefix".utf8))
            + times(text(Array("unit".utf8)), count)
            + text(Array("suffix".utf8))
            + times(text(Array("unit2".utf8)), recipe["count2"]?.integer ?? 0)
            + text(Array("tail".utf8))
        )
      )
    }
    #expect(documents.count == 11)
    for (name, bytes) in documents {
      let tally = Tally(bytes)
      switch name {
      case "100k nested arrays", "100k nested objects": #expect(tally.bad == [1])
      case "10 MB of white space": #expect(tally.description == "0 good, 0 mended, bad [], []")
      case "1M empty objects": #expect(tally.good == Int(1_000_000 / scale) + 1)
      case "1M commas": #expect(tally.problems == ["extraComma@1"])
      default: #expect(tally.description == "1 good, 0 mended, bad [], []", "\(name)")
      }
      if name.hasPrefix("200k keys") {
        try parser.parse(bytes.span)
        #expect(parser.root.count == 200_001)
        #expect(parser.root.duplicateKey == nil)
      }
    }
  }

  /// Shapes that would be quadratic if a scan began anew at each byte.
  @Test(arguments: [
    "]", "}", "[}", "{]", "{\"", "\"", "\\", "[{", ",{", "/", "/*", "\"\n", "{\n", "[\"a\n",
  ])
  func hostileRuns(_ unit: String) {
    for start in ["", "[", "[{", "{\"a\":"] {
      let bytes = Array((start + String(repeating: unit, count: 10_000)).utf8)
      let pieces = split(bytes)
      #expect(pieces.count <= 20_001)
      #expect(splitInBlocks(bytes, blockSize: 5000, atOnce: 5000) == pieces)
    }
  }
}

@Suite
struct PathTests {
  func found(_ text: String, _ path: [String]) -> [String] {
    let bytes = Array(text.utf8)
    return split(bytes, inside: path).map { piece in
      switch piece {
      case .problem(let problem): return "!\(problem.kind)@\(problem.line)"
      case .record(let record):
        let key = record.key.map { String(decoding: bytes[$0], as: UTF8.self) + "=" } ?? ""
        return "\(record.line)/\(record.level) \(key)"
          + String(decoding: bytes[record.range], as: UTF8.self)
      }
    }
  }

  @Test
  func reachesTheArray() {
    #expect(
      found(
        "{\n \"name\": \"x\",\n \"messages\": [\n {\"a\":1},\n {\"b\":[2]}\n ],\n \"end\" : 3\n}",
        ["messages"]
      ) == [
        "2/0 \"name\"=\"x\"", "4/1 {\"a\":1}", "5/1 {\"b\":[2]}", "7/0 \"end\"=3",
      ]
    )
    #expect(
      found(
        #"{"chats":{"about":{"list":[]},"list":[{"id":7,"messages":[1,2]},{"messages":[3],"x":null}]}}"#,
        ["chats", "list", "messages"]
      ) == [
        "1/1 \"about\"={\"list\":[]}", "1/2 \"id\"=7", "1/3 1", "1/3 2", "1/3 3", "1/2 \"x\"=null",
      ]
    )
    #expect(found("[{\"messages\":[1]}]", ["messages"]) == ["1/1 {\"messages\":[1]}"])
    #expect(found("{\"messages\":{\"a\":1}}", ["messages"]) == ["1/0 \"messages\"={\"a\":1}"])
    #expect(
      found("{\"messages\":[{\"a\":1},{\"a\":", ["messages"]) == ["1/1 {\"a\":1}", "1/1 {\"a\":"]
    )
    #expect(
      found("{\"messages\":[{\"a\":1}", ["messages"]) == ["1/1 {\"a\":1}", "!unclosedArray@1"]
    )
  }
}
