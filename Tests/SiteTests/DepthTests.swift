import Bytes
import Glibc
import Testing

@testable import Site

/// Shapes of threads that kill recursion or take quadratic time.
///
/// The sizes are those of a debug build; `STILLFEED_FULL_DEPTH=1` takes the full ones.
@Suite("Deep and long threads")
struct DepthTests {
  private static let isFull = getenv("STILLFEED_FULL_DEPTH") != nil
  static let chain = isFull ? 100_000 : 3_000
  static let many = isFull ? 20_000 : 4_000

  /// Comments 0 until `count`, with their parents.
  static func comments(_ count: Int, parent: (Int) -> Int?) -> String {
    var text = ""
    for number in 0..<count {
      let answer = parent(number).map { ",\"parent\":\"\($0)\"" } ?? ""
      text += "{\"id\":\"\(number)\",\"author\":\"ada\",\"date\":\(1_700_000_000 + number)"
      text += ",\"body\":\"\(number)\"\(answer)}\n"
    }
    return text
  }

  static func build(_ comments: String) async throws -> BuiltSite {
    let site = try TemporarySite([
      "Content/posts/p.md": "---\nauthor: ada\ndate: 2023-01-01\n---\nx\n",
      "Content/comments/p.jsonl": comments,
    ])
    return try await site.build()
  }

  /// How often each comment stands on the pages of the post.
  static func shown(_ site: BuiltSite) -> [String: Int] {
    var shown: [String: Int] = [:]
    for path in site.paths where path.hasPrefix("posts/p/") {
      for id in Markup.values(of: "id", in: site.text(path)) where id.hasPrefix("c-") {
        shown[String(id.dropFirst(2)), default: 0] += 1
      }
    }
    return shown
  }

  static func expectEachOnce(_ site: BuiltSite, _ count: Int) {
    let shown = shown(site)
    #expect(shown.count == count)
    #expect(shown.values.allSatisfy { $0 == 1 })
    #expect(site.text("posts/p/index.html").contains("\(grouped(count)) comments"))
  }

  private static func grouped(_ count: Int) -> String {
    var output = ByteBuffer()
    output.append(grouped: count, separator: ",")
    return output.string
  }

  @Test("a chain: each answers the one before")
  func chain() async throws {
    let site = try await Self.build(Self.comments(Self.chain) { $0 > 0 ? $0 - 1 : nil })
    Self.expectEachOnce(site, Self.chain)
    for path in site.paths where path.hasPrefix("posts/") {
      #expect(Self.nesting(of: site.text(path)) <= PageSize.threadDepth, "\(path)")
    }
  }

  @Test("a page nests far less than the 512 elements that browsers take, whatever the bodies")
  func elements() async throws {
    let quote = String(repeating: "> ", count: 128) + "x\\n\\n"
    let html = String(repeating: "<b><i>", count: 128) + "y"
    let comments = Self.comments(PageSize.threadDepth + 1) { $0 > 0 ? $0 - 1 : nil }
      .replacing("\"body\":\"", with: "\"body\":\"\(quote)\(html)")
    let site = try await Self.build(comments)
    let page = site.text("posts/p/index.html")
    #expect(Self.nesting(of: page) == PageSize.threadDepth)
    #expect(Self.elements(of: page) > 2 * PageSize.threadDepth)
    #expect(Self.elements(of: page) < 400)
  }

  @Test("a chain backwards: each answers the one after")
  func backwards() async throws {
    let count = Self.chain / 3
    let site = try await Self.build(Self.comments(count) { $0 + 1 < count ? $0 + 1 : nil })
    Self.expectEachOnce(site, count)
  }

  @Test("a ring is cut at its oldest entry, and each is shown")
  func ring() async throws {
    let site = try await Self.build(Self.comments(300) { ($0 + 1) % 300 })
    Self.expectEachOnce(site, 300)
    #expect(site.warnings.contains { $0.contains("ring") })
  }

  @Test("orphans, and one that answers itself, stand at the top and say so")
  func orphans() async throws {
    let site = try await Self.build(Self.comments(50) { $0 == 7 ? 7 : $0 + 1000 })
    Self.expectEachOnce(site, 50)
    #expect(site.warnings.count == 50)
    let text = site.text("posts/p/index.html")
    #expect(text.split(separator: "class=\"re\"").count == 50)
  }

  @Test("many comments on one post: flat, a star, and a bush")
  func many() async throws {
    for shape in 0...2 {
      let site = try await Self.build(
        Self.comments(Self.many) { shape == 0 || $0 == 0 ? nil : shape == 1 ? 0 : $0 / 3 }
      )
      Self.expectEachOnce(site, Self.many)
    }
  }

  @Test("a topic that is a chain")
  func topic() async throws {
    let count = Self.chain / 3
    let messages = (0..<count).map {
      "{\"id\":\"\($0)\",\"date\":\(1_700_000_000 + $0),\"body\":\"\($0)\""
        + ($0 > 0 ? ",\"parent\":\"\($0 - 1)\"" : "") + "}\n"
    }
    let site = try TemporarySite([
      "Content/channels/list/channel.yml": "view: topics\n",
      "Content/channels/list/m.jsonl": messages.joined(),
    ])
    let built = try await site.build()
    var ids: [String] = []
    for path in built.paths where path.hasPrefix("channels/list/topics/") {
      ids += Markup.values(of: "id", in: built.text(path)).filter { $0.hasPrefix("m-") }
    }
    #expect(ids.count == count)
    #expect(Set(ids).count == count)
  }

  @Test("time grows with the number of comments, not with its square")
  func linear() async {
    await #expect(processExitsWith: .success) {
      func seconds(_ count: Int) async throws -> Double {
        let text = DepthTests.comments(count) { $0 > 0 ? $0 - 1 : nil }
        let start = clock()
        _ = try await DepthTests.build(text)
        return Double(clock() - start) / Double(CLOCKS_PER_SEC)
      }
      _ = try await seconds(100)
      let base = DepthTests.chain / 5
      let (short, long) = (try await seconds(base), try await seconds(4 * base))
      #expect(long < 8 * short + 0.2, "\(base): \(short) s, \(4 * base): \(long) s")
    }
  }

  /// The deepest nesting of elements, if none but those without content lacks its end.
  private static func elements(of html: String) -> Int {
    let empty: Set<String> = ["meta", "link", "img", "br", "hr", "input", "path", "!doctype"]
    var (depth, deepest) = (0, 0)
    for part in html.split(separator: "<").dropFirst() {
      let name = part.prefix { !" >".contains($0) }.lowercased()
      if empty.contains(name) { continue }
      depth += name.hasPrefix("/") ? -1 : 1
      deepest = max(deepest, depth)
    }
    return deepest
  }

  /// The deepest nesting of lists of comments.
  private static func nesting(of html: String) -> Int {
    var (depth, deepest) = (0, 0)
    var rest = html[...]
    if let start = rest.firstRange(of: "class=\"thread\"") { rest = rest[start.upperBound...] }
    for part in rest.split(separator: "<").dropFirst() {
      if part.hasPrefix("ol>") { depth += 1 }
      if part.hasPrefix("/ol>") { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
