import Bytes
import Testing

@testable import Site

@Suite("What stays when something is added")
struct StabilityTests {
  private static func posts(_ numbers: ClosedRange<Int>) -> String {
    numbers.map {
      "{\"id\":\"p\($0)\",\"author\":\"ada\",\"date\":\(1_700_000_000 + $0 * 3600),\"body\":\"Body \($0).\"}\n"
    }.joined()
  }

  @Test("one more post moves none: numbered pages and archived feeds keep their bytes")
  func posts() async throws {
    let site = try TemporarySite([
      "stillfeed.yml": "baseURL: https://example.org/\nfeed: {size: 5}\n"
    ])
    try site.write("Content/posts/a.jsonl", Self.posts(1...119))
    let before = try await site.build("before")
    try site.write("Content/posts/a.jsonl", Self.posts(1...120))
    let after = try await site.build("after")
    let new = after.paths.filter { before.files[$0] == nil }
    #expect(new == ["page/23/index.html", "posts/p120/index.html"])
    #expect(before.paths.filter { after.files[$0] == nil } == [])
    let changed = before.paths.filter { after.files[$0] != before.files[$0] }
    // What names the newest posts, and what counts them.
    let expected: Set<String> = [
      "index.html", "feed.xml", "feed.json", "sitemap.xml", "people/index.html",
      "people/ada/index.html", "people/ada/feed.xml", "people/ada/feed.json",
      "posts/p119/index.html", "timeline/index.html", "timeline/2023/11/index.html",
    ]
    let unexpected = changed.filter { !expected.contains($0) && !$0.hasPrefix("page/") }
    #expect(unexpected == [])
    // The navigation of the pages next to a new one knows it; the posts on them don't change.
    #expect(
      changed.filter { $0.hasPrefix("page/") } == [
        "page/20/index.html", "page/21/index.html", "page/22/index.html",
      ]
    )
  }

  @Test(
    "the archived feeds are a chain from the newest to the oldest (RFC 5005)",
    arguments: [0, 1, 49, 50, 51, 100, 149, 151]
  )
  func feedChain(_ count: Int) async throws {
    let site = try TemporarySite([
      "stillfeed.yml": "baseURL: https://example.org/\nfeed: {size: 100}\n"
    ])
    if count > 0 { try site.write("Content/posts/a.jsonl", Self.posts(1...count)) }
    let built = try await site.build()
    var seen: [Int] = []
    var path = "feed.xml"
    var newer: String?
    var documents = 0
    while true {
      let text = built.text(path)
      documents += 1
      try #require(documents < 10 && !text.isEmpty)
      let isArchive = text.contains("<fh:archive/>")
      #expect(isArchive == (path != "feed.xml"))
      let links = Self.links(in: text)
      #expect(links["self"] == "https://example.org/\(path)")
      if isArchive {
        #expect(links["current"] == "https://example.org/feed.xml")
        #expect(
          links["next-archive"].map { String($0.dropFirst("https://example.org/".count)) } == newer
        )
        newer = path
      }
      seen += Self.numbers(in: text)
      guard let next = links["prev-archive"] else { break }
      path = String(next.dropFirst("https://example.org/".count))
    }
    #expect(Set(seen) == Set(count == 0 ? [] : Array(1...count)))
    #expect(documents == 1 + count / 50)
    #expect(built.paths.count { $0.hasPrefix("feed/archive/") } == count / 50)
    // Within the archives no post stands twice.
    let first = min(50, count)
    #expect(seen.count - first == count / 50 * 50)
  }

  private static func links(in text: String) -> [String: String] {
    var links: [String: String] = [:]
    let head = text.split(separator: "<entry>", omittingEmptySubsequences: false)[0]
    for part in head.split(separator: "<link rel=\"").dropFirst() {
      let values = part.split(separator: "\"")
      links[String(values[0])] = String(values[2])
    }
    return links
  }

  private static func numbers(in text: String) -> [Int] {
    text.split(separator: "<id>https://example.org/posts/p").dropFirst().compactMap {
      Int($0.prefix { $0 != "/" })
    }
  }

  @Test("one more message touches a handful of files")
  func messages() async throws {
    func messages(_ numbers: ClosedRange<Int>) -> String {
      numbers.map {
        "{\"id\":\"m\($0)\",\"author\":\"\($0 % 2 == 0 ? "ada" : "bo")\",\"date\":\(1_700_000_000 + $0 * 36000),\"body\":\"Message \($0)\"}\n"
      }.joined()
    }
    let site = try TemporarySite(["Content/channels/talk/channel.yml": "perPage: 10\n"])
    try site.write("Content/channels/talk/a.jsonl", messages(1...500))
    let before = try await site.build("before")
    try site.write("Content/channels/talk/a.jsonl", messages(1...501))
    let after = try await site.build("after")
    let changed = after.paths.filter { after.files[$0] != before.files[$0] }
    #expect(changed.contains("channels/talk/index.html"))
    #expect(changed.count <= 7, "\(changed)")
    #expect(before.paths.allSatisfy { after.files[$0] != nil })
  }

  @Test("one more comment changes its part and nothing before it")
  func comments() async throws {
    func comments(_ numbers: ClosedRange<Int>) -> String {
      numbers.map {
        "{\"id\":\"\($0)\",\"author\":\"a\($0)\",\"date\":\(1_700_000_000 + $0),\"body\":\"\($0)\",\"parent\":\($0 % 3 == 0 ? "\"\($0 / 2)\"" : "null")}\n"
      }.joined()
    }
    let site = try TemporarySite(["Content/posts/p.md": "---\ndate: 2023-01-01\n---\nx\n"])
    try site.write("Content/comments/p.jsonl", comments(1...401))
    let before = try await site.build("before")
    try site.write("Content/comments/p.jsonl", comments(1...402))
    let after = try await site.build("after")
    for part in ["posts/p/index.html", "posts/p/2/index.html"] {
      let ids = Markup.values(of: "id", in: before.text(part))
      #expect(ids == Markup.values(of: "id", in: after.text(part)))
      #expect(ids.count { $0.hasPrefix("c-") } == 200)
    }
    #expect(Markup.values(of: "id", in: after.text("posts/p/3/index.html")).contains("c-402"))
  }
}
