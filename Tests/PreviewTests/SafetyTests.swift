import Testing

@testable import Preview

@Suite
struct SafetyTests {
  @Test(arguments: [
    ("127.0.0.1", 200), ("127.0.0.1:8000", 200), ("localhost", 200), ("LOCALHOST:1", 200),
    ("[::1]:80", 200), ("127.8.8.8", 200), ("evil.example", 421), ("localhost.evil.example", 421),
    ("127.0.0.1.evil.example", 421), ("10.0.0.1", 421), ("localhost@evil", 421), ("", 421),
    ("127.0.0.1:80:80", 421), ("[::1", 421), ("[::2]", 421), ("127.0.0.1/", 421), ("0x7f.1", 421),
  ])
  func onlyThisMachinesNamesAreAnswered(host: String, status: Int) throws {
    let site = try TestSite()
    for path in ["/", "/nowhere", "/posts/rain", "/.stillfeed/live.js"] {
      let answer = try #require(site.ask(path, host: host))
      #expect((answer.status == 421) == (status == 421), "\(path)")
      #expect(answer["Access-Control-Allow-Origin"] == nil)
      #expect(answer["Location"]?.contains("//") != true)
    }
  }

  @Test
  func aRequestNamesItsHostOnce() throws {
    let site = try TestSite()
    #expect(site.ask("/", host: nil)?.status == 400)
    #expect(site.ask("/", ["Host: evil.example"])?.status == 400)
    #expect(site.ask(raw: Array("GET / HTTP/1.0\r\n\r\n".utf8))?.status == 200)
    #expect(
      site.ask(raw: Array("GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n".utf8))?.status == 421
    )
    #expect(site.ask("http://127.0.0.1/")?.status == 200)
    #expect(site.ask("HTTP://evil.example/")?.status == 421)
  }

  @Test(arguments: [
    ("a.html", "text/html; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
    ("a.1f.js", "text/javascript; charset=utf-8"), ("a.json", "application/json"),
    ("feed.xml", "application/atom+xml"), ("tags/x/feed.json", "application/feed+json"),
    ("feed/archive/1.xml", "application/atom+xml"), ("sitemap.xml", "application/xml"),
    ("robots.txt", "text/plain; charset=utf-8"), ("media/a.PNG", "image/png"),
    ("media/a.jpeg", "image/jpeg"), ("media/a.webp", "image/webp"), ("media/a.avif", "image/avif"),
    ("media/a.mp4", "video/mp4"), ("media/a.webm", "video/webm"), ("media/a.mp3", "audio/mpeg"),
    ("media/a.opus", "audio/ogg"), ("media/a.pdf", "application/pdf"),
    ("media/a.zip", "application/zip"), ("favicon.ico", "image/vnd.microsoft.icon"),
    ("a.woff2", "font/woff2"), ("site.webmanifest", "application/manifest+json"),
    ("CNAME", "application/octet-stream"), ("a.unknown", "application/octet-stream"),
    ("media/a.js", "text/plain; charset=utf-8"), ("media/a.css", "text/plain; charset=utf-8"),
    (".well-known/a.txt", "text/plain; charset=utf-8"),
  ])
  func typesAreRight(path: String, type: String) throws {
    let site = try TestSite(files: [path: "x"])
    let answer = try #require(site.ask("/" + path))
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == type)
    #expect(answer["X-Content-Type-Options"] == "nosniff")
    #expect(answer["Content-Security-Policy"] == Responder.policy)
    #expect(answer["Content-Disposition"] == nil)
    #expect(answer["Cache-Control"] == "no-cache")
  }

  @Test(arguments: [
    ("media/a.html", true), ("media/x/a.HTM", true), ("media/a.xhtml", true), ("media/a.xml", true),
    ("media/a.xsl", true), ("media/a.svg", false), ("assets/a.svg", false),
  ])
  func whatVisitorsSentIsKeptApart(path: String, isDownload: Bool) throws {
    let site = try TestSite(files: [path: "<script>alert(1)</script></body>"])
    let answer = try #require(site.ask("/" + path))
    #expect(answer.status == 200)
    #expect(answer["Content-Security-Policy"]?.contains("sandbox") == true)
    #expect(answer["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    #expect((answer["Content-Disposition"] == "attachment") == isDownload)
    #expect(!answer.text.contains("live.js"))
  }

  @Test
  func everyAnswerIsNosniff() throws {
    let site = try TestSite()
    for (path, fields, method) in [
      ("/nowhere", [], "GET"), ("/posts/rain", [], "GET"), ("/", [], "POST"), ("/%", [], "GET"),
      ("/.stillfeed/live.js", [], "GET"), ("/", ["If-None-Match: *"], "GET"),
      ("/" + String(repeating: "a", count: 9000), [], "GET"), ("/.stillfeed/x", [], "GET"),
    ] {
      let answer = try #require(site.ask(path, fields, method: method))
      #expect(answer["X-Content-Type-Options"] == "nosniff", "\(path)")
      if answer.status != 304 { #expect(answer["Content-Type"] != nil) }
    }
  }
}
