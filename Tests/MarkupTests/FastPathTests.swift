import Bytes
import Testing

@testable import Markup

/// Renders with and without the fast path.
private func bothWays(_ body: [UInt8], _ options: MarkdownOptions) -> (fast: String, full: String) {
  var writer = MarkdownWriter()
  var fast = ByteBuffer()
  var full = ByteBuffer()
  _ = writer.render(body.span, options: options, links: KnownLinks(), into: &fast)
  writer.usesFastPath = false
  _ = writer.render(body.span, options: options, links: KnownLinks(), into: &full)
  return (fast.string, full.string)
}

private let pieces: [String] = [
  "a", "word", " ", "  ", "\n", "\n\n", "\t", "\r", "\r\n", "#", "# ", "-", "- ", "---", "+", "+ ",
  "=", "===", ">", "> ", "1", "1.", "1. ", "12)", "1234567890. ", "*", "_", "`", "[", "]", "(", ")",
  "!", "&", "&amp;", "<", "<b>", "\\", "~", "~~", "|", ":", "\"", "'", "@alice", "@", ".", ",",
  "https://example.com/a", "www.example.com", "你好", "。", "　", "\u{A0}", "\u{FEFF}", "é",
  "👍", "\u{0}", "\u{B}", "\u{C}", "\u{7F}", "\u{85}", "\u{2028}",
  String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self), "{", "}", "$", "%",
  "^", "/", ";", "?", "0", "9",
]

@Test
func fastPathWritesWhatCmarkWould() {
  var random = Random(state: 0x5711_1FEE)
  var taken = 0
  for round in 0..<20_000 {
    // Every other body is made of harmless pieces mostly, so that the fast path is taken often.
    let tame = round % 2 == 0
    var text = ""
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      if tame, Int.random(in: 0..<4, using: &random) > 0 {
        text +=
          ["word ", "word", "你好", "\n", "1", "a-b", "x. "].randomElement(using: &random) ?? ""
      } else {
        text += pieces.randomElement(using: &random) ?? ""
      }
    }
    let body = Array(text.utf8)
    guard body.withUnsafeBufferPointer({ FastPath.holds($0, classes: ByteClass(allOf: $0)) }) else {
      continue
    }
    taken += 1
    var options = MarkdownOptions(headingShift: 1, hardBreaks: round % 3 == 0)
    options.extensions = round % 5 != 0
    let (fast, full) = bothWays(body, options)
    #expect(fast == full, "\(text.debugDescription)")
    if fast != full { return }
  }
  #expect(taken > 2000)
}

@Test
func ordinaryMessagesTakeTheFastPath() {
  for text in [
    "ok, see you at 10:30 - bring the \"blue\" folder!", "你好，今天下午三點見。", "a\nb\n\nc", "3 apples",
    "@alice look: https://example.com/a?b=c (nice)", "👍",
  ] {
    #expect(
      Array(text.utf8).withUnsafeBufferPointer {
        FastPath.holds($0, classes: ByteClass(allOf: $0))
      },
      "\(text)"
    )
  }
}

@Test(arguments: [
  ("👍", true), ("❤️", true), ("👩‍👩‍👧‍👦", true), ("🇹🇼🇯🇵", true), ("1️⃣", true), ("👍🏽 👍", true),
  ("🎉🎉🎉🎉🎉🎉🎉🎉", true), ("🎉🎉🎉🎉🎉🎉🎉🎉🎉", false), ("ok 👍", false), ("", false), ("1", false),
  ("❤", false), ("好", false), ("©", false), ("\u{200D}", false), ("🇹", false), (" ", false),
])
func emojiOnly(_ text: String, _ expected: Bool) {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  let body = Array(text.utf8)
  let outcome = writer.render(
    body.span,
    options: MarkdownOptions(),
    links: UnchangedLinks(),
    into: &output
  )
  #expect(outcome.isEmojiOnly == expected)
}
