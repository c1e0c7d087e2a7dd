import Bytes
import JSON

/// What only posts and pages have: a slug, a title in the index, old paths.
enum PostFields {
  static func read(
    _ position: UInt32,
    _ slug: TextRange,
    _ hasOwnID: Bool,
    _ entry: Entry,
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) {
    let number = UInt32(truncatingIfNeeded: harvest.posts.count)
    var title = TextRange.empty
    if !entry.isTombstone {
      if let text = walk[.title].flatMap({ Self.title(of: $0) }) {
        title = text.withUnsafeBufferPointer { harvest.append(text: $0) }
      }
      for alias in aliases(walk, record, file, into: &harvest) {
        let range = alias.withUnsafeBufferPointer { harvest.append(text: $0) }
        harvest.aliases.append(Harvest.Named(entry: number, name: range))
      }
    }
    harvest.posts.append(
      Harvest.RawPost(entry: position, slug: slug, title: title, hasOwnID: hasOwnID)
    )
  }

  /// A title on one line, at most 4 KiB; nil where there is none.
  static func title(of value: JSONValue) -> [UInt8]? {
    var text: [UInt8] = []
    if let string = value.text {
      text = Array(string.buffer.trimmed.cut(to: 4096))
    } else if FieldValue.append(value, to: &text) == nil {
      return nil
    }
    for index in text.indices where text[index] < 0x20 { text[index] = 0x20 }
    return text.isEmpty ? nil : text
  }

  /// Old paths relative to the site's root, checked: none leaves the site.
  static func aliases(
    _ walk: borrowing RecordWalk,
    _ record: RecordPlace,
    _ file: FileContext,
    into harvest: inout Harvest
  ) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for field in [Field.aliases, .redirects, .address] {
      guard let value = walk[field] else { continue }
      for element in MediaReading.elements(of: value) {
        guard let text = element.text?.buffer.trimmed, !text.isEmpty else { continue }
        // Jekyll's `pretty` and `/:year/:title` are patterns, and a name alone is a style.
        if field == .address, text.contains(UInt8(ascii: ":")) || !text.contains(0x2F) { continue }
        if let path = SitePath.cleaned(text) {
          if !found.contains(path), found.count < 100 { found.append(path) }
        } else {
          harvest.report(.badAlias(text.string, line: record.line, file))
        }
      }
    }
    return found
  }
}

/// Paths of pages that a site used to have.
enum SitePath {
  /// A path relative to the site's root, or nil where it would leave the site or can't be a file's:
  /// scheme, host, query and leading slashes dropped, `/` at the end kept.
  static func cleaned(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var path = Array(text)
    if let scheme = path.firstRange(of: Array("://".utf8)) {
      let head = path[..<scheme.lowerBound]
      guard head.elementsEqual("http".utf8) || head.elementsEqual("https".utf8) else { return nil }
      let rest = path[scheme.upperBound...]
      guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
      path = Array(rest[slash...])
    }
    if let end = path.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      path = Array(path[..<end])
    }
    path = URLText.percentDecode(path.span)
    guard path.count <= 1000, UnicodeText.isValidUTF8(path.span) else { return nil }
    let endsInSlash = path.last == UInt8(ascii: "/")
    var segments: [[UInt8]] = []
    for segment in path.split(separator: UInt8(ascii: "/")) {
      if segment.elementsEqual(".".utf8) { continue }
      // Only what can be a file's name as it stands: an altered one would redirect nobody.
      let name = PathName.fileName(for: segment.span)
      guard name == UnicodeText.nfc(segment.span) else { return nil }
      segments.append(name)
    }
    guard !segments.isEmpty else { return nil }
    var result = Array(segments.joined(separator: [UInt8(ascii: "/")]))
    if endsInSlash { result.append(UInt8(ascii: "/")) }
    return result
  }
}
