import Bytes
import Glibc
import Testing

@Suite
struct FileSystemTests {
  @Test(arguments: [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 300_000])
  func writesReadsAndComparesFilesOfAnySize(size: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    var bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try FileSystem.write(bytes, to: path)
    #expect(try FileSystem.read(path) == bytes)
    var buffer = ByteBuffer()
    buffer.append(7)
    try FileSystem.read(path, into: &buffer)
    let appended = buffer.array
    #expect(appended == [7] + bytes)
    #expect(try !FileSystem.writeIfChanged(bytes, to: path))
    bytes.append(1)
    #expect(try FileSystem.writeIfChanged(bytes, to: path))
    #expect(try FileSystem.read(path) == bytes)
    bytes[size / 2] ^= 1
    #expect(try FileSystem.writeIfChanged(bytes, to: path))
    bytes.removeLast()
    #expect(try FileSystem.writeIfChanged(bytes, to: path))
    #expect(try FileSystem.read(path) == bytes)
    #expect(try FileSystem.list(folder.path).map(\.name) == ["a"])
  }

  @Test
  func anEqualFileKeepsItsInodeAndTimes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    #expect(try FileSystem.writeIfChanged([1, 2, 3], to: path))
    let before = FileSystem.status(path)
    #expect(try !FileSystem.writeIfChanged([1, 2, 3], to: path))
    #expect(FileSystem.status(path) == before)
  }

  @Test
  func errorsNamePathAndReason() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/none/x"
    let error = #expect(throws: FileError.self) { try FileSystem.write([1], to: path) }
    #expect(error?.isMissing == true)
    #expect(
      error?.description
        == "cannot open '\(folder.path)/none': No such file or directory"
    )
    #expect(throws: FileError(path: folder.path, operation: "read", code: EISDIR)) {
      try FileSystem.read(folder.path)
    }
    #expect(throws: FileError(path: "a\0b", operation: "read", code: EINVAL)) {
      try FileSystem.read("a\0b")
    }
    try FileSystem.write([1, 2, 3], to: folder.path + "/x")
    #expect(throws: FileError(path: folder.path + "/x", operation: "read", code: EFBIG)) {
      try FileSystem.read(folder.path + "/x", limit: 2)
    }
    #expect(try FileSystem.read(folder.path + "/x", limit: 3) == [1, 2, 3])
  }

  @Test
  func aNamedPipeHoldsNobodyUp() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: FileError.self) { try FileSystem.read(path) }
    #expect(error?.description == "cannot read '\(path)': Not an ordinary file")
    #expect(FileSystem.status(path)?.kind == .other)
    #expect(try FileSystem.writeIfChanged([1], to: path))
    #expect(try FileSystem.read(path) == [1])
  }

  @Test
  func aFullDiskIsAnErrorAndNotSuccess() throws {
    let file = FileDescriptor(owning: open("/dev/full", O_WRONLY), path: "/dev/full")
    var code: Int32?
    do { try file.write([1, 2, 3].span) } catch { code = error.code }
    #expect(code == ENOSPC)
  }

  @Test
  func readsFilesWhoseSizeIsUnknown() throws {
    let text = String(decoding: try FileSystem.read("/proc/self/status"), as: UTF8.self)
    #expect(text.hasPrefix("Name:"))
    var buffer = ByteBuffer()
    try FileSystem.read("/proc/self/status", into: &buffer)
    let length = buffer.count
    #expect(length > 100)
  }

  @Test
  func readsRanges() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    try FileSystem.write(Array(0..<200), to: path)
    let file = try FileDescriptor(reading: path)
    let middle = try file.read(count: 3, at: 100)
    #expect(middle == [100, 101, 102])
    let end = try file.read(count: 10, at: 195)
    #expect(end == [195, 196, 197, 198, 199])
    let beyond = try file.read(count: 10, at: 1_000_000)
    #expect(beyond == [])
    var code: Int32?
    do { _ = try file.read(count: 1, at: -1) } catch { code = error.code }
    #expect(code == EINVAL)
  }

  @Test
  func listsByBytesAndReportsNamesThatAreNoText() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a", "Z", "ü", ".hidden", "a.b"] {
      try FileSystem.write([], to: "\(folder.path)/\(name)")
    }
    try FileSystem.makeDirectories(folder.path + "/folder")
    #expect(symlink("a", folder.path + "/link") == 0)
    var bad = Array("\(folder.path)/x".utf8CString)
    bad.insert(contentsOf: [CChar(bitPattern: 0xFF), 0x0A], at: bad.count - 1)
    close(open(bad, O_CREAT | O_WRONLY, 0o644))
    let entries = try FileSystem.list(folder.path)
    #expect(
      entries.map(\.name) == [
        ".hidden", "Z", "a", "a.b", "b", "folder", "link", "x\\xff\\x0a", "ü",
      ]
    )
    #expect(
      entries.map(\.kind) == [
        .file, .file, .file, .file, .file, .directory, .link, .unreadableName, .file,
      ]
    )
    unlink(bad)
  }

  @Test
  func linksAreNotFollowedWhereThatIsAsked() throws {
    let folder = try TemporaryFolder()
    try FileSystem.write([1], to: folder.path + "/target")
    #expect(symlink("target", folder.path + "/link") == 0)
    #expect(symlink("/etc", folder.path + "/etc") == 0)
    let link = folder.path + "/link"
    #expect(try FileSystem.read(link) == [1])
    #expect(throws: FileError(path: link, operation: "read", code: ELOOP)) {
      try FileSystem.read(link, followsLinks: false)
    }
    #expect(throws: FileError.self) {
      try FileSystem.list(folder.path + "/etc", followsLinks: false)
    }
    #expect(FileSystem.status(link)?.kind == .link)
    #expect(FileSystem.statusFollowingLinks(link)?.kind == .file)
    // A write takes the link's place; what it pointed to stays as it was.
    try FileSystem.write([2], to: link)
    #expect(FileSystem.status(link)?.kind == .file)
    #expect(try FileSystem.read(folder.path + "/target") == [1])
  }

  @Test
  func replacingKeepsPermissions() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    for mode: mode_t in [0o600, 0o755, 0o644] {
      try FileSystem.write([1], to: path)
      chmod(path, mode)
      try FileSystem.writeDurably([2], to: path)
      #expect(FileSystem.status(path)?.mode == mode)
    }
  }

  @Test
  func makesAndRemovesFolders() throws {
    let folder = try TemporaryFolder()
    try FileSystem.makeDirectories(folder.path + "/a/b/c/")
    try FileSystem.makeDirectories(folder.path + "/a/b/c")
    #expect(FileSystem.isDirectory(folder.path + "/a/b/c"))
    #expect(try !FileSystem.removeEmptyDirectory(folder.path + "/a/b"))
    #expect(try FileSystem.removeEmptyDirectory(folder.path + "/a/b/c"))
    #expect(try FileSystem.removeEmptyDirectory(folder.path + "/a/b/c"))
    try FileSystem.write([1], to: folder.path + "/file")
    #expect(throws: FileError(path: folder.path + "/file", operation: "create", code: ENOTDIR)) {
      try FileSystem.makeDirectories(folder.path + "/file")
    }
    try FileSystem.rename(folder.path + "/file", to: folder.path + "/a/file")
    #expect(try FileSystem.read(folder.path + "/a/file") == [1])
    try FileSystem.removeFile(folder.path + "/a/file")
    try FileSystem.removeFile(folder.path + "/a/file")
    #expect(FileSystem.status(folder.path + "/a/file") == nil)
  }

  @Test
  func ourTemporaryNamesAreRecognised() {
    #expect(FileSystem.isTemporaryName(".stillfeed-tmp-12-3"))
    #expect(!FileSystem.isTemporaryName("stillfeed-tmp-12-3"))
    #expect(!FileSystem.isTemporaryName(".stillfeed"))
  }
}
