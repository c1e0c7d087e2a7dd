extension Manifest {
  /// The files of a manifest, each made when it is asked for; there may be a million.
  struct Files: RandomAccessCollection, Equatable, Sendable {
    private struct Row: Sendable {
      var start: Int
      var key: UInt64
      var count: UInt32
      var note: Int32
      /// Below `shared.count` a position there, else in `own`; past both nothing is known.
      var state: UInt32

      init(_ place: PathStore.Place, key: UInt64, note: Int32, state: Int) {
        start = place.start
        count = place.count
        self.key = key
        self.note = note
        self.state = UInt32(truncatingIfNeeded: state)
      }

      var place: PathStore.Place { PathStore.Place(start: start, count: count) }
    }

    private var paths: PathStore
    private var rows: [Row] = []
    /// The states of pages, where a build has set them.
    private let shared: OutputStates
    private var own: [OutputState] = []

    /// None, beside whose paths those of a plan lie.
    ///
    /// - Parameters:
    ///   - pages: The pages of the plan.
    ///   - states: What is known of them; may be empty.
    init(of pages: PageTable? = nil, states: OutputStates = OutputStates(count: 0)) {
      paths = pages.map { PathStore(extending: $0.paths) } ?? PathStore()
      shared = states
    }

    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    subscript(index: Int) -> File {
      get {
        let row = rows[index]
        return File(path: path(at: index), key: row.key, state: state(row), note: row.note)
      }
      set {
        rows[index] = newRow(newValue)
      }
    }

    func path(at index: Int) -> String { paths[rows[index].place] }

    /// Calls `body` with the path of a file, as UTF-8.
    func withPath(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
      paths.withBytes(of: rows[index].place, body)
    }

    /// What is known of a file beside its path.
    func about(_ index: Int) -> (key: UInt64, note: Int32, state: OutputState) {
      let row = rows[index]
      return (row.key, row.note, state(row))
    }

    /// Bytes of all files; at most `Int.max`, whatever a manifest claims.
    var bytes: Int {
      rows.reduce(0) { sum, row in
        let (sum, isTooLarge) = sum.addingReportingOverflow(state(row).size)
        return isTooLarge ? .max : sum
      }
    }

    private func state(_ row: Row) -> OutputState {
      let index = Int(row.state)
      if index < shared.count { return shared[index] }
      return index - shared.count < own.count ? own[index - shared.count] : OutputState()
    }

    mutating func reserveCapacity(_ count: Int) { rows.reserveCapacity(count) }

    mutating func append(_ file: File) { rows.append(newRow(file)) }

    private mutating func newRow(_ file: File) -> Row {
      own.append(file.state)
      return Row(
        paths.append(file.path),
        key: file.key,
        note: file.note,
        state: shared.count + own.count - 1
      )
    }

    /// Adds a page of the plan beside whose paths these lie.
    mutating func append(page index: Int, of pages: PageTable, key: UInt64 = 0, note: Int32 = -1) {
      let state = index < shared.count ? index : Int(UInt32.max)
      rows.append(Row(pages.place(at: index), key: key, note: note, state: state))
    }

    /// Puts them in the order of their paths.
    mutating func sort() {
      let paths = paths
      rows.sort { paths.order($0.place, $1.place, of: paths) < 0 }
    }

    /// Distrusts the times of those that are too young at `now`; their pages are all written.
    mutating func seal(at now: Int64) {
      for index in 0..<shared.count { shared[index] = shared[index].sealed(at: now) }
      for index in own.indices { own[index] = own[index].sealed(at: now) }
    }

    /// Takes out those whose path `other` holds; both are sorted.
    mutating func subtract(_ other: Files) {
      let paths = paths
      var next = 0
      rows.removeAll { row in
        while next < other.count {
          let order = other.paths.order(other.rows[next].place, row.place, of: paths)
          if order >= 0 { return order == 0 }
          next += 1
        }
        return false
      }
    }

    /// The position of the file at a path; all are sorted.
    func position(of path: String) -> Int? {
      let index = Bucket.firstIndex(in: -1..<count) { paths.order(rows[$0].place, path) >= 0 }
      return index < count && paths.order(rows[index].place, path) == 0 ? index : nil
    }

    /// For each page the position of the file with its path; both are sorted.
    func counterparts(of pages: PageTable) -> [Int32] {
      var next = 0
      return pages.indices.map { index in
        while next < count {
          let order = paths.order(rows[next].place, pages.place(at: index), of: pages.paths)
          if order >= 0 { return order == 0 ? Int32(truncatingIfNeeded: next) : -1 }
          next += 1
        }
        return -1
      }
    }

    static func == (left: Files, right: Files) -> Bool { left.elementsEqual(right) }
  }
}
