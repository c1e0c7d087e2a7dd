import Bytes
import Testing

@testable import JSON

@Suite
struct WriterTests {
  func plain(_ bytes: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.appendJSON(string: bytes.span)
    return buffer.array
  }

  func forScript(_ bytes: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.appendJSON(escapedForScript: bytes.span)
    return buffer.array
  }

  @Test
  func escapesWhatMust() {
    #expect(
      plain(Array("a\"b\\c\n\r\t\u{1}\u{7F}/é</script>\u{2028}".utf8)) == Array(
        #""a\"b\\c\n\r\t\u0001"#.utf8
      ) + [0x7F] + Array("/é</script>\u{2028}\"".utf8)
    )
    #expect(
      forScript(Array("</script><!--&\u{2028}\u{2029}\u{2030}".utf8))
        == Array(
          #""\u003c/script\u003e\u003c!--\u0026\u2028\u2029‰""#.utf8
        )
    )
    // A quote under a combining mark is still a quote.
    #expect(plain(Array("\"\u{301}".utf8)) == Array("\"\\\"\u{301}\"".utf8))
    #expect(
      plain([0x61, 0xED, 0xA0, 0x80, 0xC3]) == Array("\"a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\"".utf8)
    )
  }

  /// What is written parses and gives the text back.
  @Test
  func everyTextReadsBack() throws {
    var random = Random(state: 2)
    var parser = JSONParser()
    let scalars: [Unicode.Scalar] = [
      "\"", "\\", "<", "&", "\n", "\0", "a", "é", "\u{2028}", "\u{2029}", "😀", "\u{7F}", "\u{301}",
    ]
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        text.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
      }
      let bytes = Array(String(text).utf8)
      #expect(try parser.parse(plain(bytes).span).text?.array == bytes)
      let safe = forScript(bytes)
      #expect(!safe.contains(UInt8(ascii: "<")) && !safe.contains(UInt8(ascii: "&")))
      #expect(try parser.parse(safe.span).text?.array == bytes)
    }
  }

  @Test(arguments: [
    0, -0.0, 1, -1.5, 1e300, .leastNonzeroMagnitude, 0.1, 9_007_199_254_740_994, .infinity, .nan,
  ])
  func numbers(_ value: Double) throws {
    var buffer = ByteBuffer()
    buffer.appendJSON(number: value)
    var parser = JSONParser()
    let root = try parser.parse(buffer.bytes)
    if value.isFinite { #expect(root.double == value) } else { #expect(root.isNull) }
  }
}
