import Bytes
import Glibc
import Testing

@Suite
struct FolderTests {
  @Test
  func createsReplacesAndSkips() throws {
    let temporary = try TemporaryFolder()
    let folder = try Folder(opening: temporary.path)
    try folder.makeFolders("a/b")
    try folder.makeFolders("a/b")
    let first = try folder.writeIfChanged([1, 2].span, to: "a/b/x")
    let second = try folder.writeIfChanged([1, 2].span, to: "a/b/x")
    let third = try folder.writeIfChanged([1, 3].span, to: "a/b/x")
    let fourth = try folder.writeIfChanged([1].span, to: "a/b/x")
    let fifth = try folder.writeIfChanged([UInt8]().span, to: "a/b/x")
    let sixth = try folder.writeIfChanged([UInt8]().span, to: "a/b/x")
    #expect(
      [first, second, third, fourth, fifth, sixth] == [
        .created, .unchanged, .replaced, .replaced, .replaced, .unchanged,
      ]
    )
    let isNew = try folder.create("a/b/x", with: [9].span)
    #expect(!isNew)
    #expect(try FileSystem.read(temporary.path + "/a/b/x") == [])
    try folder.replace("a/b/x", with: [7].span, isDurable: true)
    #expect(try FileSystem.read(temporary.path + "/a/b/x") == [7])
    #expect(try FileSystem.list(temporary.path + "/a/b").map(\.name) == ["x"])
    try folder.removeFile("a/b/x")
    let isGone = try folder.removeEmptyFolder("a/b")
    try folder.makeFolders("a/c")
    let isAll = try folder.removeEmptyFolder("a")
    #expect(isGone)
    #expect(!isAll)
  }

  @Test
  func linksInTheWayAreErrorsOrReplacedNeverFollowed() throws {
    let temporary = try TemporaryFolder()
    let outside = try TemporaryFolder()
    try FileSystem.write([5], to: outside.path + "/x")
    #expect(symlink(outside.path, temporary.path + "/dir") == 0)
    #expect(symlink(outside.path + "/x", temporary.path + "/x") == 0)
    #expect(symlink(outside.path + "/new", temporary.path + "/dangling") == 0)
    let folder = try Folder(opening: temporary.path)
    var code: Int32?
    do { try folder.makeFolders("dir/sub") } catch { code = error.code }
    #expect(code == ENOTDIR)
    let outcome = try folder.writeIfChanged([5].span, to: "x")
    #expect(outcome == .replaced)
    let isNew = try folder.create("dangling", with: [6].span)
    #expect(!isNew)
    let second = try folder.writeIfChanged([6].span, to: "dangling")
    #expect(second == .replaced)
    #expect(FileSystem.status(temporary.path + "/dangling")?.kind == .file)
    #expect(try FileSystem.list(outside.path).map(\.name) == ["x"])
    #expect(try FileSystem.read(outside.path + "/x") == [5])
    #expect(throws: FileError.self) {
      _ = try Folder(opening: temporary.path + "/dir", followsLinks: false)
    }
  }

  @Test(arguments: ["/a", "a//b", "", "../a", "a/../../b", "."])
  func pathsThatLeaveAreRefused(path: String) throws {
    let temporary = try TemporaryFolder()
    let folder = try Folder(opening: temporary.path)
    var code: Int32 = 0
    do {
      try folder.makeFolders(path)
      _ = try folder.create(path, with: [1].span)
    } catch {
      code = error.code
    }
    #expect(code != 0)
    #expect(try FileSystem.list(temporary.path).allSatisfy { $0.kind == .directory })
  }

  @Test
  func noTemporaryFileStaysAfterAnError() throws {
    let temporary = try TemporaryFolder()
    try FileSystem.makeDirectories(temporary.path + "/x")
    let folder = try Folder(opening: temporary.path)
    var error: FileError?
    do { try folder.replace("x", with: [1].span) } catch let caught { error = caught }
    #expect(error?.code == EISDIR)
    #expect(error?.path == temporary.path + "/x")
    #expect(try FileSystem.list(temporary.path).map(\.name) == ["x"])
  }

  @Test
  func manyWorkersReplaceOneFile() async throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 as Range<UInt8> {
        group.addTask {
          let folder = try Folder(opening: path)
          for _ in 0..<100 {
            try folder.replace("x", with: [UInt8](repeating: worker, count: 1000).span)
          }
        }
      }
      try await group.waitForAll()
    }
    let content = try FileSystem.read(path + "/x")
    #expect(content.count == 1000)
    #expect(Set(content).count == 1)
    #expect(try FileSystem.list(path).map(\.name) == ["x"])
  }
}
