import Bytes

/// The file read last, kept open.
struct OpenFile: ~Copyable {
  private var newest: FileDescriptor?
  private var file = FileID(-1)
  private var isChecked = false
  private var blocks = FileBlocks()

  /// The open file is checked again before it is next read: once for many scattered records, which
  /// are compared with their fingerprints besides.
  mutating func beginBatch() { isChecked = false }

  /// Opens a file unless it is open, and makes sure that it is the one that was scanned.
  mutating func open(
    _ id: FileID,
    _ path: @autoclosure () -> String,
    expecting file: ContentFile
  ) throws(DetailsError) {
    do throws(FileError) {
      if self.file != id || newest == nil {
        newest = nil
        newest = try FileDescriptor(reading: path(), followsLinks: false)
        self.file = id
        isChecked = false
      }
    } catch {
      if error.isMissing { throw .changed(path: file.path) }
      throw .unreadable(error)
    }
    if isChecked { return }
    try check(expecting: file)
    isChecked = true
  }

  /// Reads a part of the open file; returns how many bytes there were.
  mutating func read(
    at offset: Int,
    count: Int,
    into buffer: inout ByteBuffer
  ) throws(DetailsError) -> Int {
    do throws(FileError) {
      switch newest {
      case .some(let descriptor):
        if try blocks.read(descriptor, file, at: offset, count: count, into: &buffer) {
          return count
        }
        return try descriptor.read(count: count, at: offset, into: &buffer)
      case .none: return 0
      }
    } catch {
      throw .unreadable(error)
    }
  }

  /// Makes sure that the open file is the one that was scanned.
  private func check(expecting file: ContentFile) throws(DetailsError) {
    var isSame = false
    do throws(FileError) {
      switch newest {
      case .some(let descriptor):
        let status = try descriptor.status()
        isSame =
          UInt64(clamping: status.size) == file.size && status.modified == file.modified
          && status.inode == file.inode
      case .none: break
      }
    } catch {
      throw .unreadable(error)
    }
    if !isSame { throw .changed(path: file.path) }
  }
}
