import Archive
import Bytes
import Markup

/// Where the links inside one body lead: media beside the entry, other entries, people.
struct BodyLinks: LinkResolver {
  let context: RenderContext
  /// Stands before every address below the site's root: `../../`, or the base URL in feeds.
  let root: String
  /// The folder of the entry's file, from the archive's root, without a trailing slash.
  let folder: String
  let used: UsedMedia

  func href(forDestination destination: Span<UInt8>, into output: inout ByteBuffer) -> Bool {
    destination.withUnsafeBufferPointer { bytes in
      if hasScheme(bytes) { return false }
      let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
      let pathBytes = UnsafeBufferPointer(rebasing: bytes[..<(end ?? bytes.count)])
      if pathBytes.isEmpty { return false }
      let path = String(decoding: URLText.percentDecode(pathBytes.span), as: UTF8.self)
      let fragment = end.map { UnsafeBufferPointer(rebasing: bytes[$0...]) }
      return write(path, fragment: fragment, into: &output)
    }
  }

  private func write(
    _ path: String,
    fragment: UnsafeBufferPointer<UInt8>?,
    into output: inout ByteBuffer
  ) -> Bool {
    if case .file(let file) = context.archive.media.resolve(path, beside: folder) {
      used.insert(file)
      used.wroteAddress = true
      output.append(text: root)
      context.links.append(context.archive.media.files[file].output, into: &output)
      return true
    }
    guard let route = plannedRoute(path) else { return false }
    used.wroteAddress = true
    output.append(text: root)
    context.links.append(route, into: &output)
    if let fragment, fragment.first == UInt8(ascii: "#") { output.append(fragment) }
    return true
  }

  /// The route of a page or static file that a path names from the site's root, as authors write
  /// it (`/about/`, `posts/rain/`).
  private func plannedRoute(_ path: String) -> String? {
    var path = path
    while path.utf8.first == UInt8(ascii: "/") { path.removeFirst() }
    let candidates = [path, path + "/", path + "index.html"]
    for candidate in candidates {
      let isFolder = candidate.isEmpty || candidate.utf8.last == UInt8(ascii: "/")
      if context.paths.contains(isFolder ? candidate + "index.html" : candidate) {
        return candidate
      }
    }
    return context.plan.staticFiles.contains(path) ? path : nil
  }

  func mention(_ name: Span<UInt8>, into output: inout ByteBuffer) -> Bool {
    guard let person = context.archive.names.person(named: name),
      context.plan.hasPage(person)
    else { return false }
    used.wroteAddress = true
    output.append(text: root)
    context.links.append(Routes.person(context.archive.people[person.index]), into: &output)
    return true
  }

  private func hasScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: ":"): return true
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return false
      default: continue
      }
    }
    return false
  }
}
