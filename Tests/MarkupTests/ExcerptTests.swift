import Bytes
import Testing

@testable import Markup

private func excerpt(_ markdown: String, limit: Int = .max) -> String {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  let body = Array(markdown.utf8)
  writer.appendPlainText(of: body.span, limit: limit, into: &output)
  return output.string
}

@Test(arguments: [
  ("# A *b*\n\n- c\n- d `e`\n\n[f](g) ![h](i)", "A b c d e f h"),
  ("~~a~~ \\~~ https://x.example/_a_/b \\@c", "a ~~ https://x.example/_a_/b @c"),
  ("a\n b  \n\nc", "a b c"), ("plain text", "plain text"),
  ("a <!-- x -->b <i>c</i>", "a b <i>c</i>"),
  ("```swift\nlet a\n```\nb", "let a b"), ("", ""), ("&lt;b&gt;", "<b>"),
  ("~~[x ~~ y](z)~~ ![~~q~~](r)", "x ~~ y ~~q~~"),
])
func plainText(_ markdown: String, _ text: String) {
  #expect(excerpt(markdown) == text)
}

@Test(arguments: [
  ("one two three", 13, "one two three"), ("one two three", 9, "one two…"),
  ("one two three", 7, "one two…"), ("一二三四五六", 3, "一二三…"), ("一二三", 3, "一二三"),
  ("abcdefghijklmnopqrstuvwxyzabcdefgh", 30, "abcdefghijklmnopqrstuvwxyzabcd…"),
  ("👩‍👩‍👧", 2, "👩…"), ("*one* two three", 9, "one two…"), ("a", 0, "…"), ("", 0, ""),
])
func excerptIsCut(_ markdown: String, _ limit: Int, _ text: String) {
  #expect(excerpt(markdown, limit: limit) == text)
}

/// Text that is added at once, for which many bytes are looked at together, gives what its scalars
/// give one after another.
@Test
func textIsGatheredInAnyPortions() {
  let alphabet: [Unicode.Scalar] = [" ", " ", "\n", "\u{7F}", "é", "一", "😀", "\u{1}"]
  var random = SystemRandomNumberGenerator()
  for round in 0..<20_000 {
    var text = String.UnicodeScalarView()
    // Runs of letters between rare others.
    let rarity = [4, 12, 60].randomElement(using: &random) ?? 4
    for _ in 0..<Int.random(in: 0...120, using: &random) {
      let pick = Int.random(in: 0..<alphabet.count * rarity, using: &random)
      text.append(pick < alphabet.count ? alphabet[pick] : "x")
    }
    let limit = round % 2 == 0 ? .max : Int.random(in: 0...130, using: &random)
    func gather(_ portions: [[UInt8]]) -> (text: [UInt8], isFull: Bool) {
      var output = ByteBuffer()
      output.append("> ")
      var collector = TextCollector(limit: limit, output: output)
      for portion in portions {
        portion.withUnsafeBufferPointer { collector.add($0, to: &output) }
      }
      return (output.array, collector.isFull)
    }
    let whole = gather([Array(String(text).utf8)])
    let parts = gather(text.map { Array(String($0).utf8) })
    if whole != parts { Issue.record("\(limit): \(String(text).debugDescription)") }
  }
}

@Test
func excerptOfALongBodyLooksAtItsBeginning() {
  let body = "*Title* words\n\n" + String(repeating: "more **words** here\n", count: 400_000)
  var text = ""
  let time = processorTime { text = excerpt(body, limit: 20) }
  #expect(text == "Title words more…")
  #expect(time < 0.2)
}

@Test(arguments: [
  ("a\nb\r\nc\rd", "<p>a<br />\nb<br />\nc<br />\nd</p>\n"),
  ("a\n\n \nb\n", "<p>a</p>\n<p>b</p>\n"),
  (
    "*a* <b> ~~c~~ @alice",
    "<p>*a* &lt;b&gt; ~~c~~ <a class=\"mention\" href=\"../people/alice/\">@alice</a></p>\n"
  ),
  ("", ""), ("\n\n", ""),
])
func plainFormat(_ text: String, _ html: String) {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  let body = Array(text.utf8)
  _ = writer.renderPlain(
    body.span,
    options: MarkdownOptions(),
    links: KnownLinks(),
    into: &output
  )
  #expect(output.string == html)
}
