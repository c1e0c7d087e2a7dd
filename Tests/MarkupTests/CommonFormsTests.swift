import Bytes
import Testing

@testable import Markup

/// What a writer makes of a body: its HTML, what it says of it, and excerpts.
private struct Written: Equatable {
  var html: String
  var outcome: MarkupOutcome
  var unresolved: [[UInt8]]
  var excerpts: [String]

  init(_ body: [UInt8], _ options: MarkdownOptions, readsCommonForms: Bool) {
    var writer = MarkdownWriter()
    writer.readsCommonForms = readsCommonForms
    var output = ByteBuffer()
    outcome = writer.render(body.span, options: options, links: KnownLinks(), into: &output)
    html = output.string
    unresolved = writer.unresolved
    excerpts = [24, 160].map { limit in
      output.removeAll()
      // What rendering found gives the same text as reading the body anew.
      if !writer.appendPlainText(ofRendered: body.span, limit: limit, into: &output) {
        writer.appendPlainText(of: body.span, limit: limit, into: &output)
      }
      return output.string
    }
    excerpts += [24, .max].map { limit in
      output.removeAll()
      writer.appendPlainText(of: body.span, limit: limit, into: &output)
      return output.string
    }
  }
}

private func hasCommonForms(_ body: [UInt8]) -> Bool {
  var forms = CommonForms()
  return body.withUnsafeBufferPointer { forms.read($0) }
}

/// Writes a body of common forms with and without cmark; returns whether it is one.
private func compare(_ body: [UInt8], _ options: MarkdownOptions) -> Bool {
  guard hasCommonForms(body) else { return false }
  let ours = Written(body, options, readsCommonForms: true)
  let cmarks = Written(body, options, readsCommonForms: false)
  #expect(ours == cmarks, "\(String(decoding: body, as: UTF8.self).debugDescription)")
  return true
}

/// What may stand in a body, marks above all.
private let pieces: [String] = [
  "a", "word", " ", "  ", "\n", "\n\n", "\t", "\r", "\r\n", "#", "# ", "-", "- ", "---", "+", "+ ",
  "=", "===", ">", "> ", "1", "1.", "1. ", "12)", "1234567890. ", "*", "_", "`", "[", "]", "(", ")",
  "!", "&", "&amp;", "<", "<b>", "\\", "~", "~~", "|", ":", "\"", "'", "@alice", "@", ".", ",",
  "https://example.com/a", "www.example.com", "你好", "。", "　", "\u{A0}", "\u{FEFF}", "é",
  "👍", "\u{0}", "\u{B}", "\u{C}", "\u{7F}", "\u{85}", "\u{2028}",
  String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self), "{", "}", "$", "%",
  "^", "/", ";", "?", "0", "9", "**", "***", "**a**", "*b*", "`c`", "``", "```", "[d](e)", "](",
  "[f]: g", "photo.jpg", "snake_case", "&c", "&x;", "mailto:", "?a=1&b=2",
]

/// What bodies of common forms are made of.
private let tamePieces: [String] = [
  "word ", "word", "你好", "\n", "\n\n", "1", "a-b", "x. ", "**two words** ", "*one* ", "`code()` ",
  "[text](https://example.com/a_b?c=d) ", "[pic](photo.jpg), ", " @alice ", "\n- item",
  "\n\n- item",
  "\n\n> quote", "\n> more", "\n\n```\nlet x = 1\n```\n", "\n```swift\n\n  <b> & `\n```\n\n",
  "https://example.com/1?a=1&b=2 ", "www.example.com/a_b ", "snake_case ", "a & b ", "R&D ", "! ",
  "**",
  "*", "`", "- ", "> ", "(**c**)", "**d**, ", "https://a.example/**e** ", "[https://b.example](c)",
]

@Test
func commonFormsAreWrittenAsCmarkReadsThem() {
  var random = Random(state: 0x5711_1FEE)
  var taken = 0
  for round in 0..<20_000 {
    // Three of four bodies are tame for the most part, so that many are of common forms.
    let isTame = round % 4 > 0
    var text = ""
    for _ in 0..<Int.random(in: 1...9, using: &random) {
      let some = isTame && Int.random(in: 0..<8, using: &random) > 0 ? tamePieces : pieces
      text += some.randomElement(using: &random) ?? ""
    }
    var options = MarkdownOptions(headingShift: 1, hardBreaks: round % 3 == 0)
    options.extensions = round % 5 != 0
    if compare(Array(text.utf8), options) { taken += 1 }
  }
  #expect(taken > 2000)
}

@Test
func examplesOfCommonMarkInCommonFormsAreWrittenAsCmarkReadsThem() throws {
  var taken = 0
  for example in try SpecificationExample.all() {
    if compare(example.markdown, MarkdownOptions()) { taken += 1 }
    if compare(example.markdown, .commonMark) { taken += 1 }
    for line in example.markdown.split(separator: 10) {
      _ = compare(Array(line), MarkdownOptions())
    }
  }
  #expect(taken > 50)
}

@Test(arguments: [
  "ok, see you at 10:30 - bring the \"blue\" folder!", "你好，今天下午三點見。", "a\nb\n\nc", "3 apples",
  "@alice look: https://example.com/a?b=c&d=e (nice)", "👍", "**very** much *so*",
  "run `make_all` & wait",
  "- milk\n- eggs\n\nsee [the list](https://example.com/list)", "> quoted\n> twice\n\nyes",
  "```swift\nlet x = 1 < 2\n```", "snake_case is one word\n",
])
func ordinaryMessagesAreOfCommonForms(_ text: String) {
  #expect(compare(Array(text.utf8), MarkdownOptions(headingShift: 1, hardBreaks: true)))
}

@Test(arguments: [
  "- a\nlazy", "- a\n\n- b", "- - a", "> a\nlazy", "> > a", "```\nopen", "```a b\n```", "# a",
  "a\n===",
  "1. a", "a\\", "a  \nb", "![a](b)", "[a](b \"c\")", "[a]: b", "a**b**", "** a**", "*a**",
  "***a***",
  "``a``", "` a`", "&amp;", "<b>", "~~a~~", "_a_", "\ta", "a\r\nb", "\u{FEFF}a", "*a.b*", "[a](a)",
])
func whatCmarkMustReadIsLeftToIt(_ text: String) {
  #expect(!hasCommonForms(Array(text.utf8)))
}

@Test
func onlyTheBodyRenderedLastHasItsText() {
  // An entry without a text is not rendered: what was found in the one before must not be taken for it.
  let text = Array("one two three".utf8)
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  _ = writer.render(text.span, options: MarkdownOptions(), links: KnownLinks(), into: &output)
  output.removeAll()
  for other in [0..<0, 0..<3, 4..<13, 13..<13] {
    let isTaken = writer.appendPlainText(
      ofRendered: text.span.extracting(other),
      limit: 160,
      into: &output
    )
    #expect(!isTaken && output.isEmpty)
  }
  #expect(writer.appendPlainText(ofRendered: text.span, limit: 160, into: &output))
  #expect(output.string == "one two three")
}

@Test
func whatShieldsStandForIsLeftToCmark() {
  #expect(hasCommonForms([0xEF, 0xB8, 0x8F]) && hasCommonForms([0xE9, 0xB7, 0x90]))
  #expect(!hasCommonForms([0xEF, 0xB7, 0x90]))
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
