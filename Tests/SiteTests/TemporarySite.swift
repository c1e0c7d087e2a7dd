import Archive
import Bytes
import Glibc
import Synchronization

@testable import Site

/// An archive in a temporary folder with the sites built from it; removed with the value.
final class TemporarySite: Sendable {
  private static let number = Atomic<Int>(0)

  /// The folder that holds the archive and the outputs.
  let folder: String
  /// The archive.
  let root: String

  init(_ files: [String: String] = [:]) throws {
    let number = Self.number.add(1, ordering: .relaxed).oldValue
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    folder = "\(base)/stillfeed-site-\(getpid())-\(number)"
    root = folder + "/archive"
    try FileSystem.makeDirectories(root + "/Content")
    for (path, text) in files { try write(path, text) }
  }

  deinit { Files.remove(folder) }

  func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

  func write(_ path: String, _ bytes: [UInt8]) throws {
    try Files.write(bytes, to: "\(root)/\(path)")
  }

  func remove(_ path: String) throws { try FileSystem.removeFile("\(root)/\(path)") }

  /// Copies a folder into the archive; `isReversed` creates the files in the other order, so that
  /// the file system may list them in another one.
  func copy(_ source: String, to place: String = "", isReversed: Bool = false) throws {
    let paths = try Files.list(source)
    for path in isReversed ? paths.reversed() : paths {
      try write(place.isEmpty ? path : "\(place)/\(path)", FileSystem.read("\(source)/\(path)"))
    }
  }

  /// Builds the archive into a folder beside it.
  @discardableResult
  func build(
    _ name: String = "Site",
    jobs: Int? = 2,
    _ change: (inout BuildOptions) -> Void = { _ in }
  ) async throws -> BuiltSite {
    var options = BuildOptions(root: root, output: "\(folder)/\(name)")
    options.jobs = jobs
    change(&options)
    let report = try await Build(options).run()
    return BuiltSite(files: try Files.readAll(options.output), report: report, path: options.output)
  }
}

/// What a build left on the disk.
struct BuiltSite: Sendable {
  /// By path.
  let files: [String: [UInt8]]
  let report: BuildReport
  let path: String

  var paths: [String] { files.keys.sorted(by: Files.precedes) }

  /// A file as text; empty if there is none.
  func text(_ path: String) -> String { String(decoding: files[path] ?? [], as: UTF8.self) }

  var warnings: [String] {
    report.diagnostics.filter { $0.severity >= .warning }.map(\.headline)
  }

  /// The files that hold a text, in their bytes or in their names.
  func files(holding word: String) -> [String] {
    paths.filter { Files.contains(files[$0] ?? [], word) || $0.contains(word) }
  }
}

/// Small helpers over folders.
enum Files {
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// All files below a folder by path, sorted.
  static func list(_ folder: String) throws -> [String] {
    var found: [String] = []
    var pending = [""]
    while let prefix = pending.popLast() {
      for entry in try FileSystem.list(prefix.isEmpty ? folder : "\(folder)/\(prefix)") {
        let path = prefix.isEmpty ? entry.name : "\(prefix)/\(entry.name)"
        if entry.kind == .directory { pending.append(path) } else { found.append(path) }
      }
    }
    return found.sorted(by: precedes)
  }

  static func readAll(_ folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in try list(folder) where FileSystem.status("\(folder)/\(path)")?.kind == .file {
      files[path] = try FileSystem.read("\(folder)/\(path)")
    }
    return files
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try FileSystem.makeDirectories(String(path[..<slash]))
    }
    try FileSystem.write(bytes.span, to: path)
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try FileSystem.read(path), as: UTF8.self)
  }

  static func remove(_ path: String) {
    for entry in (try? FileSystem.list(path)) ?? [] {
      let inner = "\(path)/\(entry.name)"
      if entry.kind == .directory { remove(inner) } else { unlink(inner) }
    }
    rmdir(path)
  }

  /// Whether a file holds a text; `foldsCase` looks at ASCII letters without their case.
  static func contains(_ bytes: [UInt8], _ wanted: String, foldsCase: Bool = false) -> Bool {
    // For `strstr`, which is quick in a debug build too.
    var text = bytes.map { byte in
      byte == 0 ? 1 : foldsCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
    text.append(0)
    return text.withUnsafeBytes { text in
      guard let start = text.bindMemory(to: CChar.self).baseAddress else { return false }
      return strstr(start, foldsCase ? wanted.lowercased() : wanted) != nil
    }
  }
}

/// The fixtures beside the tests.
enum Fixtures {
  /// The checkout, which is the sample archive too.
  static let repository: String = {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  }()
  static let folder = repository + "/Tests/Fixtures"
  static let sites = folder + "/sites"
}
