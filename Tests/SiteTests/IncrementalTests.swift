import Archive
import Bytes
import Glibc
import JSON
import Testing

@testable import Site

@Suite("Builds that take over what stands")
struct IncrementalTests {
  private static let files = [
    "stillfeed.yml": "title: T\nbaseURL: https://example.org/\n",
    "Content/people.yml": "- {id: ada, name: Ada}\n",
    "Content/media/cat.png": "not a picture",
    "Content/static/robots-too.txt": "x",
    "Content/posts/one.md": "---\ndate: 2024-01-01\nauthor: ada\n---\nOne [two](/posts/two/)\n",
    "Content/posts/two.md": "---\ndate: 2024-01-02\nauthor: ada\n---\nTwo ![cat](cat.png)\n",
    "Content/posts/three.md": "---\ndate: 2024-01-03\n---\n[lost](nowhere.png) @ada @bob\n",
    "Content/channels/log/x.jsonl": #"{"id":"1","author":"ada","date":"2024-01-05","body":"a"}"#,
  ]

  /// Builds into the same folder and into a fresh one, and compares.
  private func compared(
    _ site: TemporarySite,
    _ change: (inout BuildOptions) -> Void = { _ in }
  ) async throws -> BuildReport {
    let built = try await site.build("Site", change)
    Files.remove(site.folder + "/Clean")
    let clean = try await site.build("Clean", change)
    #expect(built.files == clean.files)
    #expect(built.report.diagnostics == clean.report.diagnostics)
    #expect(built.report.entries == clean.report.entries)
    #expect(built.report.pages == clean.report.pages)
    #expect(built.report.bytes == clean.report.bytes)
    #expect(built.report.largestPage == clean.report.largestPage)
    #expect(built.report.rendered + built.report.reused == built.report.pages)
    return built.report
  }

  @Test("the second time nothing is rendered, and the same is said")
  func nothing() async throws {
    let site = try TemporarySite(Self.files)
    let first = try await compared(site)
    #expect(first.reused == 0)
    #expect(first.diagnostics.count == 1)
    let second = try await compared(site)
    #expect(second.rendered == 0)
    #expect(second.stages.map(\.name) == ["look", "compare"])
  }

  @Test("a small change renders a few pages")
  func small() async throws {
    let site = try TemporarySite(Self.files)
    let first = try await compared(site)
    try site.write("Content/posts/one.md", "---\ndate: 2024-01-01\nauthor: ada\n---\nUno\n")
    let second = try await compared(site)
    #expect(second.rendered < first.pages)
    #expect(second.written > 0)
  }

  @Test(
    "what a page asked for is asked again",
    arguments: [
      ("Content/media/cat.png", "", "posts/two/index.html"),
      ("Content/posts/cat.png", "nearer", "posts/two/index.html"),
      ("Content/posts/two.md", "", "posts/one/index.html"),
      ("Content/posts/nowhere.png", "found", "posts/three/index.html"),
      ("Content/people.yml", "- {id: ada, name: Ada, hide: name}\n", "posts/three/index.html"),
    ]
  )
  func lookups(_ change: (path: String, text: String, page: String)) async throws {
    let site = try TemporarySite(Self.files)
    let before = try await site.build().text(change.page)
    if change.text.isEmpty {
      try site.remove(change.path)
    } else {
      try site.write(change.path, change.text)
    }
    #expect(try await compared(site).rendered > 0)
    #expect(try Files.text("\(site.folder)/Site/\(change.page)") != before)
  }

  @Test("other bytes of the same length show, though the time was set back")
  func timeSetBack() async throws {
    let site = try TemporarySite(Self.files)
    try await site.build()
    for path in ["Content/posts/one.md", "Content/media/cat.png", "Content/static/robots-too.txt"] {
      let full = "\(site.root)/\(path)"
      var bytes = try FileSystem.read(full)
      let last = bytes.count - 1
      bytes[last] = bytes[last] == 0x41 ? 0x42 : 0x41
      try overwrite(full, bytes)
    }
    #expect(try await compared(site).written > 0)
  }

  @Test("what others changed in the output is put right", arguments: 0...3)
  func tampering(_ kind: Int) async throws {
    let site = try TemporarySite(Self.files)
    let built = try await site.build()
    let path = built.path + "/posts/one/index.html"
    let bytes = try FileSystem.read(path)
    switch kind {
    case 0: try overwrite(path, bytes.map { $0 == 0x61 ? 0x62 : $0 })
    case 1: try FileSystem.removeFile(path)
    case 2: try overwrite(path, [])
    default: try overwrite(built.path + "/media/cat.png", Array("not a pictura".utf8))
    }
    let again = try await site.build()
    #expect(again.files == built.files)
    #expect(again.report.written == 1)
    #expect(again.report.rendered < again.report.pages)
  }

  @Test("another name for each file of the output costs no rendering")
  func links() async throws {
    let site = try TemporarySite(Self.files)
    let built = try await site.build()
    for path in built.paths {
      let name = site.folder + "/name"
      #expect(link("\(built.path)/\(path)", name) == 0)
      unlink(name)
    }
    let again = try await site.build()
    #expect(again.report.rendered == 0)
    #expect(again.report.written == 0)
  }

  @Test("options are part of what a page is made from")
  func options() async throws {
    let site = try TemporarySite(Self.files)
    try await site.build()
    _ = try await compared(site) { $0.baseURL = "https://example.com/" }
    _ = try await compared(site) { $0.links = .explicit }
    _ = try await compared(site) { $0.audience = .friends }
    _ = try await compared(site) { $0.includesDrafts = true }
    #expect(try await compared(site).rendered > 0)
  }

