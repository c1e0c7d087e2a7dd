import Archive
import Bytes
import Glibc
import Testing

@testable import Site

/// One build of a small archive with what it has to look like: `Fixtures/sites/NAME/golden.txt`.
///
/// Each line of that file is a word and what belongs to it; `#` begins a comment, `build NAME` the
/// next build (lines before the first one hold for all):
///
/// | word | what |
/// | --- | --- |
/// | `theme plain` | use `Fixtures/sites/plain-theme`, which prints the data, not the looks |
/// | `setting KEY: VALUE` | a line more of `stillfeed.yml` |
/// | `drafts` | show drafts |
/// | `page PATH` | print this page in `expected/NAME/pages.txt` |
/// | `file PATH` | keep this file whole in `expected/NAME/files/` |
/// | `manifest` | paths, sizes and fingerprints of all files in `manifest.txt`; else paths alone |
///
/// The names of assets hold a fingerprint of the theme; in goldens it is written as `*`.
struct Golden: Sendable, CustomTestStringConvertible {
  let fixture: String
  var build = "all"
  var usesPlainTheme = false
  var settings: [String] = []
  var hasDrafts = false
  var pages: [String] = []
  var files: [String] = []
  var hasManifest = false

  var testDescription: String { "\(fixture)/\(build)" }

  private var folder: String { "\(Fixtures.sites)/\(fixture)" }
  private var expected: String { "\(folder)/expected/\(build)" }

  /// All builds of all fixtures.
  static let all: [Golden] = {
    let names = (try? FileSystem.list(Fixtures.sites)) ?? []
    return names.filter { $0.kind == .directory }.flatMap { read($0.name) }
  }()

  private static func read(_ fixture: String) -> [Golden] {
    guard let text = try? Files.text("\(Fixtures.sites)/\(fixture)/golden.txt") else { return [] }
    var common = Golden(fixture: fixture)
    var builds: [Golden] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let rest = parts.count > 1 ? parts[1] : ""
      if parts[0] == "build" {
        builds.append(common)
        builds[builds.count - 1].build = rest
      } else if builds.isEmpty {
        common.take(parts[0], rest)
      } else {
        builds[builds.count - 1].take(parts[0], rest)
      }
    }
    return builds.isEmpty ? [common] : builds
  }

  private mutating func take(_ word: String, _ rest: String) {
    switch word {
    case "theme": usesPlainTheme = rest == "plain"
    case "setting": settings.append(rest)
    case "drafts": hasDrafts = true
    case "page": pages.append(rest)
    case "file": files.append(rest)
    case "manifest": hasManifest = true
    default: fatalError("\(fixture)/golden.txt: unknown word '\(word)'")
    }
  }

  /// A copy of the archive.
  func site(isReversed: Bool = false) throws -> TemporarySite {
    let site = try TemporarySite()
    if fixture == "sample" {
      for place in ["Content", "stillfeed.yml"] {
        let source = "\(Fixtures.repository)/\(place)"
        if FileSystem.isDirectory(source) {
          try site.copy(source, to: place, isReversed: isReversed)
        } else {
          try site.write(place, FileSystem.read(source))
        }
      }
    } else {
      try site.copy("\(folder)/archive", isReversed: isReversed)
    }
    if usesPlainTheme { try site.copy("\(Fixtures.sites)/plain-theme", to: "Templates") }
    if !settings.isEmpty {
      let old = (try? Files.text("\(site.root)/stillfeed.yml")) ?? ""
      try site.write("stillfeed.yml", old + settings.map { $0 + "\n" }.joined())
    }
    return site
  }

  func run(jobs: Int, isReversed: Bool = false) async throws -> BuiltSite {
    let site = try site(isReversed: isReversed)
    return try await site.build(jobs: jobs) { $0.includesDrafts = hasDrafts }
  }

  /// What is kept of a build, by path below the fixture's expected folder.
  func extract(of site: BuiltSite) -> [String: [UInt8]] {
    var kept: [String: String] = [:]
    kept["diagnostics.txt"] = site.report.diagnostics.map(\.goldenLine).joined()
    if hasManifest {
      kept["manifest.txt"] = site.paths.map { path in
        var line = ByteBuffer()
        let bytes = site.files[path] ?? []
        line.append(hexadecimal: Fingerprint.of(bytes.span))
        return "\(line.string) \(bytes.count) \(path)\n"
      }.joined()
    } else {
      kept["plan.txt"] = site.paths.map { Self.neutral($0) + "\n" }.joined()
    }
    if !pages.isEmpty {
      kept["pages.txt"] = pages.map {
        "== \($0)\n" + (site.files[$0] == nil ? "no such page\n" : site.text($0))
      }.joined()
    }
    for path in files { kept["files/" + path] = site.text(path) }
    return kept.mapValues { Array((hasManifest ? $0 : Self.neutral($0)).utf8) }
  }

  /// The text with `*` for the fingerprints in the names of assets.
  private static func neutral(_ text: String) -> String {
    var text = text
    for (start, end) in [("assets/style.", ".css"), ("assets/site.", ".js")] {
      var parts: [String] = []
      var rest = text[...]
      while let place = rest.firstRange(of: start) {
        parts.append(rest[..<place.upperBound] + "*")
        rest = rest[place.upperBound...]
        rest = rest[(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)...]
      }
      text = parts.joined() + rest
    }
    return text
  }

  /// The first difference to what is expected, with path and line; nil if there is none.
  func difference(to site: BuiltSite) throws -> String? {
    let got = extract(of: site)
    let kept = FileSystem.isDirectory(expected) ? try Files.readAll(expected) : [:]
    return Difference.first(expected: kept, got: got, in: "\(fixture)/expected/\(build)")
  }

  /// Writes what a build gives as what is expected from now on.
  func record(_ site: BuiltSite) throws {
    Files.remove(expected)
    for (path, bytes) in extract(of: site) { try Files.write(bytes, to: "\(expected)/\(path)") }
  }

  /// Whether goldens are to be written, not compared: `Tests/record-goldens.sh` asks for it.
  static let isRecording = getenv("STILLFEED_RECORD_GOLDENS") != nil
}

