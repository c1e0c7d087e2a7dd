import Bytes
import Testing

@testable import Preview

@Suite
struct ServingTests {
  @Test
  func aFolderShowsItsIndexPage() throws {
    let site = try TestSite()
    let answer = try #require(site.ask("/"))
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer["X-Content-Type-Options"] == "nosniff")
    #expect(answer["Content-Security-Policy"]?.hasPrefix("default-src 'self';") == true)
    #expect(answer["Access-Control-Allow-Origin"] == nil)
    #expect(answer.text.contains("Front"))
  }
}
