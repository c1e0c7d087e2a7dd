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
}
