import Bytes
import CYAML

/// Where the nodes of a YAML document stand, so that an edit can splice its bytes.
///
/// Flat arrays: nesting is bounded (512 levels), and nothing here recurses.
struct YAMLOutline {
  enum Kind {
    case scalar
    case alias
    case sequence
    /// Its children are key, value, key, value …
    case mapping
  }

  enum Style {
    case plain
    case single
    case double
    /// `|` or `>`.
    case block
  }

  struct Node {
    var kind: Kind
    /// Bytes of the document; of a block collection from its first key or dash to the end of its
    /// last value.
    var range: Range<Int>
    var children: [Int] = []
    var style = Style.plain
    /// `{…}` or `[…]`.
    var isFlow = false
    var hasAnchor = false
    /// The text of a scalar.
    var text: [UInt8] = []
  }

  private(set) var nodes: [Node] = []
  /// Nil for an empty document.
  private(set) var root: Int?

  /// Reads the first document of `bytes`.
  ///
  /// - Throws: Why it is no YAML, with its line.
  init(_ bytes: [UInt8]) throws(YAMLError) {
    let offsets = Self.offsets(bytes)
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      throw YAMLError(reason: "out of memory", line: 0, column: 0)
    }
    defer { yaml_parser_delete(&parser) }
    var failure: YAMLError?
    bytes.withUnsafeBufferPointer { bytes in
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      do throws(YAMLError) {
        try read(&parser, bytes, offsets)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private mutating func read(
    _ parser: inout yaml_parser_t,
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ offsets: [Int]
  ) throws(YAMLError) {
    func offset(_ mark: yaml_mark_t) -> Int { offsets[min(Int(mark.index), offsets.count - 1)] }
    var open: [Int] = []
    func add(_ node: Node) {
      if let parent = open.last {
        nodes[parent].children.append(nodes.count)
      } else {
        root = nodes.count
      }
      nodes.append(node)
    }
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(&parser, &event) == 1 else {
        let problem = parser.problem.map { String(cString: $0) } ?? "not readable as YAML"
        let mark = parser.problem_mark
        throw YAMLError(reason: problem, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
      }
      defer { yaml_event_delete(&event) }
      let start = offset(event.start_mark)
      let end = max(offset(event.end_mark), start)
      switch event.type {
      case YAML_SCALAR_EVENT:
        add(Self.scalar(event, bytes, start..<end))
      case YAML_ALIAS_EVENT:
        add(Node(kind: .alias, range: start..<end))
      case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
        guard open.count < 512 else {
          let line = Int(event.start_mark.line) + 1
          throw YAMLError(reason: "nested over 512 levels", line: line, column: 0)
        }
        let isMapping = event.type == YAML_MAPPING_START_EVENT
        var node = Node(kind: isMapping ? .mapping : .sequence, range: start..<end)
        if isMapping {
          node.isFlow = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
          node.hasAnchor = event.data.mapping_start.anchor != nil
        } else {
          node.isFlow = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
          node.hasAnchor = event.data.sequence_start.anchor != nil
        }
        add(node)
        open.append(nodes.count - 1)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        guard let last = open.popLast() else { break }
        let start = nodes[last].range.lowerBound
        let lastChild = nodes[last].children.last.map { nodes[$0].range.upperBound }
        nodes[last].range = start..<(nodes[last].isFlow ? end : max(lastChild ?? start, start))
      case YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT: return
      default: break
      }
    }
  }

  private static func scalar(
    _ event: yaml_event_t,
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ range: Range<Int>
  ) -> Node {
    let scalar = event.data.scalar
    var node = Node(kind: .scalar, range: range)
    node.text = Array(UnsafeBufferPointer(start: scalar.value, count: scalar.length))
    node.hasAnchor = scalar.anchor != nil
    switch scalar.style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: node.style = .single
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: node.style = .double
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE:
      node.style = .block
      // Its end is where the next token begins; the line end after its text stays out.
      var end = range.upperBound
      while end > range.lowerBound, isBlankByte(bytes[end - 1]) { end -= 1 }
      node.range = range.lowerBound..<end
    default: node.style = .plain
    }
    return node
  }

  /// The byte offset of every character, as libyaml counts them: a mark before the text has none.
  private static func offsets(_ bytes: [UInt8]) -> [Int] {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var offsets: [Int] = []
    offsets.reserveCapacity(bytes.count + 1)
    for index in start..<bytes.count where bytes[index] & 0xC0 != 0x80 { offsets.append(index) }
    offsets.append(bytes.count)
    return offsets
  }

  /// The positions in `nodes` of the key and value of a mapping's first member of that name.
  func member(_ name: [UInt8], of node: Int) -> (key: Int, value: Int)? {
    guard nodes[node].kind == .mapping else { return nil }
    let children = nodes[node].children
    for place in stride(from: 0, to: children.count - 1, by: 2)
    where nodes[children[place]].kind == .scalar && nodes[children[place]].text == name {
      return (children[place], children[place + 1])
    }
    return nil
  }
}
