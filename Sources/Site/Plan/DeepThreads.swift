import Archive

/// The comments that stand too deep for their page.
///
/// A post's comments are cut into parts in the order of their arrival, so that a new comment moves
/// no old one. Within a part they are nested; what answers a comment at the deepest level stands on
/// that comment's thread page, and so on below it.
struct DeepThreads: Sendable {
  /// The comments that have a thread page, post by post.
  private(set) var pages: [EntryID] = []
  /// By comment, the first being `first`: whose thread page it stands on.
  ///
  /// `.none` where that is its part's page. A table, since each comment is asked for several times;
  /// empty where no thread is deep.
  private var roots: [EntryID] = []
  /// As `roots`: whether it has a thread page.
  private var hasPage: [Bool] = []
  private var first = 0

  /// None.
  init() {}

  /// Finds those of one post after another.
  ///
  /// - Parameters:
  ///   - archive: Whose.
  ///   - parts: The parts of a post's comments, by the post's position.
  init(in archive: Archive, cut parts: (Int) -> Parts) {
    for index in archive.posts.indices {
      let comments = archive.posts[index].comments
      guard comments.count > PageSize.threadDepth else { continue }
      let parts = parts(index)
      for part in 1...parts.total {
        let range = parts.range(of: part)
        collect(
          (comments.lowerBound + range.lowerBound)..<(comments.lowerBound + range.upperBound),
          of: comments,
          in: archive
        )
      }
    }
  }

  /// The comment on whose thread page another stands; nil where that is its part's page.
  func root(of comment: EntryID) -> EntryID? {
    let place = comment.index - first
    guard roots.indices.contains(place), roots[place] != .none else { return nil }
    return roots[place]
  }

  /// Whether the answers to a comment stand on a page of their own.
  func hasPage(_ comment: EntryID) -> Bool {
    let place = comment.index - first
    return hasPage.indices.contains(place) && hasPage[place]
  }

  private mutating func collect(_ part: Range<Int>, of comments: Range<Int>, in archive: Archive) {
    // Children as linked lists: `children[p]` the last child seen of p, `next[c]` its elder sibling.
    var children = [Int](repeating: -1, count: part.count)
    var next = [Int](repeating: -1, count: part.count)
    var stack: [(comment: Int, depth: Int, root: EntryID)] = []
    for comment in part.indices {
      let parent = archive.entries[comment].parent
      if parent != .none, part.contains(parent.index) {
        next[comment - part.lowerBound] = children[parent.index - part.lowerBound]
        children[parent.index - part.lowerBound] = comment
      } else {
        stack.append((comment, 0, .none))
      }
    }
    while let (comment, depth, root) = stack.popLast() {
      if root != .none { place(EntryID(comment), below: root, of: comments) }
      let isDeepest = depth == PageSize.threadDepth - 1
      var child = children[comment - part.lowerBound]
      while child >= 0 {
        stack.append((child, isDeepest ? 0 : depth + 1, isDeepest ? EntryID(comment) : root))
        child = next[child - part.lowerBound]
      }
    }
  }

  /// Puts one of a post's comments on a thread page.
  private mutating func place(_ comment: EntryID, below root: EntryID, of comments: Range<Int>) {
    if roots.isEmpty { first = comments.lowerBound }
    let missing = comments.upperBound - first - roots.count
    if missing > 0 {
      roots.append(contentsOf: repeatElement(.none, count: missing))
      hasPage.append(contentsOf: repeatElement(false, count: missing))
    }
    roots[comment.index - first] = root
    if !hasPage[root.index - first] {
      hasPage[root.index - first] = true
      pages.append(root)
    }
  }
}
