import Bytes
import JSON
import Synchronization

/// Reads one file after another into a harvest: one per worker, its memory kept from file to file.
struct FileReader: ~Copyable {
  private var records = RecordReader()
  private var document = DocumentReader()
  private var buffer = ByteBuffer(capacity: 64 << 10)
  private let root: String
  private let budget: TextBudget

  /// Larger files are read in blocks, so that memory is bounded.
  private static let wholeLimit = 4 << 20

  init(root: String, budget: TextBudget) {
    self.root = root
    self.budget = budget
  }

  /// Reads a file; one that can't be read is a diagnostic.
  mutating func read(_ file: FileContext, into harvest: inout Harvest) {
    let start = harvest.count
    do throws(FileError) {
      let descriptor = try FileDescriptor(
        reading: String(folder: root, name: file.source.path),
        followsLinks: false
      )
      let status = try descriptor.statusWhenOpened()
      harvest.statuses.append((file.source.file, status))
      switch file.source.format {
      case .json, .lines: try readRecords(descriptor, status, file, into: &harvest)
      case .markdown, .html, .yaml: try readDocument(descriptor, status, file, into: &harvest)
      }
    } catch {
      harvest.hasFailed = true
      harvest.report(.unreadable(file.source.path, error))
    }
    harvest.endSegment(file.source.target, from: start)
  }

  /// Gets the bytes of a part of a file; false where the system doesn't give them.
  mutating func load(_ part: FilePart, _ source: Source) -> Bool {
    do throws(FileError) {
      let descriptor = try FileDescriptor(
        reading: String(folder: root, name: source.path),
        followsLinks: false
      )
      buffer.removeAll()
      let got = try descriptor.read(
        count: part.bytes.count,
        at: part.bytes.lowerBound,
        into: &buffer
      )
      return got == part.bytes.count
    } catch {
      return false
    }
  }

  /// A hash of the bytes of the part.
  func hashOfPart(seed: UInt64) -> UInt64 { Fingerprint.of(buffer.bytes, seed: seed) }

  /// Reads the part of a file of JSON lines whose bytes `load` got.
  mutating func readLoaded(_ part: FilePart, of file: FileContext, into harvest: inout Harvest) {
    harvest.reserveBlock()
    var splitter =
      part.isFirst ? JSONSplitter(.lines) : JSONSplitter(inLinesAt: part.bytes.lowerBound)
    let base = part.bytes.lowerBound
    while let piece = splitter.next(in: buffer.bytes, at: base, isLast: part.isLast) {
      switch piece {
      case .problem(let problem): harvest.report(.problem(problem, file))
      case .record(let record):
        let range = record.range.lowerBound - base..<record.range.upperBound - base
        records.read(
          UnsafeBufferPointer(rebasing: buffer.unsafeBytes[range]),
          record,
          isWholeFile: false,
          of: file,
          into: &harvest
        )
      }
    }
    harvest.part?.lines = splitter.currentLine - 1
    let isWhole = part.isLast || splitter.offset == part.bytes.upperBound
    harvest.part?.runsOver = splitter.layout != .lines || !isWhole
    if part.isKept { harvest.texts.append((file.source.file, buffer.array)) }
    harvest.endSegment(file.source.target, from: 0)
  }

  private mutating func readRecords(
    _ descriptor: borrowing FileDescriptor,
    _ status: FileStatus,
    _ file: FileContext,
    into harvest: inout Harvest
  ) throws(FileError) {
    let format: JSONSplitter.Format = file.source.format == .lines ? .lines : .automatic
    let needsWhole = file.source.target == .posts && file.source.format == .json
    if status.size > (needsWhole ? JSONSplitter.maximumRecord : Self.wholeLimit) {
      try readBlocks(descriptor, format, file, into: &harvest)
      return
    }
    buffer.removeAll()
    try descriptor.read(count: status.size, at: 0, into: &buffer)
    keep(file, in: &harvest)
    var splitter = JSONSplitter(format)
    var piece = splitter.next(in: buffer.bytes)
    var isFirst = true
    while let current = piece {
      let next = splitter.next(in: buffer.bytes)
      switch current {
      case .problem(let problem): harvest.report(.problem(problem, file))
      case .record(let record):
        let isWholeFile = isFirst && next == nil && splitter.layout != .array && needsWhole
        records.read(
          UnsafeBufferPointer(rebasing: buffer.unsafeBytes[record.range]),
          record,
          isWholeFile: isWholeFile,
          of: file,
          into: &harvest
        )
        isFirst = false
      }
      piece = next
    }
  }

