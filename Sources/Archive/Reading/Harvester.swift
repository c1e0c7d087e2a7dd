import Bytes

/// Reads all content files into harvests.
struct Harvester: Sendable {
  let root: String
  let scan: ContentScan
  let media: MediaIndex
  let workers: Workers
  let cuts: LineCuts?
  let cache: ContentCache?
  /// Of posts, comments and pages.
  private let common: SourceRules
  private let commonHash: UInt64
  /// By channel.
  private let channels: [(rules: SourceRules, hash: UInt64)]

  init(
    root: String,
    scan: ContentScan,
    configuration: Configuration,
    channels: [ChannelRules],
    media: MediaIndex,
    workers: Workers,
    cuts: LineCuts?,
    cache: ContentCache?
  ) {
    self.root = root
    self.scan = scan
    self.media = media
    self.workers = workers
    self.cuts = cuts
    self.cache = cache
    common = SourceRules(
      zone: configuration.timeZone,
      dates: configuration.dates,
      table: .standard,
      gathersTopics: false
    )
    commonHash = common.fingerprint
    self.channels = channels.map { ($0.rules, $0.rules.fingerprint) }
  }

  /// What stands in the files, in the order of paths.
  func harvests() async -> [Harvest] {
    let budget = TextBudget()
    let plan = await HarvestPlan(
      root: root,
      sources: scan.sources,
      workers: workers,
      cuts: cuts,
      cache: cache,
      budget: budget
    )
    let makeReader: @Sendable () -> PortionReader = {
      Heap.widen()
      return PortionReader(files: FileReader(root: root, budget: budget))
    }
    var harvests = await workers.map(plan.portions.count, memory: makeReader) { reader, number in
      switch plan.portions[number] {
      case .files(let range): read(range, plan.statuses, &reader)
      case .part(let part): read(part, &reader)
      }
    }
    readWhole(plan, &harvests, budget)
    if let cache {
      var names = Set(harvests.compactMap(\.keptName))
      keepParts(plan, harvests, cache, &names)
      cache.sweep(keeping: names)
    }
    return harvests
  }

  /// Reads files as a whole in which something ends behind the line it begins on.
  private func readWhole(_ plan: HarvestPlan, _ harvests: inout [Harvest], _ budget: TextBudget) {
    for (number, portion) in plan.portions.enumerated() {
      guard harvests[number].part?.runsOver == true, case .part(let part) = portion else {
        continue
      }
      var first = number
      while first > 0, harvests[first].part?.isFirst != true { first -= 1 }
      var whole = Harvest()
      var reader = FileReader(root: root, budget: budget)
      reader.read(context(of: part.source), into: &whole)
      harvests[first] = whole
      for other in plan.portions.indices.dropFirst(first + 1) {
        guard case .part(let next) = plan.portions[other], next.source == part.source else { break }
        harvests[other] = Harvest()
      }
    }
  }

  private func rules(of target: Target) -> SourceRules {
    switch target {
    case .posts, .comments, .pages: common
    case .channel(let number): channels[number].rules
    }
  }

  /// Of the rules and the kind of what they are for.
  private func ruleHash(for target: Target) -> UInt64 {
    switch target {
    case .posts: commonHash
    case .comments: Fingerprint.mix(commonHash, 1)
    case .pages: Fingerprint.mix(commonHash, 2)
    case .channel(let number): Fingerprint.mix(channels[number].hash, 3)
    }
  }

  private func context(of index: Int) -> FileContext {
    let source = scan.sources[index]
    return FileContext(source, rules: rules(of: source.target), media: media)
  }
}

/// What a worker reads with.
private struct PortionReader: ~Copyable {
  var files: FileReader
  /// Of kept harvests.
  var buffer = ByteBuffer()

  init(files: consuming FileReader) { self.files = files }
}

// MARK: - Files

extension Harvester {
  private func read(
    _ range: Range<Int>,
    _ statuses: [FileStatus?],
    _ reader: inout PortionReader
  ) -> Harvest {
    let sources = scan.sources[range]
    let name = sources.reduce(UInt64(sources.count)) {
      Fingerprint.mix(Fingerprint.mix($0, Fingerprint.of($1.path)), ruleHash(for: $1.target))
    }
    let known = statuses[range].compactMap { $0 }
    if let cache, known.count == range.count,
      let harvest = load(cache, name, sources, known, &reader.buffer)
    {
      return harvest
    }
    var harvest = Harvest()
    harvest.notesMedia = cache?.isWritable ?? false
    for index in range {
      harvest.fileNumber = index - range.lowerBound
      reader.files.read(context(of: index), into: &harvest)
    }
    let found = harvest.statuses.map(\.status)
    if let cache, !harvest.hasFailed, found.count == range.count,
      found.allSatisfy({ cache.isSettled($0) })
    {
      let sizes = found.map(\.size)
      let place = HarvestPlace(sources: sources, sizes: sizes, bytes: 0..<0)
      keep(
        &harvest,
        place,
        (name, identity(name, found, cache)),
        limit: sizes.reduce(0, +),
        cache,
        &reader.buffer
      )
    }
    harvest.mediaUses = []
    return harvest
  }

