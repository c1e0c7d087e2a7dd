import Bytes
import Glibc
import Testing

/// A folder of its own for a test, removed with everything in it at the end.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    var template = Array("/tmp/stillfeed-test-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit {
    var pending = [path]
    var folders: [String] = []
    while let folder = pending.popLast() {
      folders.append(folder)
      for entry in (try? FileSystem.list(folder)) ?? [] {
        if entry.kind == .directory {
          pending.append("\(folder)/\(entry.name)")
        } else {
          unlink("\(folder)/\(entry.name)")
        }
      }
    }
    for folder in folders.reversed() { rmdir(folder) }
  }
}
