import Bytes

/// Pages by position, each made when it is asked for: a site may have a million.
struct PageTable: RandomAccessCollection, Sendable {
  private struct Row: Sendable {
    let content: PageContent
    let count: UInt32
    let start: Int
  }

  /// The paths, in no order.
  private(set) var paths = PathStore()
  private var rows: [Row] = []

  var startIndex: Int { 0 }
  var endIndex: Int { rows.count }
  subscript(index: Int) -> Page { Page(path: path(at: index), content: rows[index].content) }

  func content(at index: Int) -> PageContent { rows[index].content }

  func path(at index: Int) -> String { paths[place(at: index)] }

  /// Where the path of a page lies in `paths`.
  @inline(__always)
  func place(at index: Int) -> PathStore.Place {
    PathStore.Place(start: rows[index].start, count: rows[index].count)
  }

  /// Adds a page whose path is given in two parts.
  mutating func append(_ folder: String, _ name: String, _ content: PageContent) {
    append(at: paths.append(folder, name), content)
  }

  /// The same with the first part as UTF-8.
  mutating func append(_ folder: Span<UInt8>, _ name: String, _ content: PageContent) {
    append(at: paths.append(folder, name), content)
  }

  private mutating func append(at place: PathStore.Place, _ content: PageContent) {
    rows.append(Row(content: content, count: place.count, start: place.start))
  }

  /// The pages at some positions, by path in byte order.
  consuming func sorted(_ positions: consuming [UInt32]) -> PageTable {
    positions.sort {
      paths.order(place(at: Int($0)), place(at: Int($1)), of: paths) < 0
    }
    rows = positions.map { rows[Int($0)] }
    return self
  }

  /// The position of the page with a path; the table is sorted.
  func position(of path: String) -> Int? {
    let index = Bucket.firstIndex(in: -1..<count) { paths.order(place(at: $0), path) >= 0 }
    return index < count && paths.order(place(at: index), path) == 0 ? index : nil
  }
}

/// Paths that are taken, as file systems see them that fold case.
struct TakenPaths {
  private let pages: PageTable
  /// By hash, the first page with it.
  private var byHash: [UInt64: UInt32] = [:]
  /// Those whose hash another one has: hardly ever any.
  private var others: Set<[UInt8]> = []

  /// None of the pages yet.
  init(_ pages: PageTable) {
    self.pages = pages
    byHash.reserveCapacity(pages.count)
  }

  /// A page's path as it collides.
  func key(of page: Int) -> [UInt8] {
    pages.paths.withBytes(of: pages.place(at: page)) { PlacedPath.key(of: $0.span) }
  }

  /// Takes a page's path; false if it is taken.
  mutating func insert(_ page: Int) -> Bool {
    let key = key(of: page)
    let hash = Fingerprint.of(key.span)
    if let other = byHash[hash] {
      return self.key(of: Int(other)) == key ? false : others.insert(key).inserted
    }
    byHash[hash] = UInt32(truncatingIfNeeded: page)
    return true
  }

  func contains(_ key: [UInt8]) -> Bool {
    guard let other = byHash[Fingerprint.of(key.span)] else { return false }
    return self.key(of: Int(other)) == key || others.contains(key)
  }
}
