import Archive
import Testing

@testable import Site

@Suite("What the key of a page covers")
struct PageKeyTests {
  /// A change to the archive below, and which pages it must and must not touch.
  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    /// Files with their new text; an empty one removes the file.
    let files: [String: String]
    let touches: [String]
    let leaves: [String]

    init(_ name: String, _ files: [String: String], touches: [String], leaves: [String] = []) {
      self.name = name
      self.files = files
      self.touches = touches
      self.leaves = leaves
    }

    var testDescription: String { name }
  }

  private static let settings =
    "title: T\nbaseURL: https://example.org/\nfeed: {size: 2}\nself: [ada]\n"
  private static let people = "- {id: ada, name: Ada, avatar: ada.png}\n- {id: bob, name: Bob}\n"
  private static func post(_ day: Int, _ more: String = "author: ada\ntags: [tea]\n") -> String {
    "---\ndate: 2024-01-0\(day)\n\(more)---\nPost \(day)\n"
  }
  private static func message(_ id: String, _ date: String, _ more: String = "") -> String {
    #"{"id":"\#(id)","author":"bob","date":"\#(date)","body":"text"\#(more)}"# + "\n"
  }
  private static let log =
    message("1", "2024-01-05") + message("2", "2024-01-06", #","replyTo":"1""#)
    + message("3", "2024-02-05") + message("4", "2024-02-06") + message("5", "2024-03-01")
  private static let comments = message("c1", "2024-01-09") + message("c2", "2024-01-10")
  private static let topics =
    message("t1", "2024-01-05", #","topic":"Walks""#)
    + message("t2", "2024-01-06", #","topic":"Books""#)

  private static let files = [
    "stillfeed.yml": settings,
    "Content/people.yml": people,
    "Content/media/ada.png": "not a picture",
    "Content/posts/a.md": post(1), "Content/posts/b.md": post(2), "Content/posts/c.md": post(3),
    "Content/posts/d.md": post(4, "author: bob\n"), "Content/posts/e.md": post(5, ""),
    "Content/comments/b.jsonl": comments,
    "Content/channels/log/channel.yml": "perPage: 2\n",
    "Content/channels/log/x.jsonl": log,
    "Content/channels/wall/channel.yml": "view: board\nperPage: 2\n",
    "Content/channels/wall/x.jsonl": log,
    "Content/channels/talk/channel.yml": "view: topics\n",
    "Content/channels/talk/x.jsonl": topics,
  ]

  private static let january = "channels/log/2024/01/index.html"
  private static let february = "channels/log/2024/02/index.html"

  private static let changes = [
    Change(
      "the text of a post",
      ["Content/posts/a.md": post(1).replacing("Post", with: "Past")],
      touches: [
        "posts/a/index.html", "page/1/index.html", "people/ada/index.html", "tags/tea/index.html",
        "timeline/2024/01/index.html", "feed.xml", "feed.json", "people/ada/feed.xml",
        "tags/tea/feed.json",
      ],
      leaves: ["posts/b/index.html", "posts/c/index.html", january, "people/bob/index.html"]
    ),
    Change(
      "the title of a post",
      ["Content/posts/b.md": post(2, "author: ada\ntags: [tea]\ntitle: New\n")],
      touches: ["posts/a/index.html", "posts/b/index.html", "posts/c/index.html"],
      leaves: ["posts/d/index.html", january]
    ),
    Change(
      "one more comment",
      ["Content/comments/b.jsonl": comments + message("c3", "2024-01-11")],
      touches: ["posts/b/index.html", "page/1/index.html", "feed.xml", "people/bob/index.html"],
      leaves: ["posts/a/index.html", "posts/c/index.html", january]
    ),
    Change(
      "one more post",
      ["Content/posts/f.md": post(6)],
      touches: ["posts/e/index.html", "posts/f/index.html", "people/ada/index.html", "feed.xml"],
      leaves: ["posts/a/index.html", "posts/d/index.html", "people/bob/index.html", february]
    ),
    Change(
      "a message that another answers",
      [
        "Content/channels/log/x.jsonl": log.replacing(
          #"05","body":"text"}"#,
          with: #"05","body":"new"}"#
        )
      ],
      touches: [january, february, "people/bob/index.html"],
      leaves: ["posts/a/index.html", "channels/log/2024/03/index.html", "channels/wall/index.html"]
    ),
    Change(
      "one more message",
      ["Content/channels/log/x.jsonl": log + message("6", "2024-04-01")],
      touches: [
        "channels/log/index.html", "channels/log/2024/03/index.html",
        "channels/log/2024/04/index.html", "channels/log/feed.xml", "people/bob/index.html",
        "people/index.html",
      ],
      leaves: [january, february, "channels/wall/index.html", "posts/a/index.html"]
    ),
    Change(
      "one more message of a board",
      ["Content/channels/wall/x.jsonl": log + message("6", "2024-04-01")],
      touches: [
        "channels/wall/index.html", "channels/wall/newest/index.html",
        "channels/wall/oldest/page/3/index.html",
      ],
      leaves: ["channels/wall/oldest/index.html", "channels/wall/2024/01/index.html"]
    ),
    Change(
      "one more message of a topic",
      ["Content/channels/talk/x.jsonl": topics + message("t3", "2024-01-07", #","topic":"Walks""#)],
      touches: ["channels/talk/index.html", "channels/talk/topics/t1/index.html"],
      leaves: ["channels/talk/topics/t2/index.html", january]
    ),
    Change(
      "the name of a channel",
      ["Content/channels/log/channel.yml": "perPage: 2\ntitle: Log book\n"],
      // The rail of every page names it.
      touches: [january, "posts/a/index.html", "people/ada/index.html"]
    ),
    Change(
      "the pages of a channel",
      ["Content/channels/log/channel.yml": "perPage: 1\n"],
      touches: [january, "channels/log/index.html"],
      leaves: ["posts/a/index.html", "channels/wall/index.html"]
    ),
    Change(
      "how a channel's records are read",
      ["Content/channels/log/channel.yml": "perPage: 2\nfields: {mood: title}\n"],
      touches: [january, february, "channels/log/index.html"],
      leaves: ["posts/a/index.html", "channels/wall/index.html"]
    ),
    Change(
      "the name of a person",
      ["Content/people.yml": people.replacing("Bob", with: "Rob")],
      touches: [
        january, "posts/d/index.html", "posts/b/index.html", "people/bob/index.html",
        "people/index.html", "channels/talk/index.html",
      ],
      leaves: ["posts/a/index.html", "people/ada/index.html"]
    ),
    Change(
      "who is hidden",
      ["Content/people.yml": people.replacing("name: Bob", with: "name: Bob, hide: name")],
      touches: [january, "posts/d/index.html"],
      leaves: ["posts/a/index.html"]
    ),
    Change(
      "the picture of a person",
      ["Content/media/ada.png": "another one"],
      touches: ["posts/a/index.html", "people/ada/index.html", "page/1/index.html"],
      leaves: [january, "posts/e/index.html", "people/bob/index.html"]
    ),
    Change(
      "whose archive it is",
      ["stillfeed.yml": settings.replacing("ada", with: "bob")],
      touches: ["posts/a/index.html", january],
      leaves: ["posts/e/index.html"]
    ),
    Change(
      "where a file stands",
      ["Content/posts/a.md": "", "Content/posts/deep/a.md": post(1)],
      touches: ["posts/a/index.html"],
      leaves: ["posts/c/index.html", january]
    ),
    Change(
      "the base URL",
      ["stillfeed.yml": settings.replacing("example.org", with: "example.com")],
      touches: ["posts/a/index.html", january, "feed.xml", "people/bob/index.html"]
    ),
    Change(
      "the time zone",
      ["stillfeed.yml": settings + "timeZone: Europe/Berlin\n"],
      touches: ["posts/a/index.html", january]
    ),
    Change(
      "the order of comments",
      ["stillfeed.yml": settings.replacing("size: 2", with: "size: 2, comments: newest")],
      touches: ["posts/b/index.html"]
    ),
    Change(
      "one template",
      ["Templates/chat.mustache": "{{title}}"],
      touches: [january, "channels/log/index.html"],
      leaves: ["posts/a/index.html", "channels/wall/index.html", "people/ada/index.html"]
    ),
    Change(
      "a style sheet",
      ["Templates/assets/custom.css": "a { order: 1; }"],
      touches: ["posts/a/index.html", january]
    ),
    Change(
      "a word of the interface",
      ["Templates/strings/en.yml": "anonymous: Nobody\n"],
      touches: ["posts/e/index.html", january]
    ),
    Change(
      "the first page of its own",
      ["Content/pages/about.md": "About"],
      touches: ["posts/a/index.html", january]
    ),
    Change("nothing", [:], touches: [], leaves: ["posts/a/index.html", january, "feed.xml"]),
  ]

  @Test("a change touches the keys of the pages that show it", arguments: changes)
  func keys(_ change: Change) async throws {
    let site = try TemporarySite(Self.files)
    let before = try await Self.keys(of: site)
    for (path, text) in change.files {
      if text.isEmpty { try site.remove(path) } else { try site.write(path, text) }
    }
    let after = try await Self.keys(of: site)
    for path in change.touches {
      #expect(after[path] != nil, "there is no \(path)")
      #expect(before[path] ?? 0 != after[path], "\(path) has to change")
    }
    for path in change.leaves {
      #expect(before[path] != nil, "there is no \(path)")
      #expect(before[path] == after[path], "\(path) must stay")
    }
  }

  @Test("no two pages share a key")
  func distinct() async throws {
    let keys = try await Self.keys(of: TemporarySite(Self.files))
    #expect(keys.count > 40)
    #expect(Set(keys.values).count == keys.count)
  }

  /// By path; without the pages that are always rendered.
  private static func keys(of site: TemporarySite) async throws -> [String: UInt64] {
    let build = Build(BuildOptions(root: site.root, output: site.folder + "/Site"))
    var report = BuildReport()
    let context = try build.plan(try await build.read(into: &report), into: &report)
    let keys = await PageKeys(context, program: 1, jobs: 2).all(jobs: 2)
    var known: [String: UInt64] = [:]
    for (page, key) in zip(context.plan.pages, keys) where key != 0 { known[page.path] = key }
    return known
  }
}

extension String {
  /// Without Foundation.
  fileprivate func replacing(_ old: String, with new: String) -> String {
    var text = self[...]
    var result = ""
    while let range = text.firstRange(of: old) {
      result += text[..<range.lowerBound] + new
      text = text[range.upperBound...]
    }
    return result + text
  }
}
