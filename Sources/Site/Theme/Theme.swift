import Archive
import Bytes
import Mustache

/// Templates, interface texts and assets: the built-in ones, overridden file by file by the
/// archive's own `Templates/`.
struct Theme: Sendable {
  /// A file of the site that no entry changes.
  struct Asset: Sendable {
    /// Below the output folder.
    let path: String
    let bytes: [UInt8]
  }

  let templates: TemplateSet
  let keys: KeyTable
  let strings: Strings
  /// By path.
  let assets: [Asset]
  /// `assets/style.1a2b3c4d.css`: all style sheets in one file, by name, `custom.css` last.
  let stylePath: String
  /// `assets/site.1a2b3c4d.js`: all scripts in one file, by name, `custom.js` last.
  let scriptPath: String
  /// Covers everything but the templates, which have fingerprints of their own.
  let fingerprint: UInt64

  /// Loads and compiles the theme.
  ///
  /// - Parameters:
  ///   - root: The archive's folder.
  ///   - configuration: Names the theme folder and the language.
  ///   - documented: The names beside those of texts that a template may use, in strict mode; nil
  ///     allows all.
  ///   - keys: Names that the renderer has interned; templates add theirs.
  ///   - diagnostics: Gets the mistakes in templates.
  /// - Throws: A file that cannot be read or understood.
  init(
    root: String,
    configuration: Configuration,
    documented: [String]?,
    keys: KeyTable,
    diagnostics: inout [Diagnostic]
  ) throws {
    let builtIn = BuiltinTheme.files()
    let own = try ThemeFolder.files(below: root, folder: configuration.theme)
    let strings = try Strings(
      language: configuration.language,
      sources: Self.stringSources(configuration, builtIn: builtIn, own: own)
    )
    self.strings = strings
    let names = documented.map { $0 + strings.texts.keys }
    var keys = keys
    var errors: [TemplateError] = []
    templates = TemplateSet(
      own.compactMap { Self.template($0, folder: configuration.theme) },
      builtIn: builtIn.compactMap { Self.template($0, folder: "builtin") },
      documented: names,
      keys: &keys,
      errors: &errors
    )
    self.keys = keys
    diagnostics += errors.map(Diagnostic.init)
    let files = Self.merged(builtIn, own).filter { $0.path.hasPrefix("assets/") }
    let style = Self.bundle(files, suffix: ".css", name: "style")
    let script = Self.bundle(files, suffix: ".js", name: "site")
    let others = files.filter { !$0.path.hasSuffix(".css") && !$0.path.hasSuffix(".js") }
    stylePath = style.path
    scriptPath = script.path
    assets = ([style, script] + others.map { Asset(path: $0.path, bytes: $0.bytes) })
      .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    fingerprint = (Self.merged(builtIn, own).filter { !$0.path.hasSuffix(".mustache") })
      .reduce(1) { hash, file in
        Fingerprint.mix(
          Fingerprint.mix(hash, Fingerprint.of(file.path)),
          Fingerprint.of(file.bytes.span)
        )
      }
  }

  private static func template(_ file: BuiltinTheme.File, folder: String) -> TemplateSource? {
    let suffix = ".mustache"
    guard file.path.hasSuffix(suffix) else { return nil }
    return TemplateSource(
      name: String(file.path.dropLast(suffix.count)),
      path: "\(folder)/\(file.path)",
      bytes: file.bytes
    )
  }

  /// The built-in files with the archive's own in their places, by path.
  private static func merged(
    _ builtIn: [BuiltinTheme.File],
    _ own: [BuiltinTheme.File]
  ) -> [BuiltinTheme.File] {
    let replaced = Set(own.map(\.path))
    return (builtIn.filter { !replaced.contains($0.path) } + own)
      .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func bundle(_ files: [BuiltinTheme.File], suffix: String, name: String) -> Asset {
    var output = ByteBuffer()
    let own = "assets/custom" + suffix
    let parts = files.filter { $0.path.hasSuffix(suffix) }
    for file in parts.filter({ $0.path != own }) + parts.filter({ $0.path == own }) {
      output.append(file.bytes)
      if file.bytes.last != UInt8(ascii: "\n") { output.append("\n") }
    }
    var path = ByteBuffer()
    path.append(text: "assets/\(name).")
    path.append(hexadecimal: Fingerprint.of(output.bytes) >> 32, digits: 8)
    path.append(text: suffix)
    return Asset(path: path.string, bytes: output.array)
  }

  private static func stringSources(
    _ configuration: Configuration,
    builtIn: [BuiltinTheme.File],
    own: [BuiltinTheme.File]
  ) -> [(path: String, bytes: [UInt8])] {
    var sources: [(path: String, bytes: [UInt8])] = []
    for language in ["en"] + LanguageTag.fallbacks(of: configuration.language) {
      let path = "strings/\(language).yml"
      for file in builtIn where file.path == path {
        sources.append(("builtin/" + path, file.bytes))
      }
      for file in own where file.path == path {
        sources.append(("\(configuration.theme)/\(path)", file.bytes))
      }
    }
    return sources
  }
}

extension Diagnostic {
  fileprivate init(_ error: TemplateError) {
    self.init(
      .error,
      path: error.path,
      line: error.line,
      column: error.column,
      headline: error.headline,
      suggestion: error.suggestion ?? ""
    )
  }
}

/// The files of an archive's own theme.
enum ThemeFolder {
  /// All files below the folder, by path; none if there is no such folder.
  ///
  /// Symbolic links and dotfiles are passed over.
  static func files(below root: String, folder: String) throws(FileError) -> [BuiltinTheme.File] {
    var files: [BuiltinTheme.File] = []
    let start = "\(root)/\(folder)"
    guard try FileSystem.existing(start)?.kind == .directory else { return [] }
    var pending = [""]
    while let prefix = pending.popLast() {
      for entry in try FileSystem.list(prefix.isEmpty ? start : "\(start)/\(prefix)") {
        let path = prefix.isEmpty ? entry.name : "\(prefix)/\(entry.name)"
        if entry.name.hasPrefix(".") || entry.name.hasSuffix("~") { continue }
        switch entry.kind {
        case .directory: pending.append(path)
        case .file:
          files.append(
            BuiltinTheme.File(path: path, bytes: try FileSystem.read("\(start)/\(path)"))
          )
        default: continue
        }
      }
    }
    return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }
}

/// Which languages stand in for one that a theme may lack.
enum LanguageTag {
  /// The tag and what it falls back to, the most general first: `zh-TW` gives `zh-Hant`, `zh-TW`.
  static func fallbacks(of tag: String) -> [String] {
    let parts = tag.split(separator: "-").map(String.init)
    guard let language = parts.first?.lowercased() else { return [] }
    var tags: [String] = []
    if language == "zh" {
      let traditional = parts.dropFirst().contains {
        ["hant", "tw", "hk", "mo"].contains($0.lowercased())
      }
      tags = [traditional ? "zh-Hant" : "zh-Hans"]
    } else {
      tags = [language]
    }
    for length in 2...max(2, parts.count) where length <= parts.count {
      tags.append(parts[..<length].joined(separator: "-"))
    }
    var seen: Set<String> = []
    return tags.filter { seen.insert($0).inserted }
  }
}
