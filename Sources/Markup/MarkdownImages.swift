import Bytes
import CCmark

/// What stands for an image in the page.
enum ImageForm {
  /// An `<img>`: the file is part of the site.
  case picture
  /// A link to a picture on another host: a page of ours requests nothing from elsewhere.
  case link
  /// Its text alone: inside a link, or where the picture is missing or its URL not allowed.
  case label
}

extension MarkdownWriter {
  /// Begins an image; its text follows, as `alt` or as visible text.
  mutating func beginImage(
    _ node: MarkdownNode,
    links: some LinkResolver,
    into output: inout ByteBuffer
  ) {
    image = node
    let url = bytes(of: cmark_node_get_url(node))
    imageForm = imageForm(of: url, isInLink: openLinks > 0, links: links)
    openImage(imageForm, into: &output)
    if imageForm == .link { writeTitle(node, into: &output) }
    if imageForm != .picture { output.append(">") }
    imageText = output.count
  }

  /// Decides how an image is shown, and leaves its URL in the scratch buffer.
  mutating func imageForm(
    of url: UnsafeBufferPointer<UInt8>,
    isInLink: Bool,
    links: some LinkResolver
  ) -> ImageForm {
    switch resolve(url, links: links) {
    case .relative: .picture
    case .web: isInLink ? .label : .link
    case .mail, .refused: .label
    }
  }

  /// Writes the start of an image, up to its `alt`, or of what stands for it, without the `>`.
  func openImage(_ form: ImageForm, into output: inout ByteBuffer) {
    switch form {
    case .picture:
      output.append("<img src=\"")
      output.appendHref(scratch.bytes)
      output.append("\" alt=\"")
    case .link:
      openAnchor(to: .web, into: &output)
      output.append(" class=\"image-link\"")
    case .label: output.append("<span class=\"image-label\"")
    }
  }

  /// Ends what ``openImage(_:into:)`` began, after the text, and the `alt` and further attributes
  /// of a picture.
  func closeImage(_ form: ImageForm, into output: inout ByteBuffer) {
    switch form {
    case .picture:
      output.append(options.lazyImages ? " loading=\"lazy\" decoding=\"async\" />" : " />")
    case .link: output.append("</a>")
    case .label: output.append("</span>")
    }
  }

  /// Writes the text of the nodes inside an image, without their markup, and ends the image.
  mutating func writeAlternative(
    _ node: MarkdownNode,
    entering: Bool,
    into output: inout ByteBuffer
  ) {
    switch cmark_node_get_type(node) {
    case CMARK_NODE_TEXT where isShielded:
      scratch.removeAll()
      MarkdownShield.restore(
        bytes(of: cmark_node_get_literal(node)),
        dropsEscapes: true,
        into: &scratch
      )
      output.appendMarkupText(scratch.bytes)
    case CMARK_NODE_TEXT, CMARK_NODE_CODE:
      output.appendMarkupText(bytes(of: cmark_node_get_literal(node)))
    case CMARK_NODE_HTML_INLINE:
      let html = bytes(of: cmark_node_get_literal(node))
      if options.allowsRawHTML || !RawHTML.isComment(html) { output.appendMarkupText(html) }
    case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: output.append(" ")
    case CMARK_NODE_IMAGE:
      if !entering, node == image { endImage(node, into: &output) }
    default: break
    }
  }

  private mutating func endImage(_ node: MarkdownNode, into output: inout ByteBuffer) {
    image = nil
    if imageForm != .picture, output.count == imageText {
      output.appendMarkupText(Self.fileName(of: bytes(of: cmark_node_get_url(node))))
    }
    if imageForm == .picture {
      output.append("\"")
      writeTitle(node, into: &output)
    }
    closeImage(imageForm, into: &output)
  }

  /// The last segment of a URL's path, at most 64 bytes; the whole if it ends with a slash.
  static func fileName(of url: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let end = url.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.count
    let slash = url[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    var first = slash < end ? slash : 0
    if end - first > 64 {
      first = end - 64
      while first < end, url[first] & 0xC0 == 0x80 { first += 1 }
    }
    return UnsafeBufferPointer(rebasing: url[first..<end])
  }
}
