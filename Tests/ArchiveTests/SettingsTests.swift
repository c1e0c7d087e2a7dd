import Bytes
import Testing

@testable import Archive

@Suite("Configuration, channels, people")
struct SettingsTests {
  private func configuration(_ text: String) throws -> (Configuration, [Diagnostic]) {
    let folder = try TemporaryArchive(["stillfeed.yml": text])
    let (configuration, diagnostics) = Configuration.read(root: folder.root)
    return (configuration, diagnostics)
  }

  @Test
  func everyKey() throws {
    let (configuration, diagnostics) = try configuration(
      """
      title: Slow walks
      description: A club
      baseURL: https://example.org/walks
      language: zh-TW
      timeZone: Asia/Taipei
      self: [yingzhu, tsai]
      audience: friends
      links: explicit
      dates: apple
      theme: Mine
      index: false
      feed: {size: 5, comments: likes}
      """
    )
    #expect(diagnostics == [])
    #expect(configuration.title == "Slow walks")
    #expect(configuration.description == "A club")
    #expect(configuration.baseURL == "https://example.org/walks/")
    #expect(configuration.language == "zh-TW")
    #expect(configuration.timeZone.name == "Asia/Taipei")
    #expect(configuration.selfIDs == ["yingzhu", "tsai"])
    #expect(configuration.audience == .friends)
    #expect(configuration.links == .explicit)
    #expect(configuration.dates == .apple)
    #expect(configuration.theme == "Mine")
    #expect(configuration.index == false)
    #expect(configuration.feedSize == 5)
    #expect(configuration.commentOrder == .likes)
  }

