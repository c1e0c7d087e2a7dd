import Bytes

/// The difference of two texts as `diff -u` prints it, with three lines around each change.
public enum UnifiedDiff {
  private enum Step {
    case same
    case removed
    case added
  }

  private static let context = 3
  /// Tables of more cells than this are not filled; the whole middle counts as changed.
  private static let mostCells = 4_000_000

  /// The difference of a file; empty for equal bytes.
  public static func text(of change: FileChange) -> String {
    let old = change.old.map(lines) ?? []
    let new = change.new.map(lines) ?? []
    if old == new { return "" }
    var output = ByteBuffer()
    output.append(text: "--- " + (change.old == nil ? "/dev/null" : "a/\(change.path)") + "\n")
    output.append(text: "+++ " + (change.new == nil ? "/dev/null" : "b/\(change.path)") + "\n")
    append(steps(old, new), old, new, to: &output)
    return output.string
  }

  /// Lines with their line ends.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }

  private static func steps(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Step] {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
    }
    let middle = middle(Array(old[start..<old.count - end]), Array(new[start..<new.count - end]))
    return Array(repeating: .same, count: start) + middle + Array(repeating: .same, count: end)
  }

  /// By the longest common subsequence.
  private static func middle(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Step] {
    let width = new.count + 1
    let cells = (old.count + 1).multipliedReportingOverflow(by: width)
    if old.isEmpty || new.isEmpty || cells.overflow || cells.partialValue > mostCells {
      return Array(repeating: .removed, count: old.count)
        + Array(repeating: .added, count: new.count)
    }
    var longest = [Int32](repeating: 0, count: cells.partialValue)
    for row in old.indices.reversed() {
      for column in new.indices.reversed() {
        let here = row * width + column
        longest[here] =
          old[row] == new[column]
          ? longest[here + width + 1] + 1 : max(longest[here + width], longest[here + 1])
      }
    }
    var steps: [Step] = []
    var (row, column) = (0, 0)
    while row < old.count || column < new.count {
      let here = row * width + column
      if row < old.count, column < new.count, old[row] == new[column] {
        steps.append(.same)
        (row, column) = (row + 1, column + 1)
      } else if column == new.count
        || (row < old.count && longest[here + width] >= longest[here + 1])
      {
        steps.append(.removed)
        row += 1
      } else {
        steps.append(.added)
        column += 1
      }
    }
    return steps
  }

  private static func append(
    _ steps: [Step],
    _ old: [ArraySlice<UInt8>],
    _ new: [ArraySlice<UInt8>],
    to output: inout ByteBuffer
  ) {
    var (oldLine, newLine, index) = (0, 0, 0)
    while index < steps.count {
      guard steps[index...].prefix(context + 1).contains(where: { $0 != .same }) else {
        (oldLine, newLine, index) = (oldLine + 1, newLine + 1, index + 1)
        continue
      }
      // A hunk goes on until nothing changes for twice the context.
      var end = index
      var quiet = 0
      while end < steps.count, quiet <= 2 * context {
        quiet = steps[end] == .same ? quiet + 1 : 0
        end += 1
      }
      end -= max(quiet - context, 0)
      let hunk = steps[index..<end]
      let oldCount = hunk.count { $0 != .added }
      let newCount = hunk.count { $0 != .removed }
      output.append(text: "@@ -\(place(oldLine, oldCount)) +\(place(newLine, newCount)) @@\n")
      for step in hunk {
        switch step {
        case .same:
          append(" ", old[oldLine], to: &output)
          (oldLine, newLine) = (oldLine + 1, newLine + 1)
        case .removed:
          append("-", old[oldLine], to: &output)
          oldLine += 1
        case .added:
          append("+", new[newLine], to: &output)
          newLine += 1
        }
      }
      index = end
    }
  }

  private static func place(_ line: Int, _ count: Int) -> String {
    let first = count == 0 ? line : line + 1
    return count == 1 ? "\(first)" : "\(first),\(count)"
  }

  private static func append(
    _ mark: StaticString,
    _ line: ArraySlice<UInt8>,
    to output: inout ByteBuffer
  ) {
    output.append(mark)
    output.append(line)
    if line.last != 0x0A { output.append("\n\\ No newline at end of file\n") }
  }
}
