import Bytes
import Glibc
import Testing

@testable import Site

@Suite("Small archives, built")
struct GoldenTests {
  @Test(
    "every build is what it was, with one worker and another order of files too",
    arguments: Golden.all
  )
  func golden(_ golden: Golden) async throws {
    let site = try await golden.run(jobs: 2)
    if Golden.isRecording {
      try golden.record(site)
      return
    }
    let difference = try golden.difference(to: site)
    #expect(difference == nil, "\(difference ?? "")")
    let other = try await golden.run(jobs: 1, isReversed: true)
    let change = Difference.first(expected: site.files, got: other.files, in: golden.fixture)
    #expect(change == nil, "\(change ?? "")")
    #expect(site.report.diagnostics == other.report.diagnostics)
  }

  @Test("the machine's time zone and locale change no byte")
  func machine() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "Pacific/Kiritimati", 1)
      setenv("LC_ALL", "tr_TR.UTF-8", 1)
      tzset()
      setlocale(LC_ALL, "")
      let names = ["chat-taipei", "feeds", "languages", "names", "tags", "undated"]
      let goldens = Golden.all.filter { names.contains($0.fixture) }
      #expect(goldens.count > names.count)
      for golden in goldens where !Golden.isRecording {
        let difference = try golden.difference(to: await golden.run(jobs: 2))
        #expect(difference == nil, "\(difference ?? "")")
      }
    }
  }

  @Test("there is a golden for every rule, and no rest of an old one")
  func fixtures() throws {
    #expect(Golden.all.count >= 30)
    for fixture in try FileSystem.list(Fixtures.sites) where fixture.kind == .directory {
      if fixture.name == "plain-theme" { continue }
      let builds = Golden.all.filter { $0.fixture == fixture.name }.map(\.build).sorted()
      let kept = try FileSystem.list("\(Fixtures.sites)/\(fixture.name)/expected").map(\.name)
      #expect(builds == kept.sorted(), "\(fixture.name)")
    }
  }

  @Test("a difference is told by path, line and both texts")
  func difference() {
    let old = Array("one\ntwo\nthree\n".utf8)
    let new = Array("one\ntwo\nthirty\n".utf8)
    #expect(Difference.first(expected: ["a": old], got: ["a": old], in: "x") == nil)
    #expect(
      Difference.first(expected: ["a": old], got: ["a": new], in: "x")
        == "x/a:3:\n  expected `three`\n  got      `thirty`"
    )
    #expect(
      Difference.first(expected: ["a": old], got: [:], in: "x") == "x/a: expected, but not made"
    )
    #expect(
      Difference.first(expected: [:], got: ["b": new], in: "x") == "x/b: made, but not expected"
    )
  }
}