extension Diagnostic {
  /// One line for goldens.
  fileprivate var goldenLine: String {
    let place = path.isEmpty ? "" : path + (line > 0 ? ":\(line)" : "") + ": "
    return "\(place)\(severity): \(headline)" + (suggestion.isEmpty ? "" : " (\(suggestion))")
      + "\n"
  }
}

/// Where two sets of files part.
enum Difference {
  static func first(
    expected: [String: [UInt8]],
    got: [String: [UInt8]],
    in folder: String
  ) -> String? {
    for path in Set(expected.keys).union(got.keys).sorted(by: Files.precedes) {
      guard let new = got[path] else { return "\(folder)/\(path): expected, but not made" }
      guard let old = expected[path] else { return "\(folder)/\(path): made, but not expected" }
      if old == new { continue }
      return "\(folder)/\(path)" + line(old, new)
    }
    return nil
  }

  private static func line(_ old: [UInt8], _ new: [UInt8]) -> String {
    let place = zip(old, new).prefix { $0 == $1 }.count
    let number = old[..<place].count { $0 == 0x0A } + 1
    return ":\(number):\n  expected \(shown(old, place))\n  got      \(shown(new, place))"
  }

  /// The line around a place, cut where it is long.
  private static func shown(_ bytes: [UInt8], _ place: Int) -> String {
    if place >= bytes.count { return "the end of the file" }
    let start = (bytes[..<place].lastIndex(of: 0x0A) ?? -1) + 1
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    let from = max(start, place - 60)
    let text = String(decoding: bytes[from..<min(end, place + 100)], as: UTF8.self)
    return (from > start ? "…" : "") + "`\(text)`"
  }
}
