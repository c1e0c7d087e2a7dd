import Bytes
import Testing

@Suite
struct URLTests {
  @Test
  func judgesHostileLinks() throws {
    let rows = try Fixtures.rows("text/links.tsv")
    #expect(rows.count == 43)
    for row in rows {
      let link = try Fixtures.unescaped(row[1])
      let kind = SafeURL.kind(of: link.span)
      let found = kind == .forbidden ? "forbidden" : kind == .relative ? "relative" : "allowed"
      if found != row[0] { Issue.record("\(row): \(found)") }
    }
  }

  @Test(
    arguments: [
      ("", .relative), ("a", .relative), ("/a", .relative), ("./a:b", .relative),
      ("#a:b", .relative),
      ("?a:b", .relative), ("a/b:c", .relative), ("../a//b", .relative),
      ("https://a.example/", .https),
      ("HTTP:a", .http), (" \u{1}mailto:a", .mailto), ("ht\ntp://a", .http), ("//a", .forbidden),
      ("\\\\a", .forbidden), ("/\\a", .forbidden), ("\\/a", .forbidden), ("/\t/a", .forbidden),
      (" //a", .forbidden), ("/ /a", .relative), ("a//b", .relative), ("ftp://a", .forbidden),
      ("httpss:a", .forbidden), ("http\u{0}s:a", .forbidden), ("blob:a", .forbidden),
      (":a", .forbidden),
      ("tel:1", .forbidden), ("mailtomailto:x", .forbidden), ("aaaahttps:x", .forbidden),
      ("view-source:http://a", .forbidden), ("\u{2028}https:a", .forbidden),
    ] as [(String, SafeURL.Kind)]
  )
  func judges(link: String, kind: SafeURL.Kind) {
    #expect(SafeURL.kind(of: Array(link.utf8).span) == kind)
    #expect(SafeURL.isAllowed(link) == (kind != .forbidden))
  }

  @Test
  func encodesEveryByteButTheUnreserved() {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    for byte in UInt8.min...UInt8.max {
      var buffer = ByteBuffer()
      buffer.append(percentEncoded: [byte].span)
      let encoded = buffer.array
      #expect((encoded == [byte]) == unreserved.contains(byte))
      #expect(URLText.percentDecode(encoded.span) == [byte])
    }
  }

  @Test
  func encodesPathsAndSegments() {
    var buffer = ByteBuffer()
    buffer.append(percentEncoded: Array("a/ü?%".utf8).span)
    buffer.append(" ")
    buffer.append(percentEncodedPath: Array("a/ü b".utf8).span)
    let text = buffer.string
    #expect(text == "a%2F%C3%BC%3F%25 a/%C3%BC%20b")
  }

  @Test(arguments: [
    ("%41%zz%4", "A%zz%4"), ("%", "%"), ("%%41", "%A"), ("%252e", "%2e"), ("%2E%2e", ".."),
    ("a+b", "a+b"),
  ])
  func decodesLeniently(text: String, expected: String) {
    #expect(URLText.percentDecode(Array(text.utf8).span) == Array(expected.utf8))
  }
}
