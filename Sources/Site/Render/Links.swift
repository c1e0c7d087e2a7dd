import Archive
import Bytes

/// Writes addresses as templates and bodies need them.
struct Links: Sendable {
  /// Write out `index.html`, so that a page opens from a disk.
  let isExplicit: Bool

  /// Appends the address of a file or folder below the site's root, percent-encoded.
  ///
  /// - Parameters:
  ///   - route: Raw names; a folder's ends in `/`, the root's is empty.
  ///   - output: Gets for instance `posts/rain/` or `posts/rain/index.html`.
  func append(_ route: String, into output: inout ByteBuffer) {
    route.withBytes { append(bytes: $0, into: &output) }
  }

  /// Appends the address of a file or folder whose route is given as UTF-8.
  func append(bytes route: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    output.append(percentEncodedPath: route.span)
    let isFolder = route.last ?? UInt8(ascii: "/") == UInt8(ascii: "/")
    if isFolder, isExplicit { output.append("index.html") }
  }

  /// The address of a file or folder below the site's root.
  func url(_ route: String) -> String {
    var output = ByteBuffer(capacity: 64)
    append(route, into: &output)
    return output.string
  }

  /// `./`, `../`, `../../`: the way from a page to the site's root.
  static func root(from path: String) -> String {
    switch path.utf8.count(where: { $0 == UInt8(ascii: "/") }) {
    case 0: "./"
    // To repeat them takes a while.
    case 1: "../"
    case 2: "../../"
    case 3: "../../../"
    case let depth: String(repeating: "../", count: depth)
    }
  }
}

extension Entry.Kind {
  /// What stands before an entry's name in its anchor.
  var anchorPrefix: StaticString {
    switch self {
    case .post: ""
    case .comment: "c-"
    case .message: "m-"
    }
  }
}

extension RenderContext {
  /// Appends the fragment that names an entry on its page: `#m-12`.
  func appendFragment(of entry: Entry, into output: inout ByteBuffer) {
    output.append(UInt8(ascii: "#"))
    output.append(entry.kind.anchorPrefix)
    let start = output.count
    append(entry.name, into: &output)
    output.percentEncodeName(from: start)
  }

  /// Appends a text of the archive as it is.
  func append(_ range: TextRange, into output: inout ByteBuffer) {
    archive.text.withUnsafeBufferPointer { text in
      let start = Int(range.offset)
      output.append(UnsafeBufferPointer(rebasing: text[start..<(start + Int(range.length))]))
    }
  }

  /// Appends the address of a page below the site's root.
  func append(_ address: Address, into output: inout ByteBuffer) {
    let start = output.count
    plan.append(address, into: &output)
    output.percentEncodePath(from: start)
    if links.isExplicit { output.append("index.html") }
  }

  /// The address of a page below the site's root.
  func url(_ address: Address) -> String {
    var output = ByteBuffer(capacity: 64)
    append(address, into: &output)
    return output.string
  }

  /// Appends the address of an entry below the site's root: its page and, if it has one, its anchor.
  func appendPermalink(of id: EntryID, into output: inout ByteBuffer) {
    append(plan.permalink(of: id), into: &output)
    let entry = archive.entries[id.index]
    if entry.kind != .post { appendFragment(of: entry, into: &output) }
  }

  /// Appends an address with the base URL, escaped for XML and HTML.
  func appendAbsolute(_ route: String, into output: inout ByteBuffer) {
    output.appendXML(baseURL)
    links.append(route, into: &output)
  }

  /// Appends the address of an entry with the base URL, escaped.
  func appendAbsolute(permalinkOf id: EntryID, into output: inout ByteBuffer) {
    output.appendXML(baseURL)
    appendPermalink(of: id, into: &output)
  }
}

extension ByteBuffer {
  /// Percent-encodes the path that was appended from `start` on; mostly there is nothing to encode.
  fileprivate mutating func percentEncodePath(from start: Int) {
    if isUnreserved(from: start, orSlash: true) { return }
    let raw = cut(from: start)
    append(percentEncodedPath: raw.span)
  }

  /// Percent-encodes the name that was appended from `start` on.
  fileprivate mutating func percentEncodeName(from start: Int) {
    if isUnreserved(from: start, orSlash: false) { return }
    let raw = cut(from: start)
    append(percentEncoded: raw.span)
  }

  private func isUnreserved(from start: Int, orSlash: Bool) -> Bool {
    withUnsafeBytes { memory in
      let bytes = UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[start...])
      if orSlash, URLText.isPlainPath(bytes) { return true }
      return bytes.allSatisfy {
        URLText.isUnreserved($0) || (orSlash && $0 == UInt8(ascii: "/"))
      }
    }
  }

  /// Takes off what was appended from `start` on.
  private mutating func cut(from start: Int) -> [UInt8] {
    let tail = withUnsafeBytes { Array($0[start...]) }
    truncate(to: start)
    return tail
  }
}
