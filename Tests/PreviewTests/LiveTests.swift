import Glibc
import Testing

@testable import Preview

@Suite
struct LiveTests {
  /// A page's stream of events.
  private func stream(
    _ site: TestSite,
    since: String = "",
    _ fields: String = ""
  ) throws -> RawClient {
    let client = try #require(RawClient(port: site.server.port))
    client.send(
      "GET /.stillfeed/events?since=\(since) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    )
    return client
  }

  private func version(_ site: TestSite) throws -> String {
    let page = try #require(site.ask("/")?.text)
    let start = try #require(page.firstRange(of: "data-version=\"")).upperBound
    return String(page[start...].prefix { $0 != "\"" })
  }

  private func text(_ client: RawClient, until mark: String, seconds: Double = 3) -> String {
    let mark = Array(mark.utf8)
    let bytes = client.receive(seconds: seconds) { bytes in
      bytes.indices.contains { bytes[$0...].starts(with: mark) }
    }.bytes
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test
  func changesAreToldAtOnce() throws {
    let site = try TestSite()
    let client = try stream(site, since: try version(site))
    let start = text(client, until: "event: mended\ndata: ok\n\n")
    #expect(start.contains("Content-Type: text/event-stream"))
    #expect(!start.contains("event: change"))
    try site.folder.write("new", to: "site/index.html")
    try site.folder.write("new", to: "site/a b.txt")
    let before = ContinuousClock.now
    try site.server.publish()
    let news = text(client, until: "a%20b.txt\n\n")
    #expect(ContinuousClock.now - before < .milliseconds(500))
    #expect(news.contains("event: change\nid: \(try version(site))\ndata: /\ndata: /a%20b.txt\n\n"))
  }

  @Test
  func whatAPageMissedIsToldWhenItComesBack() throws {
    let site = try TestSite()
    let old = try version(site)
    try site.folder.write("1", to: "site/one.txt")
    try site.server.publish()
    try site.folder.write("2", to: "site/two.txt")
    try site.server.publish()
    let client = try stream(site, since: old)
    #expect(text(client, until: "mended").contains("data: /one.txt\ndata: /two.txt\n"))
    let again = try stream(site, since: "other", "Last-Event-ID: \(old)\r\n")
    #expect(text(again, until: "mended").contains("data: /one.txt\ndata: /two.txt\n"))
    // Of another run, or of none: all may have changed.
    for unknown in ["other.1", "", "\(old)0000"] {
      #expect(text(try stream(site, since: unknown), until: "mended").contains("data: *\n"))
    }
  }

  @Test
  func problemsAreToldAndTakenBack() throws {
    let site = try TestSite()
    let client = try stream(site, since: try version(site))
    _ = text(client, until: "mended")
    site.server.show(problems: ["stillfeed.yml:3: error\r\nid: 7", "second"])
    #expect(
      text(client, until: "second\n\n")
        .contains(
          "event: problem\ndata: stillfeed.yml:3: error\ndata: \ndata: id: 7\ndata: second\n\n"
        )
    )
    let late = try stream(site, since: try version(site))
    #expect(text(late, until: "second\n\n").contains("event: problem"))
    site.server.show(problems: [])
    #expect(text(client, until: "ok\n\n").contains("event: mended"))
    #expect(text(late, until: "ok\n\n").contains("event: mended"))
  }

  @Test
  func aSiteThatWasNeverBuiltShowsWhy() throws {
    let folder = TemporaryFolder()
    var configuration = PreviewConfiguration(site: folder.path, cache: folder.path + "/.cache")
    configuration.port = 0
    let server = try PreviewServer(configuration)
    server.show(problems: ["<b>stillfeed.yml</b> is odd"])
    try server.start()
    defer { server.stop() }
    let client = try #require(RawClient(port: server.port))
    client.send("GET /any/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let answer = try #require(RawAnswer(client.receive().bytes))
    #expect(answer.status == 503)
    #expect(answer.text.contains("&lt;b&gt;stillfeed.yml"))
    #expect(answer.text.contains("live.js"))
  }

  @Test
  func otherSitesPagesAreNotTold() throws {
    let site = try TestSite()
    for origin in ["cross-site", "same-site", "none"] {
      #expect(site.ask("/.stillfeed/events", ["Sec-Fetch-Site: \(origin)"])?.status == 403)
    }
    let client = try stream(site, since: "", "Sec-Fetch-Site: same-origin\r\n")
    #expect(text(client, until: "mended").contains("200 OK"))
  }

  @Test
  func waitingPagesAreBoundedAndLetGo() throws {
    var limits = PreviewLimits()
    limits.livePages = 3
    limits.heartbeatSeconds = 0.2
    let site = try TestSite(limits: limits)
    var clients = try (0..<3).map { _ in try stream(site) }
    for client in clients { _ = text(client, until: "mended") }
    #expect(site.ask("/.stillfeed/events")?.status == 503)
    for client in clients { #expect(text(client, until: ": still here").contains(": still here")) }
    clients = []
    let end = ContinuousClock.now + .seconds(5)
    while site.server.hub.clientCount > 0, ContinuousClock.now < end { usleep(20_000) }
    #expect(site.server.hub.clientCount == 0)
    _ = text(try stream(site), until: "mended")
  }

  @Test
  func stoppingEndsStreamsAtOnce() throws {
    let site = try TestSite()
    let clients = try (0..<10).map { _ in try stream(site) }
    for client in clients { _ = text(client, until: "mended") }
    let start = ContinuousClock.now
    site.server.stop()
    #expect(ContinuousClock.now - start < .seconds(1))
    for client in clients { #expect(client.receive(seconds: 1).isClosed) }
    #expect(RawClient(port: site.server.port) == nil)
  }

  @Test
  func manyPagesHearManyChanges() throws {
    let site = try TestSite()
    let clients = try (0..<20).map { _ in try stream(site, since: try version(site)) }
    for number in 1...50 {
      try site.folder.write("\(number)", to: "site/index.html")
      try site.server.publish()
    }
    let last = "id: \(try version(site))\n"
    for client in clients { #expect(text(client, until: last).contains(last)) }
  }
}
