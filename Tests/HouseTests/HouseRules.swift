/// What the sources hold to, beyond what the compiler and the formatter see.
///
/// Each function returns one line per finding, `path:line: what`, and none when all is well.
enum HouseRules {
  /// Whom each module may import.
  ///
  /// Imports point one way; a C library has one importer.
  static let imports: [String: Set<String>] = [
    "Bytes": ["CAllocator", "CXXHash", "CUTF8Proc"],
    "JSON": ["Bytes", "CSimdJSON"],
    "Mustache": ["Bytes"],
    "Markup": ["Bytes", "CCmark", "CGumbo"],
    "Archive": ["Bytes", "JSON", "CYAML", "CTOML"],
    "Importers": ["Archive", "Bytes", "JSON", "Markup", "CArchive", "CGMime", "CXML"],
    "Site": ["Archive", "Bytes", "JSON", "Markup", "Mustache", "CTheme", "CZlib"],
    "Preview": ["Archive", "Bytes", "Site", "CMicroHTTPD"],
    "stillfeed": [
      "Archive", "Bytes", "Importers", "JSON", "Markup", "Mustache", "Preview", "Site",
    ],
  ]

  /// Part of the toolchain and small enough for any module.
  static let everywhere: Set<String> = ["Glibc", "Synchronization"]

  /// Imports that the table above doesn't allow, and C libraries with a second importer.
  static func forbiddenImports(in sources: [SourceText]) -> [String] {
    var findings: [String] = []
    var importers: [String: String] = [:]
    for source in sources {
      guard let allowed = imports[source.module] else {
        findings.append("\(source.path):1: module '\(source.module)' has no line in HouseRules")
        continue
      }
      for (number, name) in importedModules(of: source) where name != "Foundation" {
        if !allowed.contains(name), !everywhere.contains(name) {
          findings.append("\(source.path):\(number): \(source.module) may not import \(name)")
        }
        guard isLibrary(name) else { continue }
        let first = importers[name, default: source.module]
        importers[name] = first
        if first != source.module {
          findings.append("\(source.path):\(number): \(name) is \(first)'s alone")
        }
      }
    }
    return findings
  }

  /// Imports of Foundation, or a part of it, in files that are no documented exception.
  static func foundationImports(
    in sources: [SourceText],
    except exceptions: Set<String>
  ) -> [String] {
    sources.flatMap { source in
      importedModules(of: source)
        .filter { $0.name.hasPrefix("Foundation") && !exceptions.contains(source.path) }
        .map { "\(source.path):\($0.number): imports \($0.name)" }
    }
  }

  /// Marks that end the process when they are wrong: `try!`, `as!`, `value!`, `Type!`; and notes
  /// that would keep the formatter silent about them.
  static func unsafeMarks(in sources: [SourceText]) -> [String] {
    var findings: [String] = []
    for source in sources {
      for (number, line) in source.lines {
        let bytes = Array(line.utf8)
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "!") && index > 0 {
          if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "=") { continue }
          guard endsValue(bytes[index - 1]) else { continue }
          let start = bytes[..<index].lastIndex { !endsName($0) }.map { $0 + 1 } ?? 0
          let word = String(decoding: bytes[start...index], as: UTF8.self)
          findings.append("\(source.path):\(number): '\(word)' ends the process when it is wrong")
        }
      }
    }
    return findings
  }

  /// Folders of one machine in a text that is for all: the checkout's own, and people's homes.
  static func machinePaths(in text: [UInt8], at path: String, checkout: String) -> [String] {
    let folders = ["home", "Users", "root"].map { "/\($0)/" } + [checkout]
    return folders.compactMap { folder in
      guard let place = position(of: Array(folder.utf8), in: text) else { return nil }
      let line = 1 + text[..<place].count { $0 == UInt8(ascii: "\n") }
      return "\(path):\(line): names a folder of one machine: \(folder)"
    }
  }

  /// The modules that a file imports, with the lines of the imports.
  static func importedModules(of source: SourceText) -> [(number: Int, name: String)] {
    let kinds: Set<Substring> = [
      "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]
    return source.lines.flatMap { number, line in
      line.split(separator: ";").compactMap { statement in
        var words = statement.split { $0 == " " || $0 == "\t" }[...]
        while let word = words.first, word != "import" {
          let isModifier =
            word.hasPrefix("@")
            || ["public", "package", "internal", "fileprivate", "private"].contains(word)
          if !isModifier { return nil }
          words = words.dropFirst()
        }
        words = words.dropFirst()
        if let kind = words.first, kinds.contains(kind) { words = words.dropFirst() }
        guard let name = words.first?.split(separator: ".").first else { return nil }
        return (number, String(name))
      }
    }
  }

  /// C libraries are named `C` and a capital: `CYAML`.
  private static func isLibrary(_ name: String) -> Bool {
    let start = Array(name.utf8.prefix(2))
    return start.count == 2 && start[0] == UInt8(ascii: "C")
      && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(start[1])
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    endsName(byte)
      || [UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: "?")]
        .contains(byte)
      || byte == UInt8(ascii: "\"")
  }

  private static func position(of word: [UInt8], in text: [UInt8]) -> Int? {
    text.indices.first { start in
      text[start] == word[0] && text[start...].starts(with: word)
    }
  }
}
