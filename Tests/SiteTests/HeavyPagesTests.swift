import Bytes
import Testing

@testable import Site

@Suite("Pages of long entries")
struct HeavyPagesTests {
  private static let count = 90

  /// Messages of twelve kilobytes, each but the first answering one that stands on an earlier part.
  private static var messages: String {
    let words = String(repeating: "long words here ", count: 800)
    return (0..<count).map { number in
      let parent = number > 0 ? "\"replyTo\":\"m\(number / 2)\"," : ""
      return
        "{\"id\":\"m\(number)\",\(parent)\"author\":\"ada\",\"date\":\(1_715_900_000 + number),"
        + "\"body\":\"\(words)\"}\n"
    }.joined()
  }

  @Test("a chat of long messages is cut by weight, and every link leads to its message")
  func links() async throws {
    let site = try TemporarySite([
      "Content/people.yml": "- id: ada\n",
      "Content/channels/c/channel.yml": "view: chat\npages: year\n",
      "Content/channels/c/m.jsonl": Self.messages,
    ])
    let built = try await site.build()
    let parts = built.paths.filter { $0.hasPrefix("channels/c/2024/") }
    #expect(parts.count > 2)
    var pageOfMessage: [String: String] = [:]
    for path in parts {
      let text = String(decoding: built.files[path] ?? [], as: UTF8.self)
      #expect(text.utf8.count < 500_000)
      for id in Self.values(of: " id=\"m-", in: text) {
        #expect(pageOfMessage.updateValue(path, forKey: id) == nil)
      }
    }
    #expect(pageOfMessage.count == Self.count)
    var checked = 0
    for path in built.paths where path.hasSuffix(".html") {
      let text = String(decoding: built.files[path] ?? [], as: UTF8.self)
      for link in Self.values(of: "href=\"", in: text) {
        guard let anchor = link.firstRange(of: "#m-") else { continue }
        let folder = link[..<anchor.lowerBound]
        let target = folder.isEmpty ? path : Self.resolve(String(folder), from: path)
        let id = String(link[anchor.upperBound...])
        // The front shows messages in place; their links lead to the permalink.
        if folder.isEmpty { continue }
        #expect(pageOfMessage[id] == target, "\(path) → \(link)")
        checked += 1
      }
    }
    // The author's page and the quotes, at least.
    #expect(checked >= 2 * Self.count)
  }

  /// What stands between a mark and the next quote.
  private static func values(of mark: String, in text: String) -> [String] {
    text.split(separator: mark, omittingEmptySubsequences: false).dropFirst()
      .map { String($0.prefix { $0 != "\"" }) }
  }

  private static func resolve(_ link: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/") + "/index.html"
  }
}