  @Test("a page is the same whatever other pages kept")
  func texts() async throws {
    var parser = JSONParser()
    let examples = try FileSystem.read(Fixtures.folder + "/commonmark/spec-0.30.json")
    let root = try parser.parse(examples.span)
    var posts = ByteBuffer()
    var bodies: [String] = []
    for (index, example) in root.elements.enumerated() {
      bodies.append(example["markdown"]?.text?.string ?? "")
      // Long ones too: the last three examples in one; and some without any text behind one.
      let long = bodies.suffix(3).joined(separator: " ")
      for body in [bodies[index], long] + (index % 5 == 0 ? ["one two", ""] : []) {
        posts.append("{\"author\":\"ada\",\"date\":\"2024-01-05\",\"body\":")
        posts.appendJSON(string: body)
        posts.append(
          text: ",\"format\":\"\(["markdown", "markdown", "html", "plain"][index % 4])\","
            + "\"media\":[\"https://example.com/a.png\"]}\n"
        )
      }
    }
    let site = try TemporarySite(["stillfeed.yml": "baseURL: https://example.org/\n"])
    try site.write("Content/posts/x.jsonl", posts.array)
    try site.write("Content/posts/y.json", #"{"id":"y","body":"y"}"#)
    try site.write("Content/comments/y.jsonl", posts.array)
    try site.write("Content/channels/log/x.jsonl", posts.array)
    try site.write("Content/channels/talk/x.jsonl", posts.array)
    try site.write("Content/channels/talk/channel.yml", "view: topics\n")
    let build = Build(BuildOptions(root: site.root, output: site.folder + "/Site"))
    var report = BuildReport()
    let context = try build.plan(try await build.read(into: &report), into: &report)
    let none = EntryTexts(Archive(configuration: context.configuration))
    var alone = PageRenderer(RenderContext(copying: context, texts: none))
    var pages: [[UInt8]] = []
    for page in context.plan.pages {
      var output = ByteBuffer()
      try alone.render(page, into: &output)
      pages.append(output.array)
    }
    // Whichever page comes first.
    let order = Array(context.plan.pages.indices)
    for order in [order, order.reversed()] {
      let texts = EntryTexts(context.archive)
      var renderer = PageRenderer(RenderContext(copying: context, texts: texts))
      for index in order {
        var output = ByteBuffer()
        try renderer.render(context.plan.pages[index], into: &output)
        #expect(output.array == pages[index], "\(context.plan.pages[index].path)")
      }
      #expect(texts.holds(EntryID(0)))
    }
  }

  @Test("a strict build is strict the second time too")
  func strict() async throws {
    let site = try TemporarySite(Self.files)
    try site.write("Templates/page.mustache", "{{unheardOf}}")
    try await site.build()
    for _ in 0..<2 {
      await #expect(throws: BuildFailure.self) { try await site.build { $0.isStrict = true } }
    }
  }

  @Test("a manifest with all its parts reads back as it was written")
  func coding() throws {
    let site = try TemporarySite()
    var manifest = Manifest(paths: ["a", "b/雨"])
    manifest.files[1].key = 7
    manifest.files[1].note = 0
    manifest.files[1].state.size = 5
    manifest.files[1].state.changed = -3
    manifest.notes = [Manifest.Note(lookups: [0, 2], media: [0], diagnostics: [1])]
    manifest.lookups = [
      (.medium("x", beside: "y"), 1), (.destination("x", beside: ""), 2), (.mention("雨"), .max),
    ]
    manifest.media = ["Content/media/x.png"]
    manifest.diagnostics = [
      .init(.note, headline: "h"),
      .init(
        .error,
        path: "p",
        line: 1,
        column: 2,
        headline: "h",
        explanation: "e",
        suggestion: "s"
      ),
    ]
    manifest.summary.diagnostics = [1, 0]
    manifest.summary.largestPath = "a"
    manifest.inputs = 9
    let path = site.folder + "/manifest"
    try manifest.write(to: path)
    let read = try #require(Manifest(readingFrom: path))
    #expect(read.files == manifest.files)
    #expect(read.notes == manifest.notes)
    #expect(read.lookups.map(\.question) == manifest.lookups.map(\.question))
    #expect(read.lookups.map(\.answer) == manifest.lookups.map(\.answer))
    #expect(read.media == manifest.media)
    #expect(read.diagnostics == manifest.diagnostics)
    #expect(read.summary == manifest.summary)
    #expect(read.inputs == 9)
  }

  @Test("a manifest whose positions lead nowhere counts as none", arguments: 0...4)
  func forged(_ kind: Int) throws {
    let site = try TemporarySite()
    var manifest = Manifest(paths: ["a"])
    switch kind {
    case 0: manifest.files[0].note = 0
    case 1: manifest.notes = [Manifest.Note(lookups: [0])]
    case 2: manifest.notes = [Manifest.Note(media: [3])]
    case 3: manifest.notes = [Manifest.Note(diagnostics: [0])]
    default: manifest.summary.diagnostics = [0]
    }
    try manifest.write(to: site.folder + "/manifest")
    #expect(Manifest(readingFrom: site.folder + "/manifest") == nil)
  }

  /// Writes into the file that is there, and sets its time back.
  private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    var status = stat()
    try #require(stat(path, &status) == 0)
    let number = open(path, O_WRONLY | O_TRUNC)
    try #require(number >= 0)
    #expect(write(number, bytes, bytes.count) == bytes.count)
    close(number)
    let times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
  }
}
