import Bytes
import Testing

@testable import Mustache

/// The official test files, <https://github.com/mustache/spec>; lambdas are left out.
@Suite
struct SpecificationTests {
  static let modules: [(file: String, count: Int)] = [
    ("comments", 12), ("delimiters", 14), ("interpolation", 42), ("inverted", 22),
    ("partials", 12), ("sections", 34), ("~inheritance", 27), ("~dynamic-names", 21),
  ]

  @Test(arguments: modules)
  func passes(_ module: (file: String, count: Int)) throws {
    let file = try JSONTree(Fixtures.read("mustache/\(module.file).json"))
    let cases = try #require(file["tests"]).elements
    #expect(cases.count == module.count)
    for test in cases {
      let name = try #require(test["name"]?.text)
      let template = try #require(test["template"]?.text)
      let expected = try #require(test["expected"]?.text)
      let partials = (test["partials"]?.members ?? []).map { ($0.key, $0.value.text ?? "") }
      let found = try render(
        template,
        try #require(test["data"]),
        partials: Dictionary(partials, uniquingKeysWith: { first, _ in first })
      )
      #expect(found.text == expected, "\(module.file): \(name)")
      // Only a missing partial is a mistake in these files.
      for error in found.errors {
        #expect(error.headline.contains("doesn't exist"), "\(name): \(error)")
      }
    }
  }
}
