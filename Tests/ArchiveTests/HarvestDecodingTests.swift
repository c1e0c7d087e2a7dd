import Bytes
import Testing

@testable import Archive

/// What somebody could write who knows all that goes into a kept harvest.
@Suite("Reading kept harvests")
struct HarvestDecodingTests {
  @Test("A kept body that ends behind its file is refused, though another file is long enough")
  func longBody() throws {
    let folder = try TemporaryArchive([
      "Content/posts/a.md": "---\ntitle: A\n---\nshort\n",
      "Content/posts/b.md": "---\ntitle: B\n---\nmuch longer than the other one\n",
    ])
    let scan = try ContentScan(root: folder.root)
    let rules = SourceRules(zone: .utc, dates: .iso, table: .standard, gathersTopics: false)
    var reader = FileReader(root: folder.root, budget: TextBudget())
    var harvest = Harvest()
    for source in scan.sources {
      reader.read(FileContext(source, rules: rules, media: MediaIndex()), into: &harvest)
    }
    let sizes = harvest.statuses.map(\.status.size)
    let place = HarvestPlace(sources: scan.sources[...], sizes: sizes, bytes: 0..<0)
    func isReadable(bodyEnd: Int) -> Bool {
      harvest.documents[0].body = 0..<bodyEnd
      var kept = ByteBuffer()
      guard harvest.encode(place, into: &kept) else { return false }
      var input = CacheCursor(kept.unsafeBytes)
      return Harvest(decoding: &input, place, part: nil) != nil
    }
    #expect(isReadable(bodyEnd: sizes[0]))
    #expect(!isReadable(bodyEnd: sizes[0] + 1))
    #expect(!isReadable(bodyEnd: sizes[1]))
  }
}
