import Bytes
import Testing

/// The repository held to its rules.
@Suite("The repository")
struct RepositoryTests {
  @Test("imports point one way, and each C library has one importer")
  func imports() throws {
    let sources = try Repository.sources()
    #expect(sources.count > 100)
    #expect(HouseRules.forbiddenImports(in: sources) == [])
  }

  @Test("Foundation is imported only where docs/dependencies.md gives a reason")
  func foundation() throws {
    let text = try Repository.text("docs/dependencies.md")
    let heading = "\n## Exceptions for Foundation\n"
    let parts = text.split(separator: heading, omittingEmptySubsequences: false)
    try #require(parts.count == 2, "docs/dependencies.md has no such heading")
    let listed = parts[1].split(separator: "`").filter { $0.hasPrefix("Sources/") }.map(String.init)
    #expect(HouseRules.foundationImports(in: try Repository.sources(), except: Set(listed)) == [])
  }

  @Test("nothing in the sources ends the process on purpose")
  func unsafeMarks() throws {
    #expect(HouseRules.unsafeMarks(in: try Repository.sources()) == [])
  }

  @Test("no text names a folder of one machine")
  func machinePaths() throws {
    var findings: [String] = []
    let places = ["Sources", "Templates", "Scripts", "docs", "Tests", "Content", ".ci"]
    let single = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Makefile"]
    let files = try places.flatMap { try Repository.files(under: $0) } + single
    for path in files where !path.hasPrefix("Tests/Fixtures/") && Repository.isText(path) {
      findings += HouseRules.machinePaths(
        in: try FileSystem.read("\(Repository.root)/\(path)"),
        at: path,
        checkout: Repository.root + "/"
      )
    }
    #expect(files.count > 200)
    #expect(findings == [])
  }

  @Test("the set-up installs every Debian package that Package.swift names")
  func packages() throws {
    let setup = try Repository.text("Scripts/setup.sh")
    let named = try Repository.text("Package.swift").split(separator: "\"")
      .filter { $0.hasPrefix("lib") && $0.hasSuffix("-dev") }
    #expect(named.count >= 5)
    let listed = setup.split { " \n".contains($0) }
    #expect(named.filter { !listed.contains($0) } == [])
  }

  @Test("the README names every package that a release needs to run")
  func runtimePackages() throws {
    let setup = try Repository.text("Scripts/setup.sh")
    let line = try #require(setup.split(separator: "\n").first { $0.hasPrefix("runtime=(") })
    let packages = line.dropFirst("runtime=(".count).dropLast().split(separator: " ")
    #expect(packages.count >= 7)
    let readme = try Repository.text("README.md").split { " \n".contains($0) }
    #expect(packages.filter { !readme.contains($0) } == [])
  }

  @Test("docs/dependencies.md tells of every C library")
  func libraries() throws {
    let text = try Repository.text("docs/dependencies.md")
    let folders = try FileSystem.list(Repository.root + "/Sources").map(\.name)
    let libraries = folders.filter { $0.hasPrefix("C") && $0 != "CTheme" }
    #expect(libraries.count >= 7)
    #expect(libraries.filter { !text.contains("`\($0)`") } == [])
  }
}

/// The files of the checkout that the tests were built from.
enum Repository {
  /// Its folder, without a closing slash.
  static let root: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  /// All Swift sources, by path.
  static func sources() throws -> [SourceText] {
    try files(under: "Sources").filter { $0.hasSuffix(".swift") }
      .map { SourceText(path: $0, text: try FileSystem.read("\(root)/\($0)")) }
  }

  /// The content of a text file.
  static func text(_ path: String) throws -> String {
    String(decoding: try FileSystem.read("\(root)/\(path)"), as: UTF8.self)
  }

  /// The files under a folder, by path from the root.
  static func files(under folder: String) throws -> [String] {
    var found: [String] = []
    var folders = [folder]
    while let folder = folders.popLast() {
      for entry in try FileSystem.list("\(root)/\(folder)") {
        let path = "\(folder)/\(entry.name)"
        switch entry.kind {
        case .directory: folders.append(path)
        case .file: found.append(path)
        default: break
        }
      }
    }
    return found.sorted()
  }

  /// Whether a file is for people to read, by its name.
  static func isText(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return true }
    let endings = [
      "css", "h", "cpp", "c", "js", "json", "jsonl", "md", "modulemap", "mustache", "py", "sh",
      "swift",
      "toml", "tsv", "txt", "yml",
    ]
    return endings.contains(String(name[name.index(after: dot)...]))
  }
}
