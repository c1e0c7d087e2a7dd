import Bytes

/// The script that reloads open pages: served by the preview, never part of a site's files.
enum LiveScript {
  static let name = "live.js"

  /// A short name of the script's text, for entity tags of pages that carry it.
  static let tag = String(Fingerprint.of(text), radix: 36)

  /// The element that loads it; `data-version` says which build the page comes from.
  static func tag(_ run: String, _ snapshot: Snapshot) -> String {
    let folder = snapshot.base.address + Responder.ownFolder
    return "<script src=\"\(folder)\(name)\" data-live=\"\(folder)events\" "
      + "data-version=\"\(run).\(snapshot.version)\"></script>\n"
  }

  /// A page with the element added before the end of its body, or at its end if that isn't marked.
  static func added(
    to file: OpenFile,
    size: Int,
    _ run: String,
    _ snapshot: Snapshot
  ) -> [UInt8]? {
    guard var page = file.read(size) else { return nil }
    let element = Array(tag(run, snapshot).utf8)
    page.insert(contentsOf: element, at: endOfBody(page))
    return page
  }

  /// Where the last `</body` stands.
  private static func endOfBody(_ page: [UInt8]) -> Int {
    let mark = Array("</body".utf8)
    guard page.count >= mark.count else { return page.count }
    var index = page.count - mark.count
    while index >= 0 {
      if page[index] == mark[0],
        mark.indices.allSatisfy({ page[index + $0] | 0x20 == mark[$0] | 0x20 })
      {
        return index
      }
      index -= 1
    }
    return page.count
  }

  static func answer(to request: Request) -> Answer {
    let tag = "\"\(tag)\""
    let headers =
      [(name: "Content-Type", value: "text/javascript; charset=utf-8"), ("ETag", tag)]
      + Responder.safety
    if let tags = request.ifNoneMatch, EntityTag.list(tags, holds: tag) {
      return Answer(status: 304, headers: Array(headers.dropFirst()))
    }
    return Answer(status: 200, headers: headers, body: .bytes(Array(text.utf8)))
  }
}