  private func identity(_ name: UInt64, _ statuses: [FileStatus], _ cache: ContentCache) -> UInt64 {
    statuses.reduce(name) { Fingerprint.mix($0, cache.identity(of: $1)) }
  }

  private func load(
    _ cache: ContentCache,
    _ name: UInt64,
    _ sources: ArraySlice<Source>,
    _ statuses: [FileStatus],
    _ buffer: inout ByteBuffer
  ) -> Harvest? {
    let place = HarvestPlace(sources: sources, sizes: statuses.map(\.size), bytes: 0..<0)
    guard var input = cache.load(name, identity(name, statuses, cache), into: &buffer),
      var harvest = Harvest(decoding: &input, place, part: nil),
      Harvest.findsSameMedia(&input, place, media)
    else { return nil }
    harvest.statuses = zip(sources, statuses).map { ($0.file, $1) }
    harvest.keptName = name
    return harvest
  }

  private func keep(
    _ harvest: inout Harvest,
    _ place: HarvestPlace,
    _ key: (name: UInt64, identity: UInt64),
    limit: Int,
    _ cache: ContentCache,
    _ buffer: inout ByteBuffer
  ) {
    cache.store(key.name, key.identity, limit: limit + (64 << 10), buffer: &buffer) { output in
      guard harvest.encode(place, into: &output) else { return false }
      harvest.encodeMedia(into: &output)
      return true
    }
    harvest.keptName = key.name
  }
}

// MARK: - Parts of large files

extension Harvester {
  private func read(_ part: FilePart, _ reader: inout PortionReader) -> Harvest {
    if let cache, let hash = part.hash, let harvest = load(cache, part, hash, &reader.buffer) {
      return harvest
    }
    var harvest = Harvest()
    harvest.part = Harvest.Part(isFirst: part.isFirst)
    if part.isFirst {
      harvest.statuses.append((scan.sources[part.source].file, part.status))
    }
    guard reader.files.load(part, scan.sources[part.source]) else {
      // Reading the file as a whole tells what is wrong with it.
      harvest.part?.runsOver = true
      return harvest
    }
    let hash = cache.map { reader.files.hashOfPart(seed: $0.seed) }
    if let cache, let hash, hash != part.hash,
      let harvest = load(cache, part, hash, &reader.buffer)
    {
      return harvest
    }
    harvest.notesMedia = cache?.isWritable ?? false
    reader.files.readLoaded(part, of: context(of: part.source), into: &harvest)
    harvest.part?.hash = hash
    if let cache, let hash, harvest.part?.runsOver == false {
      let name = name(of: part, hash)
      keep(
        &harvest,
        place(of: part),
        (name, name),
        limit: part.bytes.count,
        cache,
        &reader.buffer
      )
    }
    harvest.mediaUses = []
    return harvest
  }

  private func place(of part: FilePart) -> HarvestPlace {
    HarvestPlace(
      sources: scan.sources[part.source..<part.source + 1],
      sizes: [part.status.size],
      bytes: part.bytes
    )
  }

  private func name(of part: FilePart, _ hash: UInt64) -> UInt64 {
    let source = scan.sources[part.source]
    var name = Fingerprint.mix(Fingerprint.of(source.path), ruleHash(for: source.target))
    name = Fingerprint.mix(name, hash)
    name = Fingerprint.mix(name, UInt64(part.bytes.count))
    return Fingerprint.mix(name, (part.isFirst ? 1 : 0) | (part.isLast ? 2 : 0))
  }

  private func load(
    _ cache: ContentCache,
    _ part: FilePart,
    _ hash: UInt64,
    _ buffer: inout ByteBuffer
  ) -> Harvest? {
    let name = name(of: part, hash)
    let place = place(of: part)
    guard var input = cache.load(name, name, into: &buffer),
      var harvest = Harvest(decoding: &input, place, part: part),
      Harvest.findsSameMedia(&input, place, media)
    else { return nil }
    if part.isFirst {
      harvest.statuses = [(scan.sources[part.source].file, part.status)]
    }
    harvest.part?.hash = hash
    harvest.keptName = name
    return harvest
  }

  /// Notes where the parts of large files stand and what they hold, so that a file whose status is
  /// the same next time need not be read at all.
  private func keepParts(
    _ plan: HarvestPlan,
    _ harvests: [Harvest],
    _ cache: ContentCache,
    _ names: inout Set<UInt64>
  ) {
    var buffer = ByteBuffer()
    var parts: [KeptParts.Part] = []
    for (number, portion) in plan.portions.enumerated() {
      guard case .part(let part) = portion else { continue }
      if part.isFirst { parts = [] }
      if let hash = harvests[number].part?.hash ?? part.hash {
        parts.append(KeptParts.Part(bytes: part.bytes, hash: hash))
      }
      guard part.isLast, parts.first?.bytes.lowerBound == 0,
        parts.reduce(0, { $0 + $1.bytes.count }) == part.status.size
      else { continue }
      let path = scan.sources[part.source].path
      names.insert(KeptParts.name(path))
      if !plan.isKept(part.source), cache.isSettled(part.status) {
        KeptParts.store(parts, path, part.status, cache, &buffer)
      }
    }
  }
}
