import Bytes
import Glibc
import Synchronization

@testable import Archive

/// An archive in a temporary folder, removed with the value.
final class TemporaryArchive {
  let root: String
  private static let number = Atomic<Int>(0)

  init(_ files: [String: String] = [:]) throws {
    let number = Self.number.add(1, ordering: .relaxed).oldValue
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    root = "\(base)/stillfeed-archive-\(getpid())-\(number)"
    try FileSystem.makeDirectories("\(root)/Content")
    for (path, text) in files { try write(path, text) }
  }

  deinit { Self.remove(root) }

  func write(_ path: String, _ text: String) throws { try write(path, bytes: Array(text.utf8)) }

  func write(_ path: String, bytes: [UInt8]) throws {
    let full = "\(root)/\(path)"
    if let slash = full.lastIndex(of: "/") {
      try FileSystem.makeDirectories(String(full[..<slash]))
    }
    try FileSystem.write(bytes.span, to: full)
  }

  /// Copies a folder of fixtures to a place in the archive.
  func copy(_ folder: String, to place: String) throws {
    for entry in try FileSystem.list(folder) {
      let source = "\(folder)/\(entry.name)"
      switch entry.kind {
      case .directory: try copy(source, to: "\(place)/\(entry.name)")
      case .file: try write("\(place)/\(entry.name)", bytes: FileSystem.read(source))
      case .link, .other, .unreadableName: break
      }
    }
  }

  func read(
    audience: Audience? = nil,
    drafts: Bool? = nil,
    workers: Int = 2
  ) async throws -> (archive: Archive, diagnostics: [Diagnostic]) {
    let (configuration, problems) = Configuration.read(root: root)
    let reader = ContentReader(root: root, configuration: configuration, workers: workers)
    let (archive, diagnostics) = try await reader.read(audience: audience, drafts: drafts)
    return (archive, problems + diagnostics)
  }

  private static func remove(_ path: String) {
    for entry in (try? FileSystem.list(path)) ?? [] {
      let inner = "\(path)/\(entry.name)"
      if entry.kind == .directory { remove(inner) } else { unlink(inner) }
    }
    rmdir(path)
  }
}

/// The fixtures beside the tests.
enum Fixtures {
  static let folder: String = {
    let tests = #filePath.split(separator: "/").dropLast(2)
    return "/" + tests.joined(separator: "/") + "/Fixtures"
  }()
}

extension Archive {
  /// Entries as short text, for tests.
  func id(_ entry: Int) -> String { string(entries[entry].id) }

  func name(_ entry: Int) -> String { string(entries[entry].name) }

  func author(_ entry: Int) -> String? {
    entries[entry].author == .none ? nil : people[entries[entry].author.index].displayName
  }
}
