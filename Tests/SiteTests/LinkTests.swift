import Bytes
import Glibc
import Testing

@testable import Site

@Suite("Links of built pages")
struct LinkTests {
  @Test("every link leads to a file and an anchor of the site", arguments: Golden.all)
  func resolve(_ golden: Golden) async throws {
    var golden = golden
    golden.usesPlainTheme = false
    if golden.fixture == "template-overrides" { return }
    let site = try await golden.run(jobs: 2)
    let isExplicit = golden.fixture == "explicit-links" || golden.build == "explicit"
    var ids: [String: Set<String>] = [:]
    for path in site.paths where path.hasSuffix(".html") {
      ids[path] = Set(Markup.values(of: "id", in: site.text(path)))
    }
    var count = 0
    for path in site.paths where path.hasSuffix(".html") && path != "404.html" {
      let text = site.text(path)
      let own = Markup.values(of: "id", in: text)
      #expect(own.count == ids[path]?.count, "an id stands twice in \(path)")
      for id in own { #expect(!id.contains { " \t\n\u{C}\r".contains($0) }, "'\(id)' in \(path)") }
      let links = Markup.values(of: "href", in: text) + Markup.values(of: "src", in: text)
      for link in links where !Markup.leadsOut(link) {
        count += 1
        let target = Markup.target(of: link, on: path)
        let file =
          target.path.isEmpty || target.path.hasSuffix("/")
          ? target.path + "index.html" : target.path
        #expect(site.files[file] != nil, "'\(link)' on \(path) leads to \(file)")
        if isExplicit { #expect(file == target.path, "'\(link)' on \(path) is no file") }
        if let fragment = target.fragment {
          #expect(ids[file]?.contains(fragment) ?? false, "'\(link)' on \(path) has no anchor")
        }
      }
    }
    #expect(count > 10)
  }

  @Test(arguments: [
    ("pic.png", "media/posts/pic.png"),
    ("./pic.png", "media/posts/pic.png"),
    ("other.png", "media/other.png"),
    ("media/other.png", "media/other.png"),
    ("/posts/two/", "posts/two/"),
    ("/posts/two", "posts/two/"),
    ("posts/two/index.html", "posts/two/index.html"),
    ("/posts/two/#c-c1", "posts/two/#c-c1"),
    ("/about/", "about/"),
    ("/", ""),
    ("/feed.xml", "feed.xml"),
    ("/notes.txt", "notes.txt"),
    ("/posts/tw%6F/", "posts/two/"),
    ("https://example.net/x", nil),
    ("mailto:x@example.net", nil),
    ("/posts/none/", nil),
    ("../../../etc/passwd", nil),
    ("/posts/../posts/two/", nil),
    ("//example.net/", nil),
    ("javascript:alert(1)", nil),
  ])
  func inBodies(_ pair: (written: String, target: String?)) async throws {
    let site = try TemporarySite([
      "stillfeed.yml": "baseURL: https://example.org/sub/\n",
      "Content/posts/one.md": "---\ndate: 2024-01-01\n---\nA [link](\(pair.written)).\n",
      "Content/posts/two.md":
        "---\ndate: 2024-01-02\n---\nx\n",
      "Content/comments/two.jsonl": "{\"id\":\"c1\",\"date\":\"2024-01-03\",\"body\":\"x\"}\n",
      "Content/posts/pic.png": "x", "Content/media/other.png": "x",
      "Content/pages/about.md": "x\n", "Content/static/notes.txt": "x",
    ])
    let built = try await site.build()
    let hrefs = Markup.values(of: "href", in: Markup.body(built.text("posts/one/index.html")))
    if let target = pair.target {
      #expect(hrefs == ["../../" + target])
      #expect(built.text("feed.xml").contains("&quot;https://example.org/sub/\(target)&quot;"))
    } else {
      #expect(hrefs.allSatisfy(Markup.leadsOut))
      #expect(!hrefs.contains { $0.contains("javascript") || $0.hasPrefix("//") })
    }
  }
}

/// A look at HTML that is enough for what our own templates write.
enum Markup {
  /// The values of an attribute, unescaped.
  static func values(of attribute: String, in html: String) -> [String] {
    let start = " \(attribute)=\""
    var values: [String] = []
    html.withCString { text in
      var place = text
      while let found = strstr(place, start) {
        let value = UnsafePointer(found) + start.utf8.count
        guard let end = strchr(value, 0x22) else { break }
        let count = UnsafePointer(end) - value
        let bytes = UnsafeRawBufferPointer(start: value, count: count)
        values.append(unescaped(String(decoding: bytes, as: UTF8.self)))
        place = UnsafePointer(end)
      }
    }
    return values
  }

  /// The first body of an entry on a page.
  static func body(_ html: String) -> String {
    guard let start = html.firstRange(of: "<div class=\"e-content") else { return "" }
    let rest = html[start.upperBound...]
    return String(rest[..<(rest.firstRange(of: "</div>")?.lowerBound ?? rest.endIndex)])
  }

  static func leadsOut(_ link: String) -> Bool {
    link.hasPrefix("http://") || link.hasPrefix("https://") || link.hasPrefix("mailto:")
  }

  /// The path below the site's root, decoded, and the fragment.
  static func target(of link: String, on page: String) -> (path: String, fragment: String?) {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let fragment = parts.count > 1 ? decoded(String(parts[1])) : nil
    if parts[0].isEmpty { return (page, fragment) }
    var folders = page.split(separator: "/").dropLast().map(String.init)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    for name in names.dropLast() {
      switch name {
      case ".": continue
      case "..": folders = folders.isEmpty ? ["above the site"] : folders.dropLast()
      default: folders.append(decoded(String(name)))
      }
    }
    let last = names.last.map { decoded(String($0)) } ?? ""
    return ((folders + [last]).joined(separator: "/"), fragment)
  }

  static func decoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return String(decoding: URLText.percentDecode(bytes.span), as: UTF8.self)
  }

  static func unescaped(_ text: String) -> String {
    var text = text
    if !text.utf8.contains(UInt8(ascii: "&")) { return text }
    for (escaped, plain) in [
      ("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
    ] {
      text = text.split(separator: escaped, omittingEmptySubsequences: false).joined(
        separator: plain
      )
    }
    return text
  }
}
