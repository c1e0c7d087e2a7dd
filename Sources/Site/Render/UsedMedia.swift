/// Which files of the content folder a page shows, so that these and no others are copied; and what
/// else it asked for while it was rendered.
final class UsedMedia {
  /// Since the last `takeTrace()`.
  private(set) var trace = PageTrace()

  func insert(_ file: Int) { trace.media.append(file) }

  func note(_ lookup: Lookup) { trace.lookups.append(lookup) }

  /// Adds what was asked for and shown when something was made that is shown again.
  func add(_ trace: PageTrace) {
    self.trace.lookups += trace.lookups
    self.trace.media += trace.media
  }

  /// Whether anything was asked for since the last `takeTrace()`.
  var hasLookups: Bool { !trace.lookups.isEmpty }

  /// What was asked for since the last call, each thing once; nil for nothing.
  func takeTrace() -> PageTrace? {
    if trace.lookups.isEmpty, trace.media.isEmpty { return nil }
    defer { trace = PageTrace() }
    var seen: Set<Lookup> = []
    var seenMedia: Set<Int> = []
    return PageTrace(
      lookups: trace.lookups.filter { seen.insert($0).inserted },
      media: trace.media.filter { seenMedia.insert($0).inserted }
    )
  }
}
