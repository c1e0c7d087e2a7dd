import Archive
import JSON
import Testing

@testable import Site

@Suite("Tags")
struct TagTests {
  @Test("An entry shows its tags as the archive spells them, each once")
  func spellings() async throws {
    let site = try TemporarySite([
      "Content/posts/a.md": "---\ndate: 2024-01-01\ntags: [Rain, Straße]\n---\nA",
      "Content/channels/c/m.jsonl":
        #"{"id":"1","date":"2024-01-02T00:00:00Z","body":"B","tags":["rain","RAIN","strasse","other"]}"#,
    ])
    let build = Build(BuildOptions(root: site.root, output: site.folder + "/none"))
    let text = try await build.data(ofRoute: "/channels/c/2024/01/")
    var parser = JSONParser()
    let bytes = Array(text.utf8)
    try parser.parse(bytes.span)
    let days = try #require(parser.root["page"]?["days"])
    let message = days.elements.compactMap { $0["messages"] }.flatMap { Array($0.elements) }.first
    let tags = message?["message"]?["tags"]?["items"]
    let names = tags.map { $0.elements.compactMap { $0["name"]?.text?.string } }
    #expect(names == ["Rain", "Straße", "other"])
  }
}
