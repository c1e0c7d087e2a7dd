import JSON
import Testing

@testable import Markup

/// One example of the CommonMark specification.
struct SpecificationExample: Sendable {
  let number: Int
  let markdown: [UInt8]
  let html: [UInt8]

  static func all() throws -> [SpecificationExample] {
    var examples: [SpecificationExample] = []
    try Fixture.json("commonmark/spec-0.30.json") { root in
      for example in root.elements {
        examples.append(
          SpecificationExample(
            number: Int(try #require(example["example"]?.integer)),
            markdown: try #require(example["markdown"]?.text?.array),
            html: try #require(example["html"]?.text?.array)
          )
        )
      }
    }
    return examples
  }
}

@Test
func everyExampleOfCommonMark() throws {
  let examples = try SpecificationExample.all()
  #expect(examples.count == 652)
  for example in examples {
    let html = rendered(example.markdown, .commonMark)
    #expect(Array(html.utf8) == example.html, "example \(example.number)")
  }
}

@Test
func everyDifferenceOfTheFullModeIsListed() throws {
  var listed: [Int: [UInt8]] = [:]
  try Fixture.json("commonmark/full-mode.json") { root in
    for difference in root.elements {
      let number = Int(try #require(difference["example"]?.integer))
      #expect(difference["reason"]?.text?.isEmpty == false, "example \(number) has no reason")
      listed[number] = try #require(difference["html"]?.text?.array)
    }
  }
  for example in try SpecificationExample.all() {
    let html = Array(rendered(example.markdown, MarkdownOptions(headingShift: 2)).utf8)
    if let expected = listed[example.number] {
      #expect(html == expected, "example \(example.number)")
      #expect(html != example.html, "example \(example.number) is listed but does not differ")
    } else {
      #expect(html == example.html, "example \(example.number) differs and is not listed")
    }
  }
}
