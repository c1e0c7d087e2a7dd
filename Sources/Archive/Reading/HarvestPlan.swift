import Bytes

/// What one worker reads at once.
enum Portion: Sendable {
  /// Files of a run of `ContentScan.sources`.
  case files(Range<Int>)
  case part(FilePart)
}

/// A part of a large file of JSON lines.
struct FilePart: Sendable {
  /// In `ContentScan.sources`.
  var source: Int
  /// Offsets in the file, whole lines.
  var bytes: Range<Int>
  var isFirst: Bool
  var isLast: Bool
  /// Of the whole file, before it was cut.
  var status: FileStatus
  /// Of its bytes, where the file is known to be what it was.
  var hash: UInt64?
  /// Whether its bytes stay in memory until pages are rendered.
  var isKept: Bool
}

/// Everything to be read, in the order of paths, in portions that are the same for any number of
/// workers.
struct HarvestPlan: Sendable {
  private(set) var portions: [Portion] = []
  /// By source.
  let statuses: [FileStatus?]
  /// By source: the parts of large files that are what they were.
  private let kept: [Int: [KeptParts.Part]]

  /// Whether a large file is known to be what it was.
  func isKept(_ source: Int) -> Bool { kept[source] != nil }

  /// - Parameters:
  ///   - root: The archive's folder.
  ///   - sources: What is to be read.
  ///   - workers: Who looks through large files.
  ///   - cuts: How large files are cut; nil where every file is to be read as a whole.
  ///   - cache: What is known of large files.
  ///   - budget: Room for the texts of files.
  init(
    root: String,
    sources: [Source],
    workers: Workers,
    cuts: LineCuts?,
    cache: ContentCache? = nil,
    budget: TextBudget = TextBudget()
  ) async {
    let statuses = await Self.statuses(root, sources, workers)
    self.statuses = statuses
    // Sparse files may claim any size.
    budget.expect(statuses.reduce(0) { $0 + min($1?.size ?? 0, 1 << 32) })
    var parts: [Int: [Range<Int>]] = [:]
    var kept: [Int: [KeptParts.Part]] = [:]
    if let cuts {
      if let cache { kept = Self.kept(sources, statuses, cuts, cache) }
      parts = kept.mapValues { $0.map(\.bytes) }
      let others = await Self.parts(root, sources, statuses, cuts, workers) { kept[$0] != nil }
      parts.merge(others) { first, _ in first }
    }
    self.kept = kept
    var start = 0
    func files(upTo end: Int) -> [Portion] { end > start ? [.files(start..<end)] : [] }
    for index in sources.indices {
      if let cuts = parts[index], let status = statuses[index] {
        portions += files(upTo: index)
        // What is known of a file's parts is not read.
        let isKept = kept[index] == nil && budget.take(status.size)
        for (number, cut) in cuts.enumerated() {
          let part = FilePart(
            source: index,
            bytes: cut,
            isFirst: number == 0,
            isLast: number == cuts.count - 1,
            status: status,
            hash: kept[index]?[number].hash,
            isKept: isKept
          )
          portions.append(.part(part))
        }
        start = index + 1
      } else if Self.standsAlone(statuses[index]) {
        portions += files(upTo: index) + [.files(index..<index + 1)]
        start = index + 1
      } else if Self.endsRun(sources[index].path) || index - start >= 255 {
        portions += files(upTo: index + 1)
        start = index + 1
      }
    }
    portions += files(upTo: sources.count)
  }

  /// Whether a file is large enough to be a portion by itself.
  private static func standsAlone(_ status: FileStatus?) -> Bool {
    (status?.size ?? 0) >= 256 << 10
  }

  /// Whether a run of small files, of 64 on average, ends with this one.
  ///
  /// The path decides, so that a new file changes one run and not all behind it.
  private static func endsRun(_ path: String) -> Bool { Fingerprint.of(path) & 63 == 0 }

  private static func statuses(
    _ root: String,
    _ sources: [Source],
    _ workers: Workers
  ) async -> [FileStatus?] {
    if sources.allSatisfy({ $0.status != nil }) { return sources.map(\.status) }
    let run = 256
    let found = await workers.map((sources.count + run - 1) / run) { number in
      sources[number * run..<min((number + 1) * run, sources.count)].map {
        FileSystem.status("\(root)/\($0.path)")
      }
    }
    return Array(found.joined())
  }

  private static func kept(
    _ sources: [Source],
    _ statuses: [FileStatus?],
    _ cuts: LineCuts,
    _ cache: ContentCache
  ) -> [Int: [KeptParts.Part]] {
    var kept: [Int: [KeptParts.Part]] = [:]
    var buffer = ByteBuffer()
    for index in sources.indices where sources[index].format == .lines {
      guard let status = statuses[index], status.kind == .file, status.size >= cuts.smallestFile
      else { continue }
      kept[index] = KeptParts.load(sources[index].path, status, cache, &buffer)
    }
    return kept
  }

  /// The parts of the files that are cut, by their place in `sources`.
  private static func parts(
    _ root: String,
    _ sources: [Source],
    _ statuses: [FileStatus?],
    _ cuts: LineCuts,
    _ workers: Workers,
    except isKnown: (Int) -> Bool
  ) async -> [Int: [Range<Int>]] {
    var parts: [Int: [Range<Int>]] = [:]
    for index in sources.indices where sources[index].format == .lines && !isKnown(index) {
      guard let status = statuses[index], status.kind == .file,
        status.size >= cuts.smallestFile,
        let file = try? SharedFile("\(root)/\(sources[index].path)"),
        cuts.hasLines(file.descriptor)
      else { continue }
      let blocks = (status.size + cuts.blockSize - 1) / cuts.blockSize
      let candidates = await workers.map(blocks, memory: ByteBuffer.empty) { buffer, block in
        (try? cuts.candidates(file.descriptor, block: block, buffer: &buffer)) ?? []
      }
      parts[index] = cuts.parts(
        of: file.descriptor,
        size: status.size,
        candidates: Array(candidates.joined())
      )
    }
    return parts
  }
}

/// An open file that several workers read.
private final class SharedFile: Sendable {
  let descriptor: FileDescriptor

  init(_ path: String) throws(FileError) {
    descriptor = try FileDescriptor(reading: path, followsLinks: false)
  }
}

extension ByteBuffer {
  @Sendable
  fileprivate static func empty() -> ByteBuffer { ByteBuffer() }
}
