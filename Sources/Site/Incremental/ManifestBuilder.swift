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
  mutating func add(_ pages: PageTable, _ keys: [UInt64], _ results: PageResults) {
    manifest.files = Manifest.Files(of: pages, states: results.states)
    manifest.files.reserveCapacity(pages.count)
    for index in pages.indices {
      let size = results.states[index].size
      guard results.states[index].isKnown else { continue }
      if size > manifest.summary.largestBytes {
        let path = pages.path(at: index)
        if path.hasSuffix(".html") {
          manifest.summary.largestBytes = size
          manifest.summary.largestPath = path
        }
      }
      let note = results.remarks[index].map { add($0) }
      manifest.files.append(page: index, of: pages, key: keys[index], note: note ?? -1)
    }
  }

  /// Adds what is known of a page; returns its position in `Manifest.notes`.
  private mutating func add(_ remarks: PageRemarks) -> Int32 {
    var note = Manifest.Note()
    for lookup in remarks.trace?.lookups ?? [] { note.lookups.append(number(of: lookup)) }
    for file in remarks.trace?.media ?? [] {
      used[file] = true
      note.media.append(number(ofMedium: file))
    }
    note.diagnostics = remarks.diagnostics.map { number(of: $0) }
    manifest.notes.append(note)
    return Int32(truncatingIfNeeded: manifest.notes.count - 1)
  }

  /// Adds a file that no template makes.
  mutating func add(_ file: Manifest.File) { manifest.files.append(file) }

  /// What was wrong with the bodies: each thing once, where it comes first.
  var pageDiagnostics: [Diagnostic] { manifest.diagnostics }

  /// The manifest, its files in order.
  mutating func finish(_ report: BuildReport, inputs: UInt64) -> Manifest {
    manifest.files.seal(at: FileClock.now)
    manifest.files.sort()
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
