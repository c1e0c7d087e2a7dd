import Archive
import Bytes
import Testing

@testable import Site

@Suite("Pages and files in tables")
struct PageTableTests {
  private static let paths = ["b/index.html", "", "a/index.html", "雨/index.html", "a", "a/B.xml"]

  private static func table(_ paths: [String] = paths) -> PageTable {
    var table = PageTable()
    for (index, path) in paths.enumerated() { table.append(path, "", .post(index, part: 1)) }
    return table
  }

  private static func files(_ paths: [String]) -> Manifest.Files {
    var files = Manifest.Files()
    for path in paths { files.append(Manifest.File(path: path)) }
    files.sort()
    return files
  }

  @Test("some pages, by path in byte order, each with its content")
  func sorting() {
    let sorted = Self.table().sorted([0, 1, 2, 3, 5])
    #expect(sorted.map(\.path) == ["", "a/B.xml", "a/index.html", "b/index.html", "雨/index.html"])
    #expect(sorted.map(\.content) == [1, 5, 2, 0, 3].map { .post($0, part: 1) })
    for (index, page) in sorted.enumerated() { #expect(sorted.position(of: page.path) == index) }
    for path in ["a", "a/", "b/index.htm", "b/index.html/", "雩", "\0"] {
      #expect(sorted.position(of: path) == nil)
    }
    #expect(PageTable().position(of: "") == nil)
  }

  @Test("a path is taken once, whatever the case")
  func taken() {
    let table = Self.table(["a/b", "A/b", "ä/x", "a\u{308}/X", "a"])
    var taken = TakenPaths(table)
    #expect(table.indices.map { taken.insert($0) } == [true, false, true, false, true])
    #expect(taken.contains(PlacedPath.key(of: "a/B")))
    #expect(!taken.contains(PlacedPath.key(of: "a/c")))
  }

  @Test("files without those of others")
  func subtracting() {
    let all = ["a", "a/b", "b", "c", "雨"]
    let cases = [([], all), (all, []), (["a/b", "aa", "c"], ["a", "b", "雨"]), (["z"], all)]
    for (some, rest) in cases {
      var files = Self.files(all)
      files.subtract(Self.files(some))
      #expect(files.map(\.path) == rest)
    }
  }

  @Test("files of a plan share its paths and states; others stand between them")
  func sharing() {
    let pages = Self.table().sorted([0, 2, 3])
    let states = OutputStates(count: pages.count)
    for index in pages.indices { states[index].size = index + 10 }
    var files = Manifest.Files(of: pages, states: states)
    for index in [0, 2] { files.append(page: index, of: pages, key: UInt64(index), note: 4) }
    var other = Manifest.File(path: "c", key: 9)
    other.state.size = 7
    files.append(other)
    files.sort()
    #expect(files.map(\.path) == ["a/index.html", "c", "雨/index.html"])
    #expect(files.map(\.state.size) == [10, 7, 12])
    #expect(files.map(\.key) == [0, 9, 2])
    #expect(files.map(\.note) == [4, -1, 4])
    #expect(files.bytes == 29)
    #expect(files.counterparts(of: pages) == [0, -1, 2])
    #expect(files.position(of: "c") == 1 && files.position(of: "b/index.html") == nil)
  }

  @Test("a manifest of several megabytes is written in pieces and reads back")
  func large() throws {
    let site = try TemporarySite()
    var manifest = Manifest(paths: (0..<30_000).map { "posts/\(100_000 + $0)/index.html" })
    manifest.files[29_999].key = 5
    try manifest.write(to: site.folder + "/manifest")
    let size = try #require(FileSystem.status(site.folder + "/manifest")).size
    #expect(size > 2 << 20)
    let read = try #require(Manifest(readingFrom: site.folder + "/manifest"))
    #expect(read.files == manifest.files)
    #expect(read.file("posts/129999/index.html")?.key == 5)
  }
}
