import Bytes

/// Reads all content files into harvests.
struct Harvester: Sendable {
  let root: String
  let scan: ContentScan
  let configuration: Configuration
  let channels: [ChannelRules]
  let media: MediaIndex
  let workers: Workers
  let cuts: LineCuts?

  /// What stands in the files, in the order of paths.
  func harvests() async -> [Harvest] {
    let plan = await HarvestPlan(
      root: root,
      sources: scan.sources,
      workers: workers,
      cuts: cuts
    )
    let budget = TextBudget()
    let makeReader: @Sendable () -> FileReader = { FileReader(root: root, budget: budget) }
    var harvests = await workers.map(plan.portions.count, memory: makeReader) { reader, number in
      read(plan.portions[number], &reader)
    }
    // A few files have something that ends behind the line it begins on: they are read as a whole.
    for (number, portion) in plan.portions.enumerated() {
      guard harvests[number].part?.runsOver == true, case .part(let part) = portion else {
        continue
      }
      var first = number
      while first > 0, harvests[first].part?.isFirst != true { first -= 1 }
      var reader = FileReader(root: root, budget: budget)
      harvests[first] = read(.files(part.source..<part.source + 1), &reader)
      for other in plan.portions.indices.dropFirst(first + 1) {
        guard case .part(let next) = plan.portions[other], next.source == part.source else { break }
        harvests[other] = Harvest()
      }
    }
    return harvests
  }

  private func read(_ portion: Portion, _ reader: inout FileReader) -> Harvest {
    var harvest = Harvest()
    switch portion {
    case .files(let range):
      for index in range { reader.read(context(of: index), into: &harvest) }
    case .part(let part): reader.read(part, of: context(of: part.source), into: &harvest)
    }
    return harvest
  }

  private func context(of index: Int) -> FileContext {
    let source = scan.sources[index]
    var rules = SourceRules(
      zone: configuration.timeZone,
      dates: configuration.dates,
      table: .standard,
      gathersTopics: false
    )
    if case .channel(let number) = source.target { rules = channels[number].rules }
    return FileContext(source, rules: rules, media: media)
  }
}
