import Archive
import Testing

@testable import Site

@Suite("What hosts take")
struct HostTests {
  private func host(_ name: String) throws -> Host {
    try #require(Host.all.first { $0.name == name })
  }

  private func severities(_ name: String, _ site: SiteSize) throws -> [Diagnostic.Severity] {
    try host(name).problems(with: site, links: .explicit).map(\.severity)
  }

  @Test("few small files are taken everywhere")
  func small() throws {
    var site = SiteSize()
    site.add("index.html", bytes: 1000)
    for host in Host.all { #expect(host.problems(with: site, links: .explicit).isEmpty) }
  }

  @Test("a warning comes ahead of a limit, an error behind it")
  func near() throws {
    var site = SiteSize()
    site.add("a", bytes: 790_000_000)
    #expect(try severities("github-pages", site).isEmpty)
    site.add("b", bytes: 20_000_000)
    #expect(try severities("github-pages", site) == [.warning])
    site.add("c", bytes: 200_000_000)
    #expect(try severities("github-pages", site) == [.error])
  }

  @Test("files are counted, in all and in a folder, and the largest is named")
  func counts() throws {
    var site = SiteSize()
    for number in 0..<20_001 { site.add("p\(number / 100)/\(number)/index.html", bytes: 10) }
    #expect(site.fullestFolder.files == 1)
    site.add("media/film.mp4", bytes: 30 << 20)
    let found = try host("cloudflare-pages").problems(with: site, links: .pretty)
    #expect(found.map(\.severity) == [.error, .error])
    #expect(found[1].headline.contains("media/film.mp4"))
    for number in 0..<54_001 { site.add("media/x/\(number)", bytes: 1) }
    #expect(try severities("netlify", site) == [.error])
  }

  @Test("folders have no index page on S3")
  func folders() throws {
    let site = SiteSize()
    #expect(try host("s3").problems(with: site, links: .pretty).map(\.severity) == [.warning])
    #expect(try host("s3").problems(with: site, links: .explicit).isEmpty)
  }
}
