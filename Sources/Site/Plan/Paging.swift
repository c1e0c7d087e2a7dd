/// How a growing list is cut into pages that never move: full pages are numbered from the oldest
/// end, and a front page shows the newest one to two page sizes.
struct Paging: Hashable, Sendable {
  /// Items in the list.
  let count: Int
  /// Items on a numbered page.
  let size: Int

  /// The numbered pages, all full; a further one appears when the front page holds two sizes.
  var numbered: Int { max(0, count / size - 1) }

  /// What the front page shows, in the list's order.
  var front: Range<Int> { (numbered * size)..<count }

  /// What a page shows, in the list's order; nil is the front page.
  func range(of number: Int?) -> Range<Int> {
    guard let number else { return front }
    return ((number - 1) * size)..<(number * size)
  }

  /// The page that shows the item at `index`; nil is the front page.
  func number(holding index: Int) -> Int? {
    let number = index / size + 1
    return number <= numbered ? number : nil
  }
}

/// How a list is cut into parts from its beginning: `/`, `/2/`, `/3/`.
struct Parts: Hashable, Sendable {
  let count: Int
  let size: Int
  /// Where the parts begin, if some are shorter than `size`: see `PartCuts`.
  let starts: [Int]?

  init(count: Int, size: Int, starts: [Int]? = nil) {
    self.count = count
    self.size = size
    self.starts = starts
  }

  /// At least one, even when it is empty.
  var total: Int { starts?.count ?? max(1, (count + size - 1) / size) }

  /// What a part, counted from 1, shows.
  func range(of part: Int) -> Range<Int> {
    if let starts { return starts[part - 1]..<(part < starts.count ? starts[part] : count) }
    return min(count, (part - 1) * size)..<min(count, part * size)
  }

  /// The part, counted from 1, that shows the item at `index`.
  func part(holding index: Int) -> Int {
    guard let starts else { return index / size + 1 }
    return Bucket.firstIndex(in: 0..<starts.count) { starts[$0] > index }
  }
}

/// Page sizes that no setting changes.
enum PageSize {
  static let comments = 200
  static let topicMessages = 100
  static let topicList = 100
  static let people = 200
  static let lines = 100
  static let feedDocument = 50
  static let sitemap = 50_000
  /// Nested lists on a page; what answers the deepest comment stands on another page.
  ///
  /// Browsers put whatever is nested more than 512 elements deep elsewhere (Chromium, WebKit). A
  /// level is two of them, and a body may hold 128. The fewer levels, the more pages: with 20 a long
  /// chain took twice the time of a flat thread.
  static let threadDepth = 50
}
