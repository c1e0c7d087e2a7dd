import Bytes
import Glibc

/// Decides what to answer; it knows HTTP, the site and nothing of sockets.
struct Responder: Sendable {
  /// The folder of preview's own addresses below the base path; no file of a site can have it.
  static let ownFolder = ".stillfeed/"
  /// Larger pages are served as they are, without the reload script.
  private static let largestPage = 16 << 20

  let hosts: HostCheck
  /// Tells one run of the server from another.
  let run: String
  let reloadsPages: Bool
  /// Where files of snapshots are.
  let folder: String

  /// Answers a request from a snapshot; `problems` are shown where there is no page yet.
  ///
  /// - Returns: Nil if the snapshot's files have gone: ask again with the newest.
  func answer(to request: Request, from snapshot: Snapshot, problems: [String]) -> Answer? {
    let target: RequestTarget
    do throws(RequestTarget.Refusal) {
      target = try RequestTarget(request.target)
    } catch {
      return switch error {
      case .malformed: refusal(400, "The address makes no sense here")
      case .tooLong: refusal(414, "The address is too long")
      }
    }
    if let refusal = refusal(of: request, target) { return refusal }
    guard let path = below(snapshot.base, target.path) else {
      return outside(snapshot.base, target)
    }
    if path.starts(with: Self.ownFolder.utf8) {
      return ownAnswer(Array(path.dropFirst(Self.ownFolder.utf8.count)), request, target)
    }
    switch snapshot.answer(to: path) {
    case .file(let path, let file): return serve(path, file, to: request, from: snapshot)
    case .folder: return redirect(to: snapshot.base, path + [UInt8(ascii: "/")], target.query)
    case .missing: return missing(request, snapshot, problems)
    }
  }

  /// What is wrong with a request, whatever it asks for.
  private func refusal(of request: Request, _ target: RequestTarget) -> Answer? {
    guard request.method == "GET" || request.method == "HEAD" else {
      var answer = refusal(405, "Only GET and HEAD are answered")
      answer.headers.append(("Allow", "GET, HEAD"))
      return answer
    }
    // Two ways to tell a body's length are how requests are smuggled (RFC 9112, 6.3).
    if request.contentLengths + request.transferEncodings > 1 {
      return refusal(400, "The request tells its length twice")
    }
    guard request.hosts.count == 1 || (request.hosts.isEmpty && request.isHTTP10) else {
      return refusal(400, "A request names its host once")
    }
    let names = request.hosts + (target.authority.map { [$0] } ?? [])
    guard names.allSatisfy(hosts.accepts) else {
      return refusal(421, "This server is not meant by that name")
    }
    return nil
  }

  /// The path below the base path; nil outside of it.
  private func below(_ base: BasePath, _ path: [UInt8]) -> [UInt8]? {
    path.starts(with: base.bytes) ? Array(path.dropFirst(base.bytes.count)) : nil
  }

  private func outside(_ base: BasePath, _ target: RequestTarget) -> Answer {
    let isBase = target.path + [UInt8(ascii: "/")] == base.bytes
    if isBase || target.path.isEmpty { return redirect(to: base, [], target.query) }
    return refusal(404, "The site stands at \(base.address)")
  }

  private func redirect(to base: BasePath, _ path: [UInt8], _ query: [UInt8]) -> Answer {
    var location = ByteBuffer()
    location.append(text: base.address)
    location.append(percentEncodedPath: path.span)
    if !query.isEmpty, query.allSatisfy({ Self.isPlain($0) }) {
      location.append("?")
      location.append(query.span)
    }
    var answer = refusal(301, "It stands elsewhere")
    answer.closes = false
    answer.headers.append(("Location", location.string))
    return answer
  }

  /// Bytes that a query may hold and an address may repeat.
  private static func isPlain(_ byte: UInt8) -> Bool {
    URLText.isUnreserved(byte) || "%=&+,:;/@!$*".utf8.contains(byte)
  }

  /// An answer in words.
  func refusal(_ status: Int, _ words: String) -> Answer {
    Answer(
      status: status,
      headers: [("Content-Type", "text/plain; charset=utf-8")] + Self.safety,
      body: .bytes(Array("\(words).\n".utf8)),
      closes: status == 400 || status == 414
    )
  }

  private func missing(_ request: Request, _ snapshot: Snapshot, _ problems: [String]) -> Answer {
    if snapshot.version == 0 { return notBuilt(problems, snapshot) }
    if let (path, file) = snapshot.file("404.html"),
      var answer = serve(
        path,
        file,
        to: Request(method: request.method, target: []),
        from: snapshot
      )
    {
      answer.status = 404
      answer.headers.removeAll { $0.name == "ETag" || $0.name == "Accept-Ranges" }
      return answer
    }
    return refusal(404, "There is no such page")
  }

