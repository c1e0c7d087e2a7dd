import Archive
import Bytes

/// Gathers what a build has to remember.
struct ManifestBuilder {
  private let context: RenderContext
  private(set) var manifest = Manifest()
  /// By position in `MediaIndex.files`: whether a page shows it.
  private(set) var used: [Bool]
  private var lookups: [Lookup: UInt32] = [:]
  private var media: [Int: UInt32] = [:]
  private var diagnostics: [Diagnostic: UInt32] = [:]

  init(_ context: RenderContext) {
    self.context = context
    used = Array(repeating: false, count: context.archive.media.files.count)
  }

  /// Adds all pages in their order, rendered or taken over; others fall to another shard.
  mutating func add(
    _ pages: [Page],
    _ keys: [UInt64?],
    _ reuse: Reuse,
    _ rendered: [RenderPool.Rendered]
  ) {
    var next = rendered[...]
    for (index, page) in pages.enumerated() {
      if let old = reuse.pages[index] {
        add(page.path, key: keys[index], old.state, old.trace, old.diagnostics)
      } else if let new = next.first, new.page == index {
        next.removeFirst()
        add(page.path, key: keys[index], new.state, new.trace, new.diagnostics)
      }
    }
  }

  private mutating func add(
    _ path: String,
    key: UInt64?,
    _ state: OutputState,
    _ trace: PageTrace?,
    _ found: [Diagnostic]
  ) {
    var file = Manifest.File(path: path, key: key ?? 0, state: state)
    if state.size > manifest.summary.largestBytes, path.hasSuffix(".html") {
      manifest.summary.largestBytes = state.size
      manifest.summary.largestPath = path
    }
    if trace != nil || !found.isEmpty {
      file.note = Int32(truncatingIfNeeded: manifest.notes.count)
      var note = Manifest.Note()
      for lookup in trace?.lookups ?? [] { note.lookups.append(number(of: lookup)) }
      for file in trace?.media ?? [] {
        used[file] = true
        note.media.append(number(ofMedium: file))
      }
      note.diagnostics = found.map { number(of: $0) }
      manifest.notes.append(note)
    }
    manifest.files.append(file)
  }

  /// Adds a file that no template makes.
  mutating func add(_ file: Manifest.File) { manifest.files.append(file) }

  /// What was wrong with the bodies: each thing once, where it comes first.
  var pageDiagnostics: [Diagnostic] { manifest.diagnostics }

  /// The manifest, its files in order.
  mutating func finish(_ report: BuildReport, inputs: UInt64) -> Manifest {
    let now = FileClock.now
    for index in manifest.files.indices {
      manifest.files[index].state = manifest.files[index].state.sealed(at: now)
    }
    manifest.files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    manifest.inputs = inputs
    manifest.summary.entries = report.entries
    manifest.summary.pages = report.pages
    manifest.summary.diagnostics = report.diagnostics.map { number(of: $0) }
    return manifest
  }

  private mutating func number(of lookup: Lookup) -> UInt32 {
    if let number = lookups[lookup] { return number }
    let number = UInt32(truncatingIfNeeded: manifest.lookups.count)
    manifest.lookups.append((lookup, lookup.answer(in: context)))
    lookups[lookup] = number
    return number
  }

  private mutating func number(ofMedium file: Int) -> UInt32 {
    if let number = media[file] { return number }
    let number = UInt32(truncatingIfNeeded: manifest.media.count)
    manifest.media.append(context.archive.media.files[file].path)
    media[file] = number
    return number
  }

  private mutating func number(of diagnostic: Diagnostic) -> UInt32 {
    if let number = diagnostics[diagnostic] { return number }
    let number = UInt32(truncatingIfNeeded: manifest.diagnostics.count)
    manifest.diagnostics.append(diagnostic)
    diagnostics[diagnostic] = number
    return number
  }
}
