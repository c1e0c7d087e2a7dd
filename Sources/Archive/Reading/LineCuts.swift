import Bytes
import Glibc
import JSON

/// Cuts a large file of JSON lines into parts that are read by themselves.
///
/// A cut stands where a hash of the line before it says so (content-defined chunking, as in rsync and
/// restic): a change moves the cuts beside it and no others, so that what is known of other parts
/// stays known. Cuts depend on nothing but the file's bytes.
struct LineCuts: Sendable {
  /// Smaller files are read at once; in bytes.
  var smallestFile = 2 << 20
  /// What one worker looks through at once, in bytes.
  var blockSize = 512 << 10
  /// About how far cuts are apart, in bytes: two to this power.
  var usualBits: UInt64 = 20
  /// No part is shorter, but for the last of a file.
  var shortest = 256 << 10
  /// No part is longer by more than a line.
  var longest = 4 << 20
  /// A line counts as no longer than this when cuts are chosen.
  private static let longestLine = 4 << 10

  /// Whether the file holds a record a line, as far as its beginning tells.
  func hasLines(_ file: borrowing FileDescriptor) -> Bool {
    guard let start = try? file.read(count: 1 << 20, at: 0) else { return false }
    var splitter = JSONSplitter(.lines)
    var count = 0
    while splitter.layout == .unknown, count < 1000 {
      if splitter.next(in: start.span, at: 0, isLast: false) == nil { break }
      count += 1
    }
    return splitter.layout == .lines
  }

  /// The places in a block of the file where a cut may stand.
  func candidates(
    _ file: borrowing FileDescriptor,
    block: Int,
    buffer: inout ByteBuffer
  ) throws(FileError) -> [Int] {
    let start = block * blockSize
    let window = max(0, start - Self.longestLine)
    buffer.removeAll()
    try file.read(count: start + blockSize - window, at: window, into: &buffer)
    var found: [Int] = []
    let bytes = buffer.unsafeBytes
    guard let base = bytes.baseAddress else { return [] }
    var lineStart = 0
    while lineStart < bytes.count,
      let end = memchr(base + lineStart, 0x0A, bytes.count - lineStart)
    {
      let lineEnd = UnsafeRawPointer(end) - UnsafeRawPointer(base)
      if window + lineEnd >= start {
        let length = min(lineEnd - lineStart, Self.longestLine)
        let tail = UnsafeBufferPointer(rebasing: bytes[lineEnd - min(length, 64)..<lineEnd])
        if Fingerprint.of(tail) >> (64 - usualBits) < UInt64(length) {
          found.append(window + lineEnd + 1)
        }
      }
      lineStart = lineEnd + 1
    }
    return found
  }

  /// The parts of a file of `size` bytes; nil where a line is too long to be read at once.
  func parts(
    of file: borrowing FileDescriptor,
    size: Int,
    candidates: [Int]
  ) -> [Range<Int>]? {
    var parts: [Range<Int>] = []
    var start = 0
    for candidate in candidates + [size] where candidate <= size {
      while candidate - start > longest {
        guard let cut = lineStart(in: file, from: start + longest) else { return nil }
        if cut >= candidate { break }
        parts.append(start..<cut)
        start = cut
      }
      if candidate - start > JSONSplitter.maximumRecord { return nil }
      if candidate - start >= shortest || candidate == size, candidate > start {
        parts.append(start..<candidate)
        start = candidate
      }
    }
    return parts
  }

  /// Where the first line begins that begins at `offset` or behind it; nil where that is too far.
  private func lineStart(in file: borrowing FileDescriptor, from offset: Int) -> Int? {
    var position = offset - 1
    while position < offset + JSONSplitter.maximumRecord {
      guard let block = try? file.read(count: 64 << 10, at: position) else { return nil }
      if let end = block.firstIndex(of: 0x0A) { return position + end + 1 }
      position += block.count
      if block.isEmpty { return position }
    }
    return nil
  }
}
