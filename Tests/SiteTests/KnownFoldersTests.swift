import Testing

@testable import Site

@Suite("Folders that are known to be there")
struct KnownFoldersTests {
  @Test("a folder is known with those above it, and what lies below it in part")
  func parts() {
    var folders = KnownFolders()
    #expect(folders.knownLength(of: "a/b/c") == 0)
    folders.note("a/b/c")
    #expect(folders.knownLength(of: "a/b/c") == nil)
    #expect(folders.knownLength(of: "a") == nil)
    #expect(folders.knownLength(of: "a/b/d/e") == 3)
    #expect(folders.knownLength(of: "b/c") == 0)
  }

  @Test("later folders take the place of earlier ones, and never is an unknown one taken for known")
  func many() {
    let paths = (0..<40_000).map { "f/\($0)" }
    var folders = KnownFolders()
    var mistaken: [String] = []
    for path in paths {
      if folders.knownLength(of: path) == nil { mistaken.append(path) }
      folders.note(path)
    }
    #expect(mistaken.isEmpty)
    #expect(paths.last.map { folders.knownLength(of: $0) == nil } == true)
    #expect(paths.contains { folders.knownLength(of: $0) != nil })
  }
}