  /// Keeps the text of a small file while there is room.
  private func keep(_ file: FileContext, in harvest: inout Harvest) {
    if budget.take(buffer.count) { harvest.texts.append((file.source.file, buffer.array)) }
  }

  private mutating func readBlocks(
    _ descriptor: borrowing FileDescriptor,
    _ format: JSONSplitter.Format,
    _ file: FileContext,
    into harvest: inout Harvest
  ) throws(FileError) {
    var splitter = JSONBlockSplitter(format)
    var position = 0
    while true {
      let piece = try splitter.next { memory throws(FileError) in
        let got = try descriptor.read(into: memory, at: position)
        position += got
        return got
      }
      switch piece {
      case nil: return
      case .problem(let problem): harvest.report(.problem(problem, file))
      case .record(let record):
        records.read(
          splitter.bytes(of: record),
          record,
          isWholeFile: false,
          of: file,
          into: &harvest
        )
      }
    }
  }

  private mutating func readDocument(
    _ descriptor: borrowing FileDescriptor,
    _ status: FileStatus,
    _ file: FileContext,
    into harvest: inout Harvest
  ) throws(FileError) {
    guard status.size <= JSONSplitter.maximumRecord else {
      harvest.report(Diagnostic(.error, path: file.source.path, headline: "The file is too large"))
      return
    }
    buffer.removeAll()
    try descriptor.read(count: status.size, at: 0, into: &buffer)
    keep(file, in: &harvest)
    let bytes = buffer.unsafeBytes
    if file.source.format == .yaml {
      guard document.read(yaml: bytes, of: file, into: &harvest) else { return }
    } else {
      let hasFrontMatter = document.read(bytes, of: file, into: &harvest)
      if file.source.format == .html, !hasFrontMatter {
        harvest.report(.noFrontMatter(file))
        return
      }
    }
    readFrontMatter(of: bytes, file, into: &harvest)
  }

  private mutating func readFrontMatter(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    let place = RecordPlace(
      offset: 0,
      length: bytes.count,
      line: 1,
      fingerprint: Fingerprint.of(bytes),
      document: UInt32(truncatingIfNeeded: harvest.documents.count),
      isWholeFile: true,
      keys: document.keys
    )
    let body = document.body
    let json = document.json.unsafeBytes
    if file.source.target == .pages {
      records.readPage(json, as: place, body: body, of: file, into: &harvest)
      return
    }
    let text = json.count > 2 ? harvest.append(text: json) : .empty
    harvest.documents.append(Document(frontMatter: text, body: body))
    records.read(json, as: place, of: file, into: &harvest)
  }
}

extension RecordReader {
  fileprivate mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ record: JSONRecord,
    isWholeFile: Bool,
    of file: FileContext,
    into harvest: inout Harvest
  ) {
    let place = RecordPlace(
      offset: record.range.lowerBound,
      length: bytes.count,
      line: record.line,
      fingerprint: Fingerprint.of(bytes),
      isWholeFile: isWholeFile
    )
    read(bytes, as: place, of: file, into: &harvest)
  }
}

extension Diagnostic {
  fileprivate static func problem(_ problem: JSONProblem, _ file: FileContext) -> Self {
    Self(
      problem.kind == .notUTF8 || problem.kind == .recordTooLarge ? .error : .warning,
      path: file.source.path,
      line: problem.line,
      headline: "Not valid JSON: \(problem.reason)"
    )
  }

  fileprivate static func noFrontMatter(_ file: FileContext) -> Self {
    Self(
      .note,
      path: file.source.path,
      headline: "This HTML file has no front matter, so it is no entry"
    )
  }
}

/// How much text of files is kept in memory from the scan until pages are rendered.
///
/// An archive of many small files would open each of them again and again; one that fits as a whole
/// need not be read twice. Of a large archive's large files none is kept, so that its memory stays
/// bounded by its index.
final class TextBudget: Sendable {
  private static let room = 48 << 20
  /// Files up to that size are kept in any archive.
  private static let small = 64 << 10
  private let left = Atomic(room)
  private let keepsLarge = Atomic(false)

  /// Tells how much there is to be read in all, before any room is taken.
  func expect(_ total: Int) { keepsLarge.store(total <= Self.room, ordering: .relaxed) }

  /// Takes room for a text; false if there is none for it.
  func take(_ count: Int) -> Bool {
    if count > Self.small, !keepsLarge.load(ordering: .relaxed) { return false }
    if left.load(ordering: .relaxed) < count { return false }
    return left.wrappingSubtract(count, ordering: .relaxed).newValue >= 0
  }
}
