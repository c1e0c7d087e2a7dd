import Bytes
import Testing

@testable import Mustache

enum Fixtures {
  static func read(_ name: String, file: String = #filePath) throws -> [UInt8] {
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return try FileSystem.read(folder.joined(separator: "/") + "/Fixtures/" + name)
  }
}

extension TemplateSource {
  init(_ name: String, _ text: String) {
    self.init(name: name, path: "Templates/\(name).mustache", bytes: Array(text.utf8))
  }
}

/// What came out of compiling and rendering the template `main`.
struct Rendering {
  var text: String
  var errors: [TemplateError]
}

/// Compiles `template` as `main` beside `partials` and renders it.
func render(
  _ template: String,
  _ data: JSONTree,
  partials: [String: String] = [:],
  builtIn: [String: String] = [:],
  shared: JSONTree = .null,
  documented: [String]? = nil
) throws -> Rendering {
  var keys = KeyTable()
  var errors: [TemplateError] = []
  let sources =
    [TemplateSource("main", template)]
    + partials.sorted { $0.key < $1.key }.map { TemplateSource($0.key, $0.value) }
  let set = TemplateSet(
    sources,
    builtIn: builtIn.sorted { $0.key < $1.key }.map { TemplateSource($0.key, $0.value) },
    documented: documented,
    keys: &keys,
    errors: &errors
  )
  let main = try #require(set.template(named: "main"))
  var page = TemplateData()
  data.fill(&page, keys: &keys)
  var rest = TemplateData()
  shared.fill(&rest, keys: &keys)
  var renderer = Renderer(set)
  var output = ByteBuffer()
  try renderer.render(main, page: page, shared: rest, into: &output)
  return Rendering(text: output.string, errors: errors)
}
