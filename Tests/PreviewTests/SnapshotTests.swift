import Bytes
import Glibc
import Synchronization
import Testing

@testable import Preview

/// What is served is one finished build, whatever happens to the site's folder.
@Suite
struct SnapshotTests {
  @Test
  func aBuildIsSeenOnlyWhenItIsPublished() throws {
    let site = try TestSite(files: ["a.txt": "old", "gone.txt": "old"])
    let folder = site.folder.path + "/site"
    try FileSystem.write(Array("new".utf8).span, to: folder + "/a.txt")
    try FileSystem.write(Array("new".utf8).span, to: folder + "/b.txt")
    unlink(folder + "/gone.txt")
    #expect(site.ask("/a.txt")?.text == "old")
    #expect(site.ask("/gone.txt")?.text == "old")
    #expect(site.ask("/b.txt")?.status == 404)
    #expect(try site.server.publish() == 3)
    #expect(site.ask("/a.txt")?.text == "new")
    #expect(site.ask("/gone.txt")?.status == 404)
    #expect(site.ask("/b.txt")?.text == "new")
    #expect(try site.server.publish() == 0)
  }

  @Test
  func anAnswerUnderWayIsFinished() throws {
    let text = String(repeating: "0123456789abcdef", count: 1 << 19)
    let site = try TestSite(files: ["big.txt": text])
    let client = try #require(RawClient(port: site.server.port))
    client.send("GET /big.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    var start = client.receive { $0.count > 1000 }.bytes
    try site.folder.write("short", to: "site/big.txt")
    try site.server.publish()
    start += client.receive().bytes
    #expect(RawAnswer(start)?.text == text)
    #expect(site.ask("/big.txt")?.text == "short")
  }

  /// Row A15 of the reliability goals, with builds that replace, add and remove files.
  @Test
  func neverHalfABuild() async throws {
    let site = try TestSite(files: Self.build(0))
    let version = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
    let server = site.server
    let folder = site.folder.path + "/site"
    let builder = Task.detached {
      for number in 1...20 {
        for (name, text) in Self.build(number) {
          try FileSystem.write(Array(text.utf8).span, to: "\(folder)/\(name)")
          usleep(2000)
        }
        unlink("\(folder)/only-\(number - 1).txt")
        try server.publish()
        version.store(number, ordering: .sequentiallyConsistent)
      }
      isDone.store(true, ordering: .sequentiallyConsistent)
    }
    var asked = 0
    while !isDone.load(ordering: .sequentiallyConsistent) {
      let before = version.load(ordering: .sequentiallyConsistent)
      let name = "f\(asked % 8).html"
      let answer = try #require(site.ask("/" + name))
      let after = version.load(ordering: .sequentiallyConsistent)
      #expect(answer.status == 200)
      // One just published counts before its number is told.
      let fits = (before...(after + 1)).contains { answer.text.hasPrefix(Self.text(name, $0)) }
      #expect(fits, "\(answer.text.prefix(40)) is not of builds \(before) to \(after + 1)")
      asked += 1
    }
    try await builder.value
    #expect(asked > 50)
    let kept = try FileSystem.list(site.server.responder.folder).count
    #expect(kept == 1 + 3 + 8 + 1)
  }

  private static func text(_ name: String, _ number: Int) -> String {
    "<body>\(name) of build \(number)."
  }

  private static func build(_ number: Int) -> [String: String] {
    var files = ["only-\(number).txt": "x"]
    for index in 0..<8 { files["f\(index).html"] = text("f\(index).html", number) }
    return files
  }

  @Test
  func leftoversOfKilledPreviewsGo() throws {
    let folder = TemporaryFolder()
    try folder.write("x", to: "site/index.html")
    try folder.write("", to: "cache/999.0/lock")
    try folder.write("x", to: "cache/999.0/1")
    let store = try SnapshotStore(site: folder.path + "/site", cache: folder.path + "/cache")
    _ = try store.take(base: BasePath("/"))
    let names = try FileSystem.list(folder.path + "/cache").map(\.name)
    #expect(names == ["\(getpid()).0"])
    // A second one leaves the first alone.
    let other = try SnapshotStore(site: folder.path + "/site", cache: folder.path + "/cache")
    #expect(FileSystem.isDirectory(store.folder))
    other.close()
    store.close()
    #expect(try FileSystem.list(folder.path + "/cache").isEmpty)
  }

  @Test
  func pagesGetTheScriptAndFilesDoNot() throws {
    let site = try TestSite(
      basePath: "/sub/",
      files: ["open.html": "no end", "upper.html": "<BODY>x</BODY ></html>", "a.txt": "</body>"]
    )
    let element =
      "<script src=\"/sub/.stillfeed/live.js\" data-live=\"/sub/.stillfeed/events\" data-version="
    let front = try #require(site.ask("/sub/")?.text)
    #expect(front.contains("</main>\(element)"))
    #expect(front.hasSuffix("</script>\n</body>\n"))
    #expect(site.ask("/sub/open.html")?.text.hasPrefix("no end\(element)") == true)
    #expect(site.ask("/sub/upper.html")?.text.hasPrefix("<BODY>x\(element)") == true)
    #expect(site.ask("/sub/nowhere")?.text.contains(element) == true)
    #expect(site.ask("/sub/a.txt")?.text == "</body>")
    let script = try #require(site.ask("/sub/.stillfeed/live.js"))
    #expect(script["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(script.text.contains("EventSource"))
    let tag = try #require(script["ETag"])
    #expect(site.ask("/sub/.stillfeed/live.js", ["If-None-Match: \(tag)"])?.status == 304)
    #expect(
      FileSystem.status(site.folder.path + "/site/index.html")?.size == TestSite.page.utf8.count
    )
    let plain = try TestSite(reloadsPages: false)
    #expect(plain.ask("/")?.text == TestSite.page)
    #expect(plain.ask("/.stillfeed/live.js")?.status == 404)
    #expect(plain.ask("/.stillfeed/events")?.status == 404)
  }
}
