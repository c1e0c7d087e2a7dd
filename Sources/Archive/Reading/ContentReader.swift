import Bytes

/// Reads an archive's content folder into an index.
///
/// The result is the same for any number of workers and any order in which the system lists files:
/// what the workers gather is joined in the order of paths.
public struct ContentReader: Sendable {
  private let root: String
  private let configuration: Configuration
  private let workers: Int
  private let cache: ContentCache?
  private let listings: FolderListings
  /// How large files are cut; nil reads every file as a whole, as tests do to compare.
  var cuts: LineCuts? = LineCuts()
  /// The most entries, and the most bytes of their texts; tests set it lower.
  var limit = ArchiveTooLarge.limit

  /// A reader of one archive.
  ///
  /// - Parameters:
  ///   - root: The archive's folder, with `Content` in it.
  ///   - configuration: What `Configuration.read(root:)` gave, the command line's wishes applied.
  ///   - workers: How many files are read at once, at least 1.
  ///   - cache: What earlier runs found out; nil reads everything.
  ///   - listings: What stands in the content's folders, as far as that was just looked at.
  public init(
    root: String,
    configuration: Configuration,
    workers: Int = 2,
    cache: ContentCache? = nil,
    listings: FolderListings = [:]
  ) {
    self.root = root
    self.cache = cache
    self.listings = listings
    self.configuration = configuration
    self.workers = max(workers, 1)
  }

  /// Reads everything that `audience` may see; what it may not see has no influence on the result.
  ///
  /// - Parameters:
  ///   - audience: Nil for the configuration's.
  ///   - drafts: Whether drafts are kept; nil for the configuration's wish.
  /// - Returns: The archive, and what is wrong with the content, in the order of files and lines.
  /// - Throws: `FileError` where the content folder itself can't be listed, `ArchiveTooLarge` where
  ///   there are more entries than an index can hold.
  public func read(
    audience: Audience? = nil,
    drafts: Bool? = nil
  ) async throws -> (archive: Archive, diagnostics: [Diagnostic]) {
    Heap.widen()
    let scan = try ContentScan(root: root, listings: listings)
    var diagnostics = scan.diagnostics
    let channels = scan.channels.map { ChannelRules($0, in: root, configuration, &diagnostics) }
    let people = PeopleReader.read(scan.peopleFiles, in: root, configuration, &diagnostics)
    let media = MediaIndex(files: scan.media)
    let harvester = Harvester(
      root: root,
      scan: scan,
      configuration: configuration,
      channels: channels,
      media: media,
      workers: Workers(workers),
      cuts: cuts,
      cache: cache
    )
    let harvests = await harvester.harvests()
    try ArchiveTooLarge.check(harvests, limit: limit)
    var archive = Archive(configuration: configuration)
    archive.media = media
    archive.channelTables = channels.map(\.rules.table)
    archive.channelDates = channels.map(\.rules.dates)
    archive.staticFiles = scan.staticFiles
    var builder = ArchiveBuilder(
      raw: RawArchive(joining: harvests),
      scan: scan,
      rules: channels,
      audience: audience ?? configuration.audience,
      includesDrafts: drafts ?? configuration.includesDrafts,
      archive: archive,
      people: people
    )
    archive = try Self.finish(&builder)
    diagnostics += builder.raw.diagnostics
    diagnostics += Remark.located(builder.remarks, in: root, scan.paths)
    return (archive, Diagnostic.sorted(diagnostics))
  }

  /// Builds an archive and adds what is known of its files.
  static func finish(_ builder: inout ArchiveBuilder) throws(ArchiveTooLarge) -> Archive {
    var archive = builder.build()
    if builder.raw.isOverfull {
      throw ArchiveTooLarge(entries: archive.entries.count, text: archive.text.count)
    }
    archive.files = files(builder.scan, builder.raw.statuses)
    archive.texts = texts(of: archive.files, &builder.raw.texts)
    return archive
  }

  /// The texts that were kept, by file; those of a large file's parts are joined, if all are there.
  private static func texts(
    of files: [ContentFile],
    _ parts: inout [(file: FileID, text: [UInt8])]
  ) -> [[UInt8]] {
    var texts: [[UInt8]] = Array(repeating: [], count: files.count)
    for index in parts.indices {
      let file = parts[index].file.index
      // Given back one by one.
      var text: [UInt8] = []
      swap(&text, &parts[index].text)
      if texts[file].isEmpty {
        texts[file] = text
        if text.count < files[file].size { texts[file].reserveCapacity(Int(files[file].size)) }
      } else {
        texts[file] += text
      }
    }
    for index in texts.indices where texts[index].count != files[index].size { texts[index] = [] }
    return texts
  }

  private static func files(
    _ scan: ContentScan,
    _ statuses: [(file: FileID, status: FileStatus)]
  ) -> [ContentFile] {
    var files = scan.paths.map { ContentFile(path: $0, size: 0, modified: 0, inode: 0) }
    for (file, status) in statuses {
      files[file.index].size = UInt64(clamping: status.size)
      files[file.index].modified = status.modified
      files[file.index].inode = status.inode
    }
    return files
  }
}

extension Remark {
  /// The diagnostics with their lines, for which each file is read once more.
  static func located(_ remarks: [Remark], in root: String, _ paths: [String]) -> [Diagnostic] {
    let sorted = remarks.sorted {
      ($0.record.file.rawValue, $0.record.offset) < ($1.record.file.rawValue, $1.record.offset)
    }
    var counter = LineCounter()
    return sorted.map { remark in
      var diagnostic = remark.diagnostic
      diagnostic.line =
        remark.isDocument
        ? 1
        : counter.line(
          at: Int(remark.record.offset),
          of: "\(root)/\(paths[remark.record.file.index])"
        )
      return diagnostic
    }
  }
}

/// Counts the lines up to offsets that grow, file after file.
private struct LineCounter {
  private var path = ""
  private var offset = 0
  private var line = 1
  private let buffer = 256 << 10

  mutating func line(at wanted: Int, of path: String) -> Int {
    if path != self.path {
      self.path = path
      offset = 0
      line = 1
    }
    guard let file = try? FileDescriptor(reading: path, followsLinks: false) else { return 0 }
    while offset < wanted {
      guard let block = try? file.read(count: min(buffer, wanted - offset), at: offset),
        !block.isEmpty
      else { break }
      for byte in block where byte == 0x0A { line += 1 }
      offset += block.count
    }
    return line
  }
}

extension Diagnostic {
  /// By file, line and words.
  static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.path != second.path { return precedes(first.path, second.path) }
      if first.line != second.line { return first.line < second.line }
      return left.offset < right.offset
    }.map(\.element)
  }
}
