import Archive

/// The order in which pages are rendered; what they hold does not depend on it.
///
/// Posts and topics come first: they have the texts at hand of which others show the beginning. Then
/// pages follow by the time of what they show, so that those which take records from the same part of
/// a file come after one another. Neighbours in the plan that show no entry stay neighbours: the two
/// documents of a feed share their items.
struct RenderOrder {
  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  /// Positions in `Plan.pages`, in the order of rendering.
  func sorted(_ pages: [UInt32]) -> [UInt32] {
    var keyed = pages.map { page in
      (key: UInt32(clamping: key(of: plan.pages.content(at: Int(page)))), page: page)
    }
    keyed.sort { ($0.key, $0.page) < ($1.key, $1.page) }
    return keyed.map(\.page)
  }

  /// 0 for posts and topics, 1 for pages without entries of their own, else by the first entry.
  private func key(of content: PageContent) -> Int {
    switch content {
    case .post, .topic: 0
    case .bucket(let channel, let bucket, let part):
      2 + plan.buckets[channel][bucket].messages.lowerBound
        + plan.parts(ofBucket: bucket, in: channel).range(of: part).lowerBound
    case .person(let index, let number):
      key(of: plan.archive.people.entries(of: PersonID(index)), number)
    case .tag(let index, let number): key(of: plan.archive.tags[index].entries, number)
    default: 1
    }
  }

  private func key(of entries: some RandomAccessCollection<EntryID>, _ number: Int?) -> Int {
    let range = Paging(count: entries.count, size: PageSize.lines).range(of: number)
    return entries.dropFirst(range.lowerBound).first.map { 2 + $0.index } ?? 1
  }
}
