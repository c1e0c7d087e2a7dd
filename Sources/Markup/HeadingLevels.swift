/// Gives the headings of one body consecutive levels, so that none is skipped in a page's outline.
///
/// Authors choose levels by size: a body may begin at `####`, or go from `#` to `###`. The first
/// heading gets the first level below the entry's own, and one that is deeper than the heading it
/// stands under gets the next one.
struct HeadingLevels {
  /// The source levels of the heading that stands last and of those it stands under, one bit each.
  private var open: UInt8 = 0

  /// The level of the next heading.
  ///
  /// - Parameters:
  ///   - source: The level that the author wrote, 1 to 6.
  ///   - shift: The level of the heading above the body; 0 keeps the levels as they are written.
  /// - Returns: 1 to 6.
  mutating func next(_ source: Int, shift: Int) -> Int {
    let source = min(max(source, 1), 6)
    if shift == 0 { return source }
    open &= (1 << source) - 1
    open |= 1 << source
    return min(max(shift + open.nonzeroBitCount, 1), 6)
  }
}
