import Bytes
import Testing

@testable import Preview

@Suite
struct ServingTests {
  @Test
  func aFolderShowsItsIndexPage() throws {
    let site = try TestSite()
    let answer = try #require(site.ask("/"))
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer["X-Content-Type-Options"] == "nosniff")
    #expect(answer["Content-Security-Policy"]?.hasPrefix("default-src 'self';") == true)
    #expect(answer["Access-Control-Allow-Origin"] == nil)
    #expect(answer.text.contains("Front"))
    #expect(site.ask("/posts/rain/")?.text.contains("Front") == true)
    #expect(site.ask("/posts/rain/index.html")?.status == 200)
    #expect(site.ask("/%70osts/rain/?a=b")?.status == 200)
  }

  @Test
  func aFolderWithoutSlashIsRedirected() throws {
    let site = try TestSite(files: ["posts/a b<é/index.html": "x"])
    let answer = try #require(site.ask("/posts/rain?x=1&y=%20"))
    #expect(answer.status == 301)
    #expect(answer["Location"] == "/posts/rain/?x=1&y=%20")
    #expect(site.ask("/posts/rain?a<b")?["Location"] == "/posts/rain/")
    #expect(site.ask("/posts/a%20b%3C%C3%A9")?["Location"] == "/posts/a%20b%3C%C3%A9/")
    #expect(site.ask("/posts")?.status == 404)
    #expect(site.ask("//posts/rain")?["Location"] == nil)
  }

  @Test
  func missingPagesShowTheSitesOwn() throws {
    let site = try TestSite()
    let answer = try #require(site.ask("/nowhere/"))
    #expect(answer.status == 404)
    #expect(answer.text.hasPrefix("404 <a"))
    #expect(answer["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer["ETag"] == nil)
  }

  @Test
  func aSiteMayStandUnderAPath() throws {
    let site = try TestSite(basePath: "my archive/v1")
    #expect(site.server.address.hasSuffix("/my%20archive/v1/"))
    #expect(site.ask("/my%20archive/v1/")?.status == 200)
    #expect(site.ask("/my%20archive/v1")?["Location"] == "/my%20archive/v1/")
    #expect(site.ask("/")?["Location"] == "/my%20archive/v1/")
    #expect(
      site.ask("/my%20archive/v1/posts/rain")?["Location"] == "/my%20archive/v1/posts/rain/"
    )
    #expect(site.ask("/posts/rain/")?.status == 404)
    #expect(site.ask("/my%20archive/v12/")?.status == 404)
    #expect(site.ask("/my%20archive/v1/../v1/")?.status == 400)
  }

  @Test
  func headSaysTheSameWithoutABody() throws {
    let site = try TestSite(files: ["a.txt": "0123456789"])
    for path in ["/", "/a.txt", "/nowhere", "/posts/rain"] {
      let get = try #require(site.ask(path))
      let head = try #require(site.ask(path, method: "HEAD"))
      #expect(head.status == get.status)
      #expect(head.body.isEmpty)
      #expect(head["Content-Length"] == "\(get.body.count)")
      #expect(head["Content-Type"] == get["Content-Type"])
    }
  }

  @Test
  func anUnchangedFileIsNotSentAgain() throws {
    let site = try TestSite(files: ["a.txt": "0123456789"])
    for path in ["/", "/a.txt"] {
      let tag = try #require(site.ask(path)?["ETag"])
      for list in [tag, "\"x\", \(tag)", "W/\(tag.replacing("W/", with: ""))", "*"] {
        let answer = try #require(site.ask(path, ["If-None-Match: \(list)"]))
        #expect(answer.status == 304, "\(list)")
        #expect(answer.body.isEmpty)
        #expect(answer["ETag"] == tag)
      }
      #expect(site.ask(path, ["If-None-Match: \"x\""])?.status == 200)
    }
    let old = try #require(site.ask("/a.txt")?["ETag"])
    try site.folder.write("9876543210", to: "site/a.txt")
    try site.server.publish()
    #expect(site.ask("/a.txt", ["If-None-Match: \(old)"])?.text == "9876543210")
  }

  @Test(arguments: [
    ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
    ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=-30", 206, "0123456789", "bytes 0-9/10"),
    ("bytes=0-99999999999999999999999", 206, "0123456789", "bytes 0-9/10"),
    ("BYTES=9-9", 206, "9", "bytes 9-9/10"),
    ("bytes=10-", 416, "The file has 10 bytes.\n", "bytes */10"),
    ("bytes=-0", 416, "The file has 10 bytes.\n", "bytes */10"),
    ("bytes=4-2", 200, "0123456789", ""),
    ("bytes=0-1,3-4", 200, "0123456789", ""), ("items=0-1", 200, "0123456789", ""),
    ("bytes=", 200, "0123456789", ""), ("bytes=-", 200, "0123456789", ""),
    ("bytes=+1-2", 200, "0123456789", ""), ("bytes=1-2-3", 200, "0123456789", ""),
  ])
  func partsOfFilesAreSent(_ range: String, _ status: Int, _ text: String, _ place: String) throws {
    let site = try TestSite(files: ["a.txt": "0123456789"])
    let answer = try #require(site.ask("/a.txt", ["Range: \(range)"]))
    #expect(answer.status == status)
    #expect(answer["Content-Range"] ?? "" == place)
    #expect(answer.text == text)
    #expect(answer["Content-Length"] == "\(text.utf8.count)")
  }

  @Test
  func aPartOfAnotherVersionIsTheWholeFile() throws {
    let site = try TestSite(files: ["a.txt": "0123456789"])
    let tag = try #require(site.ask("/a.txt")?["ETag"])
    #expect(site.ask("/a.txt", ["Range: bytes=0-1", "If-Range: \(tag)"])?.status == 206)
    #expect(site.ask("/a.txt", ["Range: bytes=0-1", "If-Range: \"x\""])?.status == 200)
    #expect(site.ask("/a.txt", ["Range: bytes=0-1"], method: "HEAD")?.status == 200)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "X"])
  func otherMethodsAreRefused(method: String) throws {
    let site = try TestSite()
    let answer = try #require(site.ask("/", ["Content-Length: 0"], method: method))
    #expect(answer.status == 405)
    #expect(answer["Allow"] == "GET, HEAD")
    #expect(site.ask("/")?.status == 200)
  }

  @Test
  func severalRequestsShareAConnection() throws {
    let site = try TestSite(files: ["a.txt": "0123456789"])
    let client = try #require(RawClient(port: site.server.port))
    let request = "GET /a.txt HTTP/1.1\r\nHost: localhost\r\n\r\n"
    client.send(request + request)
    client.send("HEAD /a.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let (bytes, isClosed) = client.receive()
    #expect(isClosed)
    #expect(count("HTTP/1.1 200 OK", in: bytes) == 3)
    #expect(count("0123456789", in: bytes) == 2)
  }

  private func count(_ text: String, in bytes: [UInt8]) -> Int {
    let text = Array(text.utf8)
    return bytes.indices.count { bytes[$0...].starts(with: text) }
  }
}
