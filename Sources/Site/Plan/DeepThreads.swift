import Archive

/// Finds the comments that stand too deep for their page.
///
/// A post's comments are cut into parts in the order of their arrival, so that a new comment moves
/// no old one. Within a part they are nested; what answers a comment at the deepest level stands on
/// that comment's thread page, and so on below it.
enum DeepThreads {
  /// Adds the comments of a post that stand on a thread page, each with the one whose page it is.
  static func collect(
    post index: Int,
    of archive: Archive,
    cut parts: Parts,
    into roots: inout [EntryID: EntryID]
  ) {
    let comments = archive.posts[index].comments
    guard comments.count > PageSize.threadDepth else { return }
    for part in 1...parts.total {
      let range = parts.range(of: part)
      collect(
        (comments.lowerBound + range.lowerBound)..<(comments.lowerBound + range.upperBound),
        of: archive,
        into: &roots
      )
    }
  }

  private static func collect(
    _ part: Range<Int>,
    of archive: Archive,
    into roots: inout [EntryID: EntryID]
  ) {
    // Children as linked lists: `first[p]` the last child seen of p, `next[c]` its elder sibling.
    var first = [Int](repeating: -1, count: part.count)
    var next = [Int](repeating: -1, count: part.count)
    var stack: [(comment: Int, depth: Int, root: EntryID)] = []
    for comment in part.indices {
      let parent = archive.entries[comment].parent
      if parent != .none, part.contains(parent.index) {
        next[comment - part.lowerBound] = first[parent.index - part.lowerBound]
        first[parent.index - part.lowerBound] = comment
      } else {
        stack.append((comment, 0, .none))
      }
    }
    while let (comment, depth, root) = stack.popLast() {
      if root != .none { roots[EntryID(comment)] = root }
      let isDeepest = depth == PageSize.threadDepth - 1
      var child = first[comment - part.lowerBound]
      while child >= 0 {
        stack.append((child, isDeepest ? 0 : depth + 1, isDeepest ? EntryID(comment) : root))
        child = next[child - part.lowerBound]
      }
    }
  }
}
