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

  private init(
    count: Int,
    in entries: [Entry],
    order: Configuration.CommentOrder,
    entry: (Int) -> EntryID,
    position: (EntryID) -> Int?
  ) {
    // Siblings by counting sort on their parent; `count` stands for the top level.
    var parents = [Int](repeating: count, count: count)
    var starts = [Int](repeating: 0, count: count + 2)
    for index in 0..<count {
      let parent = entries[entry(index).index].parent
      parents[index] = parent == .none ? count : position(parent) ?? count
      starts[parents[index]] += 1
    }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var children = [Int](repeating: 0, count: count)
    // From the last on, so that the end of each run of siblings becomes its start.
    for index in (0..<count).reversed() {
      starts[parents[index]] -= 1
      children[starts[parents[index]]] = index
    }
    func sort(_ siblings: Range<Int>) {
      guard siblings.count > 1 else { return }
      switch order {
      case .oldest: break
      case .newest: children[siblings].reverse()
      case .likes:
        children[siblings].sort { left, right in
          let first = entries[entry(left).index].likes
          let second = entries[entry(right).index].likes
          return first == second ? left < right : first > second
        }
      }
    }
    var nodes: [Node] = []
    nodes.reserveCapacity(count)
    var height = 0
    // The siblings still to be visited on each level, and the node above them.
    var stack: [(siblings: Range<Int>, node: Int)] = []
    sort(starts[count]..<starts[count + 1])
    stack.append((starts[count]..<starts[count + 1], -1))
    while let last = stack.last {
      guard !last.siblings.isEmpty else {
        stack.removeLast()
        if last.node >= 0 {
          nodes[last.node].size = UInt32(truncatingIfNeeded: nodes.count - last.node)
        }
        continue
      }
      let index = children[last.siblings.lowerBound]
      stack[stack.count - 1].siblings = last.siblings.dropFirst()
      let depth = stack.count - 1
      height = max(height, depth)
      let replies = starts[index]..<starts[index + 1]
      nodes.append(
        Node(
          entry: entry(index),
          depth: UInt32(truncatingIfNeeded: depth),
          size: 1,
          replies: UInt32(truncatingIfNeeded: replies.count)
        )
      )
      if !replies.isEmpty {
        sort(replies)
        stack.append((replies, nodes.count - 1))
      }
    }
    self.nodes = nodes
    self.height = height
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
