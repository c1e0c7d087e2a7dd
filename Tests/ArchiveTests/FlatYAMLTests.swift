import Bytes
import Testing

@testable import Archive

/// The short way through front matter must give what libyaml gives.
@Suite("Flat YAML")
struct FlatYAMLTests {
  private typealias Dice = ContentCacheTests.Dice

  private static func flat(_ text: [UInt8]) -> (json: String, keys: [KeyLine])? {
    var output = ByteBuffer()
    output.append("x")
    let keys = text.withUnsafeBufferPointer { FlatYAML.writeJSON($0, into: &output) }
    if keys == nil { #expect(output.string == "x") }
    return keys.map { (String(output.string.dropFirst()), $0) }
  }

  private static func whole(_ text: [UInt8]) throws -> (json: String, keys: [KeyLine]) {
    var output = ByteBuffer()
    let keys = try YAMLText.writeEvents(text.span, into: &output)
    return (output.string, keys)
  }

  @Test(
    "What front matter mostly is",
    arguments: [
      "title: Hello\n", "title: \"Hello: World\"\nlikes: 3\n", "a: 'it is'\nb: it's\n",
      "tags: [a, b c, \"d, e\", 7]\n", "tags: []", "date: 2024-01-02T10:00:00Z\nx: 10:30\n",
      "標題: x\n", "title: 你好，世界！\n", "title: “quoted” – yes 😀\nnull: null\nb: true\nc: 007\n",
      "a: 1.5e3\nb: 2e-5\n", "a-b_c:   spaced\n", "url: https://example.org/?a=1&b=2\n",
    ]
  )
  func isRead(_ text: String) throws {
    let whole = try Self.whole(Array(text.utf8))
    // A name in other letters is left to libyaml.
    guard text.utf8.first ?? 0 < 0x80 else { return #expect(Self.flat(Array(text.utf8)) == nil) }
    let flat = try #require(Self.flat(Array(text.utf8)))
    #expect(flat.json == whole.json)
    #expect(flat.keys == whole.keys)
  }

  @Test(
    "What is left to libyaml",
    arguments: [
      "", "\n", "a:\n", "a: b # c\n", "# c\na: b\n", "a: b\n\nc: d\n", "a: b \n", "a: b: c\n",
      "a: [b, c\n", "a: [b]]\n", "a: {b: c}\n", "a: |\n  b\n", "a: b\n  c\n", "- a\n", "a: *b\n",
      "a: &b c\n", "a: !t c\n", "a: \"\\n\"\n", "a: 'b''c'\n", "a: b\r\n", "a: b\tc\n",
      "a: [b:c]\n",
      "a: \u{85}x\n", "a: \u{2028}x\n", "a: \u{FEFF}x\n", "a: \u{FFFE}\n", "a: \u{80}\n", "a: -\n",
      "a: ~\n", "a: @b\n", "a: \"b\" c\n", "a: \u{0}\n", "a: \u{7F}\n", "--- \n", "a: [b, ]\n",
    ]
  )
  func isLeft(_ text: String) { #expect(Self.flat(Array(text.utf8)) == nil) }

  private static let pieces = [
    "a", "key", "B", "7", "0", "-", "_", ".", ": ", ":", " ", "  ", "\n", "\n", "\"", "'", "[", "]",
    ", ", ",", "#", " #", "&", "*", "!", "|", ">", "%", "@", "`", "{", "}", "?", "\\", "\t", "\r",
    "null", "true", "1.5", "é", "你好", "，", "’", "\u{2028}", "\u{85}", "\u{FEFF}", "\u{FFFF}", "😀",
    "---", "...", "=", "+", "(", ")", "/", "x: y\n", "list: [a, b]\n", "q: \"w\"\n", "n: 'v'\n",
  ].map { Array($0.utf8) }

  @Test("The same for random text", arguments: [1, 2, 3, 4] as [UInt64])
  func random(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    var read = 0
    for _ in 0..<40_000 {
      var text = Array("k: ".utf8)
      for _ in 0..<1 + dice.roll(8) { text += Self.pieces[dice.roll(Self.pieces.count)] }
      if dice.roll(8) == 0 { text[dice.roll(text.count)] = UInt8(dice.roll(256)) }
      guard let flat = Self.flat(text) else { continue }
      read += 1
      let whole = try? Self.whole(text)
      #expect(flat.json == whole?.json, "\(String(decoding: text, as: UTF8.self).debugDescription)")
      #expect(flat.keys == whole?.keys, "\(String(decoding: text, as: UTF8.self).debugDescription)")
    }
    #expect(read > 2000)
  }
}
