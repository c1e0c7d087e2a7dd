import Archive
import Bytes
import JSON
import Testing

@testable import Site

@Suite("Addresses")
struct RoutesTests {
  /// The addresses of docs/urls.md as patterns: a word in capitals is one name, a number is one.
  static func documented() throws -> [String] {
    let text = try Files.text(Fixtures.repository + "/docs/urls.md")
    var patterns: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("| `/") {
      guard let cell = line.split(separator: "|").first else { continue }
      for part in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where part.offset % 2 == 1 {
        patterns.append(String(part.element))
      }
    }
    return patterns
  }

  /// Whether a path on the disk stands under a documented address.
  static func matches(_ path: String, _ patterns: [String]) -> Bool {
    var path = "/" + path
    if path.hasSuffix("/index.html") { path.removeLast("index.html".count) }
    return patterns.contains { pattern in
      let wanted = pattern.split(separator: "/", omittingEmptySubsequences: false)
      let found = path.split(separator: "/", omittingEmptySubsequences: false)
      if wanted.last == "…" { return found.count >= wanted.count && found[1] == wanted[1] }
      guard wanted.count == found.count else { return false }
      return zip(wanted, found).allSatisfy { wanted, found in
        if wanted == found { return true }
        if wanted.isEmpty || found.isEmpty { return false }
        if wanted.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
          return found.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        if wanted == "N.xml" { return found.hasSuffix(".xml") }
        let isName = wanted.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isName && (wanted != "N" || Int(found) != nil)
      }
    }
  }

  /// The documented patterns with what "each …/page/N/" and "parts" add.
  static func patterns() throws -> [String] {
    let documented = try documented()
    let paged = [
      "/channels/CH/newest/", "/channels/CH/oldest/", "/channels/CH/topics/ID/", "/people/",
      "/people/ID/", "/tags/TAG/", "/channels/CH/",
    ]
    let buckets = ["2024/05/17/", "2024/05/", "2024/", "undated/"].map { "/channels/CH/" + $0 }
    let feeds = ["/channels/CH/", "/people/ID/", "/tags/TAG/"]
    return documented + paged.map { $0 + "page/N/" } + buckets + buckets.map { $0 + "2/" }
      + ["/channels/CH/oldest/"] + feeds.flatMap { [$0 + "feed.xml", $0 + "feed.json"] }
  }

  @Test("every planned page stands under an address of docs/urls.md", arguments: Golden.all)
  func documentedOnly(_ golden: Golden) async throws {
    if golden.fixture == "names" { return }
    let patterns = try Self.patterns()
    #expect(patterns.count > 30)
    let pages = try await Self.plan(of: golden).pages
    #expect(pages.count > 5)
    let strange = pages.filter { page in
      if case .redirect = page.content { return false }
      return !Self.matches(page.path, patterns)
    }
    #expect(strange.map(\.path) == [])
  }

  private static func plan(of golden: Golden) async throws -> Plan {
    let site = try golden.site()
    let options = BuildOptions(root: site.root, output: site.folder + "/none")
    let (archive, _) = try await ArchiveSource(options).read(jobs: 1)
    var diagnostics: [Diagnostic] = []
    return Plan(of: archive, diagnostics: &diagnostics)
  }

  @Test("the matcher does not let everything through")
  func matcher() throws {
    let patterns = try Self.patterns()
    for path in [
      "post/x/index.html", "posts/x/y/index.html", "page/x/index.html", "posts/x/thread/index.html",
      "channels/c/2024/05/17/3/4/index.html", "feed/archive/1/index.html", "timeline/x/index.html",
      "posts/x.html", "people/a/b/index.html",
    ] {
      #expect(!Self.matches(path, patterns), "\(path)")
    }
  }

  @Test("every kind of page is planned by one fixture or another")
  func allKinds() async throws {
    var kinds: Set<String> = []
    for golden in Golden.all {
      for page in try await Self.plan(of: golden).pages {
        kinds.insert("\(page.content)".prefix { $0 != "(" }.description)
      }
    }
    let all: Set<String> = [
      "feed", "post", "thread", "channels", "chatFront", "bucket", "board", "topics", "topic",
      "people", "person", "tags", "tag", "timeline", "month", "standalone", "missing", "redirect",
      "feedDocument", "sitemap", "robots", "noJekyll",
    ]
    #expect(kinds == all)
  }

  @Test("what a template sees is JSON for every page of the sample")
  func dumpData() async throws {
    let golden = try #require(Golden.all.first { $0.fixture == "sample" })
    let site = try golden.site()
    let build = Build(BuildOptions(root: site.root, output: site.folder + "/none"))
    let routes = [
      "/", "/posts/ferns/", "posts/ferns", "/posts/ferns/index.html", "/people/", "/tags/",
      "/timeline/", "/channels/", "/channels/trail-chat/", "/channels/guestbook/",
      "/channels/reading-room/", "/about/", "/404.html",
    ]
    for route in routes {
      let text = try await build.data(ofRoute: route)
      var parser = JSONParser()
      let bytes = Array(text.utf8)
      try parser.parse(bytes.span)
      #expect(parser.root["page"]?["kind"]?.text != nil, "\(route)")
      #expect(parser.root["page"]?["heading"]?.text != nil, "\(route)")
      #expect(parser.root["site"]?["site"]?["title"]?.text != nil, "\(route)")
    }
    #expect(FileSystem.status(site.folder + "/none") == nil)
    do {
      _ = try await build.data(ofRoute: "/posts/fern/")
      Issue.record("there is no such page")
    } catch BuildFailure.refused(let diagnostics) {
      #expect(diagnostics.first?.suggestion.contains("posts/ferns") ?? false)
    }
  }
}
