import Bytes
import JSON
import Testing

@testable import Markup

/// A document built from a recipe of `pathological.json`.
private struct Recipe {
  let name: String
  let bytes: [UInt8]

  init(_ value: JSONValue) throws {
    func text(_ key: StaticString) -> [UInt8] { value[key]?.text?.array ?? [] }
    func count(_ key: StaticString) -> Int { Int(value[key]?.integer ?? 0) }
    name = value["name"]?.text?.string ?? ""
    var bytes = text("prefix")
    if let indexed = value["indexed"], indexed.kind == .object {
      let range = try #require(indexed["from"]?.integer)...(try #require(indexed["to"]?.integer))
      for number in range {
        bytes += indexed["lead"]?.text?.array ?? []
        if indexed["number"]?.bool == true {
          bytes += Array(String(number).utf8)
        } else {
          let character = indexed["char"]?.text?.array ?? []
          bytes += Self.repeating(character, Int(number))
        }
        bytes += indexed["tail"]?.text?.array ?? []
      }
    }
    bytes += Self.repeating(text("unit"), count("count"))
    bytes += text("suffix")
    bytes += Self.repeating(text("unit2"), count("count2"))
    self.bytes = bytes + text("tail")
    #expect(Int64(self.bytes.count) == value["bytes"]?.integer, "\(name)")
  }

  /// Quick in debug builds too: by doubling.
  private static func repeating(_ unit: [UInt8], _ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(unit.count * count)
    var power = unit
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { result += power }
      rest >>= 1
      if rest > 0 { power += power }
    }
    return result
  }
}

/// The longest recipe that is run, in bytes: an unoptimised build takes ten times as long.
private var longestRecipe: Int64 {
  #if DEBUG
  400_000
  #else
  .max
  #endif
}

@Test
func costOfHostileMarkdownIsBounded() throws {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  var rendered = 0
  try Fixture.json("markup-hostile/pathological.json") { root in
    for value in try #require(root["cases"]).elements {
      guard let size = value["bytes"]?.integer, size <= longestRecipe else { continue }
      let recipe = try Recipe(value)
      output.removeAll()
      let time = processorTime {
        let outcome = writer.render(
          recipe.bytes.span,
          options: MarkdownOptions(),
          links: UnchangedLinks(),
          into: &output
        )
        if outcome.isRendered { rendered += 1 }
        writer.appendPlainText(of: recipe.bytes.span, limit: 200, into: &output)
      }
      let bound = 2 + Double(recipe.bytes.count) / 1e6
      #expect(time < bound, "\(recipe.name)")
    }
  }
  #expect(rendered >= (longestRecipe == .max ? 20 : 3))
}

@Test(
  arguments: [
    (String(repeating: "> ", count: 32) + "a", nil),
    (String(repeating: "> ", count: 33) + "a", .tooDeep),
    (String(repeating: ">", count: 33) + "a", .tooDeep),
    (String(repeating: "- ", count: 33) + "a", .tooDeep), (String(repeating: "- ", count: 80), nil),
    (String(repeating: "1. ", count: 33) + "a", .tooDeep),
    ("- a\n\n" + String(repeating: " ", count: 200) + "x", nil),
    (String(repeating: "- a\n", count: 2000), nil),
    (String(repeating: "- a\n  - b\n", count: 500), nil),
    ((0..<40).map { String(repeating: "  ", count: $0) + "- a\n" }.joined(), .tooDeep),
    ((0..<40).map { String(repeating: "  ", count: $0) + "- a\r" }.joined(), .tooDeep),
    ((0..<30).map { String(repeating: "  ", count: $0) + "- a\n" }.joined(), nil),
    (String(repeating: "a*", count: 4001) + String(repeating: "x", count: 65_536), .tooDense),
    (String(repeating: "a*", count: 4000) + String(repeating: "x", count: 65_536), nil),
    (String(repeating: "a*", count: 30_000), nil),
    (String(repeating: "- a\n", count: 100_000), .tooDense),
    (String(repeating: "- a\n", count: 50_000), nil),
    (String(repeating: "a<", count: 250_000), .tooDense),
    (String(repeating: "x", count: (4 << 20) + 1), .tooLong),
  ] as [(String, MarkupOutcome.PlainReason?)]
)
func bound(_ markdown: String, _ reason: MarkupOutcome.PlainReason?) {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  let body = Array(markdown.utf8)
  let outcome = writer.render(
    body.span,
    options: MarkdownOptions(),
    links: UnchangedLinks(),
    into: &output
  )
  #expect(outcome.plainReason == reason)
}