  /// A page in place of a site that could not be built yet.
  private func notBuilt(_ problems: [String], _ snapshot: Snapshot) -> Answer {
    var page = ByteBuffer()
    page.append("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">")
    page.append("<title>Not built</title>\n<h1>The site could not be built</h1>\n<pre>")
    for line in problems {
      page.appendEscaped(text: line)
      page.append("\n")
    }
    page.append("</pre>\n")
    if reloadsPages { page.append(text: LiveScript.tag(run, snapshot)) }
    return Answer(
      status: 503,
      headers: [
        ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", Self.policy),
      ]
        + Self.safety,
      body: .bytes(page.array)
    )
  }

  private func ownAnswer(_ path: [UInt8], _ request: Request, _ target: RequestTarget) -> Answer {
    guard reloadsPages else { return refusal(404, "Pages are not reloaded here") }
    if path.elementsEqual(LiveScript.name.utf8) { return LiveScript.answer(to: request) }
    guard path.elementsEqual("events".utf8), request.method == "GET" else {
      return refusal(404, "There is no such page")
    }
    // A page of another site could not read it, but would hold a connection.
    if let site = request.fetchSite, !site.elementsEqual("same-origin".utf8) {
      return refusal(403, "Only pages of this site are told of changes")
    }
    let since = request.lastEventID ?? target.queryValue("since") ?? []
    return Answer(
      status: 200,
      headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        + Self.safety.filter { $0.name != "Cache-Control" },
      body: .events(since: version(since)),
      closes: true
    )
  }

  /// The number in `RUN.NUMBER`, if it is of this run.
  private func version(_ text: [UInt8]) -> Int? {
    let start = Array("\(run).".utf8)
    guard text.starts(with: start) else { return nil }
    return Int(String(decoding: text.dropFirst(start.count), as: UTF8.self))
  }
}

extension Responder {
  /// The promise that the site makes: nothing inline, nothing from elsewhere.
  static let policy =
    "default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; "
    + "frame-ancestors 'self'"

  /// For what isn't the site's own: shown without scripts, in an origin of its own.
  static let sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

  /// Said with everything.
  ///
  /// `no-cache` lets a browser keep a copy, and has it ask each time.
  static let safety = [
    (name: "X-Content-Type-Options", value: "nosniff"),
    (name: "Cache-Control", value: "no-cache"),
    (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    (name: "Referrer-Policy", value: "same-origin"),
  ]

  private static func headers(for path: [UInt8]) -> [(name: String, value: String)] {
    var headers = [(name: "Content-Type", value: MediaType.of(path))] + safety
    headers.append(
      ("Content-Security-Policy", MediaType.isSandboxed(path) ? sandbox : policy)
    )
    if MediaType.isDownload(path) { headers.append(("Content-Disposition", "attachment")) }
    return headers
  }

  /// A file, part of it, or word that it hasn't changed; nil if it can't be opened.
  private func serve(
    _ path: Path,
    _ file: Snapshot.File,
    to request: Request,
    from snapshot: Snapshot
  ) -> Answer? {
    let addsScript = reloadsPages && MediaType.isPage(path.bytes) && file.size <= Self.largestPage
    // With the script added the bytes are no longer the file's, and differ from run to run.
    let tag = addsScript ? "W/\"\(file.tag)-\(LiveScript.tag)\"" : "\"\(file.tag)\""
    var answer = Answer(status: 200, headers: Self.headers(for: path.bytes) + [("ETag", tag)])
    if let tags = request.ifNoneMatch, EntityTag.list(tags, holds: tag) {
      answer.status = 304
      answer.headers.removeAll { $0.name == "Content-Type" || $0.name == "Content-Disposition" }
      return answer
    }
    guard let open = open(file) else { return nil }
    if addsScript {
      guard let page = LiveScript.added(to: open.file, size: open.size, run, snapshot) else {
        return nil
      }
      answer.body = .bytes(page)
      return answer
    }
    answer.headers.append(("Accept-Ranges", "bytes"))
    answer.body = .file(open.file, 0..<open.size)
    guard let range = request.range, request.method == "GET",
      request.ifRange.map({ $0.elementsEqual(tag.utf8) }) ?? true
    else { return answer }
    switch ByteRange.read(range, size: open.size) {
    case .whole: break
    case .part(let part):
      answer.status = 206
      answer.headers.append(
        ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(open.size)")
      )
      answer.body = .file(open.file, part)
    case .unsatisfiable:
      answer = refusal(416, "The file has \(open.size) bytes")
      answer.headers.append(("Content-Range", "bytes */\(open.size)"))
    }
    return answer
  }

  /// Opens a kept file; a newer snapshot may just have let go of it.
  private func open(_ file: Snapshot.File) -> (file: OpenFile, size: Int)? {
    let number = Glibc.open("\(folder)/\(file.number)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { return nil }
    let open = OpenFile(owning: number)
    var raw = stat()
    guard fstat(number, &raw) == 0 else { return nil }
    return (open, Int(raw.st_size))
  }
}

/// Entity tags (RFC 9110, 8.8.3 and 13.1.2).
enum EntityTag {
  /// Whether a list of tags, or `*`, holds a tag; weak and strong ones count as equal.
  static func list(_ list: [UInt8], holds tag: String) -> Bool {
    let opaque = tag.hasPrefix("W/") ? tag.utf8.dropFirst(2) : tag.utf8[...]
    let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    return list.split(separator: UInt8(ascii: ",")).contains { part in
      var part = part.drop(while: blanks.contains)
      while let last = part.last, blanks.contains(last) { part.removeLast() }
      if part.elementsEqual("*".utf8) { return true }
      if part.starts(with: "W/".utf8) { part = part.dropFirst(2) }
      return part.elementsEqual(opaque)
    }
  }
}
