import Testing

/// The rules themselves: each finds a bad example, and lets the good ones be.
@Suite("House rules, on examples")
struct HouseRulesTests {
  @Test(
    "an import against the direction, or of another's library, is found",
    arguments: [
      ("Bytes", "import JSON", "Bytes may not import JSON"),
      ("Mustache", "@preconcurrency import Site", "Mustache may not import Site"),
      ("Site", "public import struct Preview.Server", "Site may not import Preview"),
      ("stillfeed", "import CYAML", "stillfeed may not import CYAML"),
      ("JSON", "import Bytes; import CCmark", "JSON may not import CCmark"),
      ("Site", "import Dispatch", "Site may not import Dispatch"),
      ("Extra", "import Bytes", "module 'Extra' has no line"),
    ]
  )
  func findsImports(module: String, text: String, finding: String) {
    let found = HouseRules.forbiddenImports(in: [source(module, text)])
    #expect(found.count == 1)
    #expect(found.first?.contains(finding) == true)
  }

  @Test(
    "allowed imports, and words that only look like imports, are let be",
    arguments: [
      ("Site", "import Archive\nimport Mustache\nimport Glibc"),
      ("Bytes", "// import JSON\n/* import JSON\nimport JSON */\nlet text = \"import JSON\""),
      ("Bytes", "let text = \"\"\"\nimport JSON\n\"\"\""),
      ("Bytes", "func importJSON() {}\nlet important = 1"),
    ]
  )
  func allowsImports(module: String, text: String) {
    #expect(HouseRules.forbiddenImports(in: [source(module, text)]) == [])
  }

  @Test("a library with two importers is found even where both may")
  func findsSecondImporter() {
    let found = HouseRules.forbiddenImports(in: [
      source("Archive", "import CYAML"), source("Site", "import CYAML"),
    ])
    #expect(found.contains("Sources/Site/File.swift:1: CYAML is Archive's alone"))
  }

  @Test("Foundation is found, its parts too, unless the file is an exception")
  func findsFoundation() {
    let sources = [source("Bytes", "import Glibc\nimport FoundationEssentials")]
    #expect(
      HouseRules.foundationImports(in: sources, except: [])
        == ["Sources/Bytes/File.swift:2: imports FoundationEssentials"]
    )
    #expect(HouseRules.foundationImports(in: sources, except: ["Sources/Bytes/File.swift"]) == [])
    #expect(
      HouseRules.foundationImports(
        in: [source("Bytes", "@testable import Foundation")],
        except: ["Sources/JSON/File.swift"]
      )
      .count == 1
    )
  }

  @Test(
    "marks that end the process are found",
    arguments: [
      "let x = try! read()", "let x = y as! Int", "let x = list.first!", "let x = f()!",
      "let x = a[0]!",
      "var x: Int!", "let x = \"\\(y!)\"", "let x = \"\"\"\n\\(f(\"a\")!)\n\"\"\"",
      "let x = a?.b!.c",
      "let x = Int(\"1\")! + 1",
    ]
  )
  func findsMarks(text: String) {
    #expect(HouseRules.unsafeMarks(in: [source("Bytes", text)]).count == 1)
  }

  @Test(
    "negation, comparison, text and comments are let be",
    arguments: [
      "if !x, a != b { }", "let x = a!=b", "return !f()", "// Wow!", "let x = \"Hello!\"",
      "/* no! */",
      "let x = #\"a\\(b!)\"#", "filter(!isEmpty)", "let x = \"\\\\\"; let y = !z", "[!a]",
      "let x = \"\"\"\nStop! \"quoted!\"\n\"\"\"",
    ]
  )
  func allowsMarks(text: String) {
    #expect(HouseRules.unsafeMarks(in: [source("Bytes", text)]) == [])
  }

  @Test("a folder of one machine is found")
  func findsMachinePaths() {
    let home = "/" + "home/ada/notes"
    func findings(_ text: String) -> [String] {
      HouseRules.machinePaths(in: Array(text.utf8), at: "README.md", checkout: "/build/checkout")
    }
    #expect(findings("a\nsee \(home)").count == 1)
    #expect(findings("see /build/checkout/Site").first?.hasPrefix("README.md:1: ") == true)
    #expect(findings("see /usr/share/zoneinfo, /posts/a/ and https://example.org/homes/") == [])
  }

  @Test("lines keep their numbers when comments and literals go")
  func keepsLines() {
    let text = "a /* b\nc */ d \"e\nf\n\"\"\"\ng\n\"\"\" h // i\nj"
    let lines = source("Bytes", text).lines.map { $0.text.filter { $0 != " " } }
    #expect(lines == ["a", "d\"", "f", "\"\"\"", "", "\"\"\"h", "j"])
  }

  private func source(_ module: String, _ text: String) -> SourceText {
    SourceText(path: "Sources/\(module)/File.swift", text: text.utf8)
  }
}
