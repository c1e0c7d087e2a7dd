/// The replies of a post, a topic or a channel as a tree, in the order in which a page shows them.
///
/// Nodes stand in preorder; what is below a node is the run of `size - 1` nodes after it. Made in
/// linear time (sorting siblings apart) with explicit stacks: a chain of a million replies is fine.
public struct Thread: Sendable {
  /// An entry and its place in the tree.
  public struct Node: Hashable, Sendable {
    /// Which one.
    public var entry: EntryID
    /// 0 at the top level.
    public var depth: UInt32
    /// The number of nodes in the subtree, the node itself among them.
    public var size: UInt32
    /// The number of direct replies.
    public var replies: UInt32
  }

  /// In preorder.
  public let nodes: [Node]
  /// The depth of the deepest node, 0 for none.
  public let height: Int

  /// The tree of the entries of a range of `Archive.entries`, such as a post's comments.
  ///
  /// Entries whose parent lies outside of the range stand at the top level.
  public init(
    of range: Range<Int>,
    in entries: [Entry],
    order: Configuration.CommentOrder = .oldest
  ) {
    self.init(count: range.count, in: entries, order: order) {
      EntryID(range.lowerBound + $0)
    } position: {
      range.contains($0.index) ? $0.index - range.lowerBound : nil
    }
  }

  /// The tree of some of `Archive.entries` in ascending order, such as a topic's messages.
  public init(
    of members: [EntryID],
    in entries: [Entry],
    order: Configuration.CommentOrder = .oldest
  ) {
    self.init(count: members.count, in: entries, order: order) {
      members[$0]
    } position: { entry in
      var low = 0
      var high = members.count
      while low < high {
        let middle = (low + high) / 2
        if members[middle] < entry { low = middle + 1 } else { high = middle }
      }
      return low < members.count && members[low] == entry ? low : nil
    }
  }

  // Inlined, so that its closures are.
  @inline(__always)
  private init(
    count: Int,
    in entries: [Entry],
    order: Configuration.CommentOrder,
    entry: (Int) -> EntryID,
    position: (EntryID) -> Int?
  ) {
    var walk = TreeWalk(count)
    // Mostly on the stack: for most trees, arrays would take longer than all the rest.
    withUnsafeTemporaryAllocation(of: Int.self, capacity: SiblingLists.size(count)) { memory in
      if count == 0 { return }
      let lists = SiblingLists(count, in: memory)
      for index in 0..<count {
        let parent = entries[entry(index).index].parent
        lists.add(index, below: parent == .none ? count : position(parent) ?? count)
      }
      lists.arrange()
      func sort(_ siblings: Range<Int>) {
        guard siblings.count > 1 else { return }
        switch order {
        case .oldest: break
        case .newest: lists.children[siblings].reverse()
        case .likes:
          lists.children[siblings].sort { left, right in
            let first = entries[entry(left).index].likes
            let second = entries[entry(right).index].likes
            return first == second ? left < right : first > second
          }
        }
      }
      sort(lists.replies(to: count))
      walk.enter(lists.replies(to: count))
      while let place = walk.next() {
        let index = lists.children[place]
        let replies = lists.replies(to: index)
        walk.visit(entry(index), replies: replies.count)
        if replies.isEmpty { continue }
        sort(replies)
        walk.enter(replies)
      }
    }
    nodes = walk.nodes
    height = walk.height
  }

  /// The positions in `nodes` of the direct replies to the node at `position`; of the top level for
  /// nil.
  public func replies(to position: Int? = nil) -> Replies {
    guard let position else { return Replies(thread: self, place: 0, end: nodes.count) }
    return Replies(
      thread: self,
      place: position + 1,
      end: position + Int(nodes[position].size)
    )
  }

  /// Steps from sibling to sibling.
  public struct Replies: Sequence, IteratorProtocol {
    let thread: Thread
    var place: Int
    let end: Int

    /// The position in `Thread.nodes` of the next sibling.
    public mutating func next() -> Int? {
      guard place < end else { return nil }
      defer { place += Int(thread.nodes[place].size) }
      return place
    }
  }
}

/// The direct replies to each entry and to the top level, sorted by counting, in one piece of memory.
private struct SiblingLists {
  private let count: Int
  /// By entry, the one above; `count` stands for the top level.
  private let parents: UnsafeMutableBufferPointer<Int>
  /// By entry, then of the top level, where its replies begin in `children`; then the end of all.
  private let starts: UnsafeMutableBufferPointer<Int>
  /// All entries, siblings side by side.
  let children: UnsafeMutableBufferPointer<Int>

  /// How much memory lists of so many entries take.
  static func size(_ count: Int) -> Int { 3 * count + 2 }

  init(_ count: Int, in memory: UnsafeMutableBufferPointer<Int>) {
    self.count = count
    memory.initialize(repeating: 0)
    parents = memory.extracting(..<count)
    starts = memory.extracting(count..<2 * count + 2)
    children = memory.extracting((2 * count + 2)...)
  }

  /// Notes an entry as a reply to another.
  func add(_ index: Int, below parent: Int) {
    parents[index] = parent
    starts[parent] += 1
  }

  /// Puts all that were noted in their places.
  func arrange() {
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    // From the last on, so that the end of each run of siblings becomes its start.
    for index in (0..<count).reversed() {
      starts[parents[index]] -= 1
      children[starts[parents[index]]] = index
    }
  }

  /// The places in `children` of the replies to an entry.
  func replies(to index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }
}

/// Visits a tree in preorder and notes its nodes.
private struct TreeWalk {
  private(set) var nodes: [Thread.Node] = []
  private(set) var height = 0
  /// The siblings still to be visited on each level, and the node above them.
  private var stack: [(siblings: Range<Int>, node: Int)] = []

  /// A walk over so many nodes.
  init(_ count: Int) {
    nodes.reserveCapacity(count)
    if count > 0 { stack.reserveCapacity(8) }
  }

  /// Goes down to siblings, which answer the node that was visited last.
  mutating func enter(_ siblings: Range<Int>) { stack.append((siblings, nodes.count - 1)) }

  /// The next sibling, on the deepest level that has one left; nil at the end.
  mutating func next() -> Int? {
    while let last = stack.last {
      if !last.siblings.isEmpty {
        stack[stack.count - 1].siblings = last.siblings.dropFirst()
        return last.siblings.lowerBound
      }
      stack.removeLast()
      if last.node >= 0 {
        nodes[last.node].size = UInt32(truncatingIfNeeded: nodes.count - last.node)
      }
    }
    return nil
  }

  /// Notes a node on the deepest level.
  mutating func visit(_ entry: EntryID, replies: Int) {
    let depth = stack.count - 1
    height = max(height, depth)
    nodes.append(
      Thread.Node(
        entry: entry,
        depth: UInt32(truncatingIfNeeded: depth),
        size: 1,
        replies: UInt32(truncatingIfNeeded: replies)
      )
    )
  }
}
