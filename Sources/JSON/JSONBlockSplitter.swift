/// Runs a ``JSONSplitter`` over a file read in blocks: memory is one block, or the longest record.
public struct JSONBlockSplitter: ~Copyable {
  private var splitter: JSONSplitter
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  /// Offset in the file of the first byte in memory.
  private var base = 0
  private var isAtEnd = false

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - format: what the file's name says about it.
  ///   - path: see ``JSONSplitter/init(_:inside:)``.
  ///   - blockSize: bytes to read at once.
  public init(
    _ format: JSONSplitter.Format = .automatic,
    inside path: [String] = [],
    blockSize: Int = 1 << 20
  ) {
    splitter = JSONSplitter(format, inside: path)
    capacity = max(blockSize, 64)
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// What the file turned out to be so far.
  public var layout: JSONSplitter.Layout { splitter.layout }

  /// The next record or problem; nil at the file's end.
  ///
  /// - Parameter read: fills a part of the buffer with the bytes that follow those it gave before and
  ///   returns how many; 0 is the end of the file.
  /// - Returns: a piece whose record's bytes ``bytes(of:)`` gives until the next call.
  /// - Throws: what `read` throws.
  public mutating func next<Failure: Error>(
    read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> JSONPiece? {
    while true {
      let window = UnsafeBufferPointer(start: UnsafePointer(memory), count: count)
      switch splitter.step(in: window, at: base, isLast: isAtEnd) {
      case .piece(let piece): return piece
      case .end: return nil
      case .needsMore:
        if isAtEnd { return nil }
        let kept = base + count - splitter.position
        if kept > JSONSplitter.maximumRecord { return splitter.stopAtOversizeRecord() }
        makeRoom()
        try fill(read)
      }
    }
  }

  /// The bytes of the record that `next` gave last.
  public func bytes(of record: JSONRecord) -> UnsafeBufferPointer<UInt8> { bytes(in: record.range) }

  /// The name of the member that `next` gave last, with its quotes; empty for an element.
  public func key(of record: JSONRecord) -> UnsafeBufferPointer<UInt8> {
    bytes(in: record.key ?? 0..<0)
  }

  private func bytes(in range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let start = range.lowerBound - base
    guard start >= 0, start + range.count <= count else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: memory + start, count: range.count)
  }

  /// Reads until the memory is full: a reader that gives little at once must not cost a scan each.
  private mutating func fill<Failure: Error>(
    _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    while count < capacity, !isAtEnd {
      let free = UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
      let got = try read(free)
      if got <= 0 { isAtEnd = true }
      count += max(0, min(got, free.count))
    }
  }

  /// Drops what is cut; grows when a record fills the memory.
  private mutating func makeRoom() {
    let done = max(0, splitter.position - base)
    if done > 0 {
      memory.update(from: memory + done, count: count - done)
      count -= done
      base += done
    }
    guard count > capacity / 2 else { return }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
    capacity *= 2
  }
}
