import Archive
import Bytes

/// What the last build wrote, and what each file was made from: so that a later build can take over
/// what would come out the same, and remove what is no longer planned, and nothing else.
struct Manifest: Sendable {
  /// A file of the site.
  struct File: Hashable, Sendable {
    /// Below the output folder.
    var path: String
    /// Of what it was made from; 0 for files that are always made again.
    var key: UInt64 = 0
    var state = OutputState()
    /// A position in `notes`; -1 for none.
    var note: Int32 = -1
  }

  /// What is known of a page beyond its key: positions in the lists of the manifest.
  struct Note: Hashable, Sendable {
    var lookups: [UInt32] = []
    var media: [UInt32] = []
    var diagnostics: [UInt32] = []
  }

  /// The numbers of the build's report.
  struct Summary: Hashable, Sendable {
    var entries = 0
    var pages = 0
    /// All that was said, as positions in `diagnostics`, in its order.
    var diagnostics: [UInt32] = []
    var largestPath = ""
    var largestBytes = 0
  }

  /// Sorted by path in byte order.
  var files = Files()
  var notes: [Note] = []
  var lookups: [(question: Lookup, answer: UInt64)] = []
  /// Files of the content folder that pages show.
  var media: [String] = []
  var diagnostics: [Diagnostic] = []
  var summary = Summary()
  /// Of all that was read; 0 where it can't be relied on.
  var inputs: UInt64 = 0

  init() {}

  /// A manifest that only knows the paths.
  init(paths: [String]) { for path in paths { files.append(File(path: path)) } }

  var paths: [String] { files.indices.map { files.path(at: $0) } }

  /// The file at a path.
  func file(_ path: String) -> File? {
    files.position(of: path).map { files[$0] }
  }

  /// Whether all positions lie in their lists.
  var isConsistent: Bool {
    func holds(_ list: [UInt32], _ count: Int) -> Bool { list.allSatisfy { $0 < count } }
    return files.allSatisfy { $0.note >= -1 && Int($0.note) < notes.count }
      && holds(summary.diagnostics, diagnostics.count)
      && notes.allSatisfy {
        holds($0.lookups, lookups.count) && holds($0.media, media.count)
          && holds($0.diagnostics, diagnostics.count)
      }
  }
}
