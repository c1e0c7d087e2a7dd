import Archive
import Bytes
import Testing

@testable import Site

/// What must not be in a site is looked for in the bytes and names of all its files: the fixtures
/// mark it with words, which are compared without regard to case.
@Suite("What a site must not hold")
struct SecrecyTests {
  @Test(arguments: [
    (
      "audiences/public",
      ["markprivate", "markfriends", "psecret", "pfriend", "avatar-", "-picture"]
    ),
    ("audiences/friends", ["markprivate", "psecret", "avatar-private", "private-picture"]),
    ("drafts/without", ["markdraft", "draftsman"]),
    ("hidden/all", ["markname", "markall"]),
    ("tombstones/all", ["markdeleted"]),
    ("people/all", ["example.org", "example.net", "%40example", "Never Seen"]),
    ("app-dumps/all", ["markfriends"]),
  ])
  func absent(_ pair: (golden: String, words: [String])) async throws {
    let golden = try #require(Golden.all.first { $0.testDescription == pair.golden })
    for theme in [true, false] {
      var golden = golden
      golden.usesPlainTheme = theme
      let site = try await golden.run(jobs: 2)
      #expect(site.files.count > 5)
      for word in pair.words {
        let found = site.paths.filter {
          Files.contains(site.files[$0] ?? [], word, foldsCase: true)
            || $0.lowercased().contains(word.lowercased())
        }
        // The address of a person's own page is theirs to publish.
        let links = pair.golden == "people/all" && word == "example.org"
        #expect(found.filter { !links || !$0.hasPrefix("people/ada") } == [], "\(word)")
      }
    }
  }

  @Test("what a build for more eyes holds is really there, so that the search can fail")
  func present() async throws {
    let golden = try #require(Golden.all.first { $0.testDescription == "audiences/private" })
    let site = try await golden.run(jobs: 2)
    let words = [
      "MarkPrivate title", "MarkPrivate body", "MarkPrivate message", "MarkPrivate room",
      "MarkPrivate alt", "private-picture.png", "avatar-private.png", "inline-markprivate.png",
      "MarkPrivateTag", "MarkFriends comment", "old/markfriends", "MarkPrivate page",
    ]
    for word in words { #expect(!site.files(holding: word).isEmpty, "\(word)") }
  }

  @Test("what is sensitive doesn't describe its topic's page")
  func sensitiveTopic() async throws {
    let fields = #""id":"1","date":"2024-05-07T09:05:00Z","topic":"t","body":"MarkSensitive""#
    for (field, isDescribed) in [(#","sensitive":"spiders""#, false), ("", true)] {
      let site = try TemporarySite([
        "Content/channels/c/channel.yml": "view: topics\n",
        "Content/channels/c/m.jsonl": "{\(fields)\(field)}\n",
      ])
      let built = try await site.build()
      #expect(!built.files(holding: "<p>MarkSensitive</p>").isEmpty)
      #expect(built.files(holding: "content=\"MarkSensitive").isEmpty != isDescribed)
    }
  }

  @Test("what is sensitive stays out of previews, feeds and quotes")
  func sensitive() async throws {
    for name in ["feeds/all", "quotes/all"] {
      let golden = try #require(Golden.all.first { $0.testDescription == name })
      let site = try await golden.run(jobs: 2)
      let shown = site.files(holding: "MarkSensitive")
      #expect(!shown.isEmpty)
      for path in shown {
        #expect(path.hasSuffix(".html"), "\(path)")
        // Only behind the warning, which the body follows.
        let parts = site.text(path).split(
          separator: "MarkSensitive",
          omittingEmptySubsequences: false
        )
        for part in parts.dropLast() {
          #expect(part.suffix(800).contains("spiders"), "\(path)")
        }
      }
    }
  }
}
