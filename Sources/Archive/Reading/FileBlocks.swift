import Bytes

/// Blocks of files, read lately: pages of one time take their records from the same few.
///
/// A block is read when it is asked for a second time, so that a record far from all others costs no
/// more than itself.
struct FileBlocks: ~Copyable {
  private static let blockSize = 128 << 10
  /// Each has one place, by its number.
  private static let places = 48
  /// Longer runs are read as they are.
  private static let longest = blockSize / 2

  /// Which block is in a place, and which was asked for last.
  private struct Place {
    var held = -1
    var asked = -1
    /// Bytes of the block; fewer than its size at the end of a file.
    var count = 0
  }

  private var states: [Place] = []
  private var memory: UnsafeMutableRawPointer?

  init() {}

  deinit { memory?.deallocate() }

  /// Appends a part of a file.
  ///
  /// - Returns: False, and nothing is appended, where it is to be read without blocks: for the first
  ///   time, or past the end of the file.
  mutating func read(
    _ descriptor: borrowing FileDescriptor,
    _ file: FileID,
    at offset: Int,
    count: Int,
    into buffer: inout ByteBuffer
  ) throws(FileError) -> Bool {
    if count == 0 || count > Self.longest || offset < 0 { return false }
    let first = offset / Self.blockSize
    let last = (offset + count - 1) / Self.blockSize
    for block in first...last {
      guard try hold(block, descriptor, file) else { return false }
    }
    let start = buffer.count
    for block in first...last {
      let base = block * Self.blockSize
      let from = max(offset, base) - base
      let end = min(offset + count - base, states[place(of: block, file)].count)
      guard from < end, let bytes = bytes(of: place(of: block, file)) else { break }
      buffer.append(UnsafeBufferPointer(rebasing: bytes[from..<end]))
    }
    if buffer.count - start == count { return true }
    buffer.truncate(to: start)
    return false
  }

  private func place(of block: Int, _ file: FileID) -> Int {
    (block + file.index * 7) % Self.places
  }

  private func bytes(of place: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let memory else { return nil }
    let start = (memory + place * Self.blockSize).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: states[place].count)
  }

  /// Makes sure that a block is held; false if it is asked for the first time.
  private mutating func hold(
    _ block: Int,
    _ descriptor: borrowing FileDescriptor,
    _ file: FileID
  ) throws(FileError) -> Bool {
    if states.isEmpty { states = Array(repeating: Place(), count: Self.places) }
    let place = place(of: block, file)
    let key = file.index << 32 | block
    if states[place].held == key { return true }
    guard states[place].asked == key else {
      states[place].asked = key
      return false
    }
    let memory =
      self.memory ?? .allocate(byteCount: Self.places * Self.blockSize, alignment: 4096)
    self.memory = memory
    states[place].held = -1
    states[place].count = try descriptor.read(
      into: UnsafeMutableRawBufferPointer(
        start: memory + place * Self.blockSize,
        count: Self.blockSize
      ),
      at: block * Self.blockSize
    )
    states[place].held = key
    return true
  }
}
