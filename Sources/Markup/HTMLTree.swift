import Bytes
import CGumbo

/// A node of gumbo's tree; valid as long as its ``HTMLTree``.
typealias HTMLNode = UnsafeMutablePointer<GumboNode>

/// The tree that gumbo makes of one HTML fragment, freed with this value.
struct HTMLTree: ~Copyable {
  private let output: UnsafeMutablePointer<GumboOutput>
  private let options: GumboOptions

  /// The element whose children are the fragment's nodes.
  var root: HTMLNode? { output.pointee.root }

  /// Parses a fragment as the HTML standard has a browser do inside `<body>`.
  ///
  /// The bytes must outlive the tree. Nil only when memory runs out.
  init?(parsing html: UnsafeBufferPointer<UInt8>) {
    var options = kGumboDefaultOptions
    options.max_errors = 0
    options.fragment_context = GUMBO_TAG_BODY
    let parsed = html.withMemoryRebound(to: CChar.self) { text in
      gumbo_parse_with_options(&options, text.baseAddress, text.count)
    }
    guard let parsed else { return nil }
    output = parsed
    self.options = options
  }

  deinit {
    withUnsafePointer(to: options) { gumbo_destroy_output($0, output) }
  }
}

extension UnsafeMutablePointer<GumboNode> {
  /// Whether the node is an element of HTML, not of SVG or MathML.
  var isHTMLElement: Bool {
    pointee.type == GUMBO_NODE_ELEMENT
      && pointee.v.element.tag_namespace == GUMBO_NAMESPACE_HTML
  }

  var tag: GumboTag { pointee.v.element.tag }

  var childCount: Int {
    pointee.type == GUMBO_NODE_ELEMENT ? Int(pointee.v.element.children.length) : 0
  }

  func child(_ index: Int) -> HTMLNode? {
    pointee.v.element.children.data[index]?.assumingMemoryBound(to: GumboNode.self)
  }

  /// Whether one of the children is an HTML element of that name.
  func hasChild(_ tag: GumboTag) -> Bool {
    for index in 0..<childCount {
      if let child = child(index), child.isHTMLElement, child.tag == tag { return true }
    }
    return false
  }

  /// The value of an attribute, nil if it is absent.
  func attribute(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    var attributes = pointee.v.element.attributes
    let found = UnsafeRawPointer(name.utf8Start).withMemoryRebound(to: CChar.self, capacity: 1) {
      gumbo_get_attribute(&attributes, $0)
    }
    guard let value = found?.pointee.value else { return nil }
    return bytes(of: value)
  }

  /// The text of a text node.
  var text: UnsafeBufferPointer<UInt8> { bytes(of: pointee.v.text.text) }
}