  @Test(arguments: [
    ("\ntitel: x", 2, "The key 'titel' isn't known", "Did you mean 'title'?", false),
    (
      "timeZone: Asia/Taipeh", 1, "The time zone 'Asia/Taipeh' isn't known",
      "Write a name of the tz database like Asia/Taipei", true
    ),
    ("a: &a [*a]", 1, "", "", true),
    ("title: x\nlinks: prety", 2, "'links' can't be 'prety'", "Did you mean 'pretty'?", false),
    ("feed:\n  sise: 3", 1, "The key 'sise' isn't known", "Did you mean 'size'?", false),
    ("feed: {size: 0}", 1, "'size' must be a whole number from 1 to 10000", "", false),
    ("index: maybe", 1, "'index' must be true or false", "", false),
    (
      "baseURL: javascript:alert(1)", 1,
      "'baseURL' must be an address like https://example.org/archive/", "", false
    ),
    ("title: [a]", 1, "'title' must be text", "", false),
    ("- a", 0, "The file must hold keys with values", "", true),
  ])
  func mistakes(
    _ expected: (text: String, line: Int, headline: String, suggestion: String, isError: Bool)
  ) throws {
    let (_, diagnostics) = try configuration(expected.text)
    let diagnostic = try #require(diagnostics.first)
    #expect(diagnostics.count == 1)
    #expect(diagnostic.path == "stillfeed.yml")
    #expect(diagnostic.line == expected.line)
    #expect((diagnostic.severity == .error) == expected.isError)
    if !expected.headline.isEmpty { #expect(diagnostic.headline == expected.headline) }
    if !expected.suggestion.isEmpty { #expect(diagnostic.suggestion == expected.suggestion) }
  }

  @Test
  func channels() async throws {
    let folder = try TemporaryArchive([
      "Content/channels/b/channel.yml":
        "title: B\ndescription: d\nview: topics\npages: day\nperPage: 7\nfield: {}\n",
      "Content/channels/a/m.json": "[]",
      "Content/channels/none/pic.png": "x",
      "Content/channels/loose.jsonl": "{}",
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.channels.map(\.id) == ["a", "b"])
    #expect(archive.channels[0].title == "a" && archive.channels[0].view == .chat)
    #expect(archive.channels[0].bucket == .month && archive.channels[0].perPage == 100)
    #expect(archive.channels[1].view == .topics && archive.channels[1].bucket == .day)
    #expect(archive.channels[1].perPage == 7)
    #expect(
      diagnostics.map { "\($0.path):\($0.line)" } == [
        "Content/channels/b/channel.yml:6", "Content/channels/loose.jsonl:0",
      ]
    )
    #expect(diagnostics.first?.suggestion == "Did you mean 'fields'?")
  }

  @Test("a mistake in a person's TOML is named with its line")
  func brokenPerson() async throws {
    let folder = try TemporaryArchive(["Content/people/ada.md": "+++\nname = 'Ada'\n[[~~~\n+++\n"])
    let (_, diagnostics) = try await folder.read()
    #expect(diagnostics.map(\.severity) == [.error])
    #expect(diagnostics.first?.path == "Content/people/ada.md")
    #expect(diagnostics.first?.line == 3)
  }

  @Test(
    "People as a list, as a map, as files",
    arguments: [
      (
        "Content/people.yml",
        "- {id: ada, name: Ada L., url: https://a.example, also: [Countess]}\n- {id: bo}\n"
      ),
      (
        "Content/people.json",
        #"{"ada":{"name":"Ada L.","url":["https://a.example"],"also":"Countess"},"bo":{}}"#
      ),
      (
        "Content/people/ada.md",
        "---\nname: Ada L.\nlinks: {Home: https://a.example, Bad: 'javascript:x'}\nalso: [Countess]\n---\nA *life*.\n"
      ),
      (
        "Content/people/ada.md",
        "+++\nname = 'Ada L.'\nalso = ['Countess']\n[links]\nHome = 'https://a.example'\n+++\nA *life*.\n"
      ),
      (
        "Content/people/ada.md",
        #"{"name":"Ada L.","also":"Countess","url":"https://a.example"}"# + "\nA *life*.\n"
      ),
    ]
  )
  func people(_ file: (path: String, text: String)) async throws {
    let folder = try TemporaryArchive([
      file.path: file.text,
      "Content/channels/c/m.jsonl": """
      {"id":"1","date":0,"author":"ada"}
      {"id":"2","date":1,"author":"Ada L."}
      {"id":"3","date":2,"author":"Countess"}
      {"id":"4","date":3,"author":"bo"}

      """,
      "stillfeed.yml": "self: ada\n",
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics == [])
    #expect(archive.people.map(\.id) == ["ada", "bo"])
    let ada = archive.people[0]
    #expect(ada.displayName == "Ada L.")
    #expect(ada.links.map(\.href) == ["https://a.example"])
    #expect(ada.entries.count == 3)
    #expect(ada.isSelf)
    if file.path.hasSuffix(".md") { #expect(ada.biography == "A *life*.") }
  }

  @Test
  func pages() async throws {
    let folder = try TemporaryArchive([
      "Content/pages/about.md": "---\naliases: [old/about.html]\n---\n# About us\n\nWe walk.\n",
      "Content/pages/private.md": "---\naudience: private\n---\nx",
      "Content/static/.well-known/x.txt": "x",
      "Content/static/favicon.ico": "x",
    ])
    let (archive, _) = try await folder.read()
    #expect(archive.pages.map(\.slug) == ["about"])
    #expect(archive.pages[0].title == "About us")
    #expect(archive.pages[0].aliases == ["old/about.html"])
    #expect(archive.pages[0].body.count == "We walk.".utf8.count)
    #expect(archive.staticFiles == [".well-known/x.txt", "favicon.ico"])
  }

  @Test("Topics: by their own id, by title, or by thread")
  func topics() async throws {
    let folder = try TemporaryArchive([
      "Content/channels/t/channel.yml": "view: topics\n",
      "Content/channels/t/m.jsonl": """
      {"id":"1","date":1,"topic":{"id":"T1","title":"old name"}}
      {"id":"2","date":2,"topic":{"id":"T1","title":"new name"}}
      {"id":"3","date":3,"topic":"by title"}
      {"id":"4","date":4,"topic":"by title"}
      {"id":"5","date":5,"title":"Subject"}
      {"id":"6","date":6,"title":"Re: Subject","replyTo":"5"}
      {"id":"7","date":7,"replyTo":"6"}
      {"id":"8","date":8,"replyTo":"2"}

      """,
    ])
    let (archive, diagnostics) = try await folder.read()
    #expect(diagnostics == [])
    #expect(archive.topics.map(\.name) == ["T1", "3", "5"])
    #expect(archive.topics.map(\.title) == ["new name", "by title", "Subject"])
    #expect(
      archive.topics.map { $0.messages.map(\.rawValue) } == [[0, 1, 7], [2, 3], [4, 5, 6]]
    )
    #expect(archive.entries.map(\.topic) == [0, 0, 1, 1, 2, 2, 2, 0])
    #expect(archive.channels[0].topics == 0..<3)
  }
}
