import JSON

/// Finds entries within a record by their ordinal.
enum RecordPath {
  private struct Node {
    var parent: Int
    var name: [UInt8]
    var element: Int
  }

  private struct Frame {
    var elements: JSONElements
    var next = 0
    var node: Int
    var name: [UInt8]
  }

  /// The way from a record to the entry of that ordinal: counted as `RecordWalk` counts.
  ///
  /// - Returns: Empty for the record itself; nil where there is no such entry.
  static func find(_ ordinal: UInt32, in root: JSONValue, _ table: FieldTable) -> [JSONStep]? {
    guard root.kind == .object else { return nil }
    if ordinal == 0 { return [] }
    var nodes = [Node(parent: -1, name: [], element: 0)]
    var stack: [Frame] = []
    push(root, node: 0, onto: &stack, table)
    var count: UInt32 = 0
    while let last = stack.indices.last {
      guard let element = stack[last].elements.next() else {
        stack.removeLast()
        continue
      }
      let frame = stack[last]
      stack[last].next += 1
      guard element.kind == .object else { continue }
      count += 1
      nodes.append(Node(parent: frame.node, name: frame.name, element: frame.next))
      if count == ordinal { return path(to: nodes.count - 1, nodes) }
      push(element, node: nodes.count - 1, onto: &stack, table)
    }
    return nil
  }

  private static func push(
    _ object: JSONValue,
    node: Int,
    onto stack: inout [Frame],
    _ table: FieldTable
  ) {
    for field in [Field.replies, .comments] {
      guard
        let member = object.members.first(where: { !$0.value.isNull && table[$0.key] == field }),
        member.value.kind == .array
      else { continue }
      stack.append(Frame(elements: member.value.elements, node: node, name: member.key.array))
    }
  }

  private static func path(to node: Int, _ nodes: [Node]) -> [JSONStep] {
    var steps: [JSONStep] = []
    var node = node
    while node > 0 {
      steps.append(.element(nodes[node].element))
      steps.append(.member(nodes[node].name))
      node = nodes[node].parent
    }
    return steps.reversed()
  }
}
