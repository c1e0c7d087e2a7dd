import Archive
import Bytes

/// A question that a page asks while it is rendered, and whose answer no key of an entry holds: what a
/// path or a name in a text leads to.
///
/// The questions are kept with the page. The next build asks them again; another answer means that
/// the page has to be rendered.
enum Lookup: Hashable, Sendable {
  /// A path in a field of media, with the folder of its file.
  case medium(String, beside: String)
  /// A path in a body, with the folder of its file.
  case destination(String, beside: String)
  /// A name in a body.
  case mention(String)

  /// A number that stands for the answer.
  func answer(in context: RenderContext) -> UInt64 {
    switch self {
    case .medium(let path, let folder):
      guard case .file(let file) = context.archive.media.resolve(path, beside: folder) else {
        return 0
      }
      return context.archive.media.files[file].key
    case .destination(let path, let folder):
      switch context.target(ofLink: path, beside: folder) {
      case .file(let file): return context.archive.media.files[file].key
      case .route(let route): return Fingerprint.of(route, seed: 1)
      case .nothing: return 0
      }
    case .mention(let name):
      guard let person = context.archive.names.person(named: name), context.plan.hasPage(person)
      else { return 0 }
      return Fingerprint.of(context.archive.people.name(of: person), seed: 2)
    }
  }
}

/// What a page asked and which media it showed while it was rendered.
struct PageTrace: Hashable, Sendable {
  /// Each once, in the order of asking.
  var lookups: [Lookup] = []
  /// Positions in `MediaIndex.files`, each once.
  var media: [Int] = []
}

extension MediaIndex.File {
  /// Changes with anything that a page or a copy takes from the file.
  var key: UInt64 {
    var hash = KeyHash()
    hash.add(path)
    hash.add(output)
    hash.add(size)
    hash.add(UInt64(bitPattern: modified))
    hash.add(UInt64(bitPattern: changed))
    hash.add(inode)
    hash.add(isActive)
    return hash.value
  }
}

/// Where a path in a body leads.
enum LinkTarget {
  /// An index in `MediaIndex.files`.
  case file(Int)
  /// A page or static file, below the site's root.
  case route(String)
  case nothing
}

extension RenderContext {
  /// What a path in a body means: a file beside the entry's own, else a page or static file.
  func target(ofLink path: String, beside folder: String) -> LinkTarget {
    if case .file(let file) = archive.media.resolve(path, beside: folder) { return .file(file) }
    return plannedRoute(path).map { .route($0) } ?? .nothing
  }

  /// The route of a page or static file that a path names from the site's root, as authors write
  /// it (`/about/`, `posts/rain/`).
  private func plannedRoute(_ path: String) -> String? {
    var path = path
    while path.utf8.first == UInt8(ascii: "/") { path.removeFirst() }
    let candidates = [path, path + "/", path + "index.html"]
    for candidate in candidates {
      let isFolder = candidate.isEmpty || candidate.utf8.last == UInt8(ascii: "/")
      if paths.contains(isFolder ? candidate + "index.html" : candidate) { return candidate }
    }
    return plan.staticFiles.contains(path) ? path : nil
  }
}
