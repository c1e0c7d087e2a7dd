/// Which files of the content folder a page shows, so that these and no others are copied; and what
/// else it asked for while it was rendered.
final class UsedMedia {
  private var lookups: [Lookup] = []
  private var media: [Int] = []
  /// How much was asked for since the last `takeTrace()`; apart, for each body asks.
  private(set) var lookupCount = 0

  /// Since the last `takeTrace()`.
  var trace: PageTrace { PageTrace(lookups: lookups, media: media) }

  func insert(_ file: Int) { media.append(file) }

  func note(_ lookup: Lookup) {
    lookups.append(lookup)
    lookupCount += 1
  }

  /// Adds what was asked for and shown when something was made that is shown again.
  func add(_ trace: PageTrace) {
    lookups += trace.lookups
    lookupCount += trace.lookups.count
    media += trace.media
  }

  /// What was asked for since the last call, each thing once; nil for nothing.
  func takeTrace() -> PageTrace? {
    if lookups.isEmpty, media.isEmpty { return nil }
    var seen: Set<Lookup> = []
    var seenMedia: Set<Int> = []
    let trace = PageTrace(
      lookups: lookups.filter { seen.insert($0).inserted },
      media: media.filter { seenMedia.insert($0).inserted }
    )
    lookups.removeAll(keepingCapacity: true)
    lookupCount = 0
    media.removeAll(keepingCapacity: true)
    return trace
  }
}
