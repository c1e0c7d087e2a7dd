import Bytes
import CCmark
import Glibc

/// A node of cmark's tree; valid as long as its ``MarkdownTree``.
typealias MarkdownNode = OpaquePointer

/// The tree that cmark makes of one body, freed with this value.
struct MarkdownTree: ~Copyable {
  let root: MarkdownNode

  /// Parses CommonMark 0.30; nil only when memory runs out.
  init?(parsing markdown: UnsafeBufferPointer<UInt8>) {
    let parsed = markdown.withMemoryRebound(to: CChar.self) {
      cmark_parse_document($0.baseAddress, $0.count, CMARK_OPT_DEFAULT)
    }
    guard let parsed else { return nil }
    root = parsed
  }

  /// Parses CommonMark 0.30; nil only when memory runs out.
  init?(parsing markdown: borrowing ByteBuffer) {
    let parsed = markdown.withUnsafeBytes {
      let text = $0.bindMemory(to: CChar.self)
      return cmark_parse_document(text.baseAddress, text.count, CMARK_OPT_DEFAULT)
    }
    guard let parsed else { return nil }
    root = parsed
  }

  deinit { cmark_node_free(root) }

  /// Calls `body` for each node in document order, for containers on entering and on leaving.
  borrowing func walk(_ body: (_ node: MarkdownNode, _ entering: Bool) -> Void) {
    guard let iterator = cmark_iter_new(root) else { return }
    defer { cmark_iter_free(iterator) }
    while true {
      let event = cmark_iter_next(iterator)
      if event == CMARK_EVENT_DONE { return }
      guard let node = cmark_iter_get_node(iterator) else { return }
      body(node, event == CMARK_EVENT_ENTER)
    }
  }
}

/// The text that a C string of cmark's tree holds, empty for a null pointer.
@inline(__always)
func bytes(of string: UnsafePointer<CChar>?) -> UnsafeBufferPointer<UInt8> {
  guard let string else { return UnsafeBufferPointer(start: nil, count: 0) }
  return UnsafeBufferPointer(
    start: UnsafeRawPointer(string).assumingMemoryBound(to: UInt8.self),
    count: strlen(string)
  )
}
