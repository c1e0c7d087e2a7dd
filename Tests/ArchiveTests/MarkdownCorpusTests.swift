import Bytes
import Testing

@testable import Archive

/// Posts as other site generators write them; see Fixtures/markdown/SOURCE.md.
@Suite("Front matter of other generators")
struct MarkdownCorpusTests {
  private static let corpus = Fixtures.folder + "/markdown"

  /// What is expected of a folder put at `Content/posts`: posts shown without drafts, errors.
  struct Folder: Sendable, CustomTestStringConvertible {
    var name: String
    var posts: Int
    var drafts = 0
    var errors = 0
    var testDescription: String { name }
  }

  static let folders = [
    Folder(name: "18f", posts: 6),
    Folder(name: "eleventy", posts: 3, drafts: 1),
    Folder(name: "ghost-migrate-jekyll", posts: 8),
    Folder(name: "hugo-docs", posts: 2),
    Folder(name: "hugo-site", posts: 2, drafts: 1),
    Folder(name: "jekyll", posts: 6),
    Folder(name: "pelican", posts: 1),
    Folder(name: "publish-site", posts: 1),
    Folder(name: "written-traps", posts: 5),
    Folder(name: "zola-site", posts: 1),
  ]

  @Test(arguments: folders)
  func everyFolderBuilds(_ folder: Folder) async throws {
    let site = try TemporaryArchive()
    try site.copy("\(Self.corpus)/\(folder.name)", to: "Content/posts")
    let (archive, diagnostics) = try await site.read(drafts: false)
    #expect(archive.posts.count == folder.posts)
    #expect(diagnostics.filter { $0.severity == .error }.count == folder.errors, "\(diagnostics)")
    let all = try await site.read(drafts: true).archive
    #expect(all.posts.count == folder.posts + folder.drafts)
    var reader = DetailsReader(root: site.root, archive: all)
    try reader.read(all.posts.map(\.entry))
    #expect(reader.count == all.posts.count)
  }

  private func post(_ slug: String, in folder: String) async throws -> (Archive, Post, Entry) {
    let site = try TemporaryArchive()
    try site.copy("\(Self.corpus)/\(folder)", to: "Content/posts")
    let archive = try await site.read(drafts: true).archive
    let post = try #require(
      archive.posts.first { $0.slug == slug },
      "\(archive.posts.map(\.slug))"
    )
    return (archive, post, archive.entries[post.entry.index])
  }

  private func tags(_ archive: Archive, _ post: Post) -> [String] {
    post.tags.map { archive.tags[Int($0)].title }.sorted()
  }

  private func time(_ text: String) -> Timestamp? { TimestampParser.parse(text: text, zone: .utc) }

  @Test
  func pelican() async throws {
    let (archive, post, entry) = try await post("my-super-post", in: "pelican")
    #expect(post.title == "Pelican metadata")
    #expect(entry.date == time("2023-05-06T10:20:00Z"))
    #expect(entry.updated == time("2023-06-01T19:30:00Z"))
    #expect(tags(archive, post) == ["Python", "pelican", "publishing"])
    #expect(archive.people.map(\.displayName) == ["Ada Archivist"])
  }

  @Test
  func publish() async throws {
    let (archive, post, entry) = try await post("first-post", in: "publish-site")
    #expect(post.title == "The title is the first H1")
    #expect(entry.date == time("2020-02-01T10:30:00Z"))
    #expect(tags(archive, post) == ["Swift tips", "article", "first"])
    #expect(post.aliases == ["custom/first"])
  }

  @Test
  func zola() async throws {
    let (archive, post, entry) = try await post("hello", in: "zola-site")
    #expect(post.title == "Zola: hello")
    #expect(entry.date == time("2021-01-23"))
    #expect(entry.updated == time("2021-02-01"))
    #expect(tags(archive, post) == ["rust", "tech", "web"])
    #expect(post.aliases == ["old/hello/index.html"])
    #expect(archive.people.map(\.displayName) == ["Ada"])
  }

  @Test
  func hugo() async throws {
    let (_, bundle, _) = try await post("bundle", in: "hugo-site")
    #expect(bundle.title == "Leaf bundle")
    let (archive, post, entry) = try await post("all-keys", in: "hugo-site")
    #expect(post.title == "All keys: a \"quoted\" title")
    #expect(post.aliases == ["old/all-keys/", "2023/05/old.html", "custom/all-keys/"])
    #expect(tags(archive, post) == ["C++", "News", "Swift", "hello world"])
    #expect(entry.date == time("2023-05-06T07:08:09+02:00"))
    #expect(entry.updated == time("2023-06-01"))
    #expect(entry.flags.contains(.edited))
  }

  @Test
  func traps() async throws {
    let (_, title, _) = try await post("crlf-bom", in: "written-traps")
    #expect(title.title == "CRLF and BOM")
    let (_, heading, _) = try await post("no-front-matter", in: "written-traps")
    #expect(heading.title == "Just text, first line is the title?")
    let (archive, named, entry) = try await post("unicode-ünï 日本", in: "written-traps")
    #expect(named.title == "Ünïcödé 🗄️")
    #expect(tags(archive, named).count == 2)
    #expect(entry.date == time("2020-01-01T00:00:00.123+05:45"))
  }

  @Test
  func jekyll() async throws {
    let site = try TemporaryArchive()
    try site.copy("\(Self.corpus)/jekyll-test", to: "Content/posts")
    let (archive, diagnostics) = try await site.read(drafts: false)
    #expect(diagnostics.filter { $0.severity == .error } == [])
    let slugs = archive.posts.map(\.slug)
    #expect(!slugs.contains("not-published"))
    #expect(slugs.contains("published"))
    #expect(slugs.contains("hash-#1"))
    let permalinked = try #require(archive.posts.first { $0.slug == "permalinked-post" })
    #expect(permalinked.aliases == ["my_category/permalinked-post"])
    // A permalink that climbs out of the site is no alias.
    let climbing = try #require(archive.posts.first { $0.slug == "permalink-traversal" })
    #expect(climbing.aliases.allSatisfy { !$0.contains("..") })
    let tagged = try #require(archive.posts.first { $0.slug == "tags" })
    #expect(tags(archive, tagged) == ["cooking", "food", "pizza"])
  }
}
