import Bytes
import Testing

@testable import Markup

@Test(arguments: [
  ("a *b* **c**", "<p>a <em>b</em> <strong>c</strong></p>\n"),
  ("[x](javascript:alert(1))", "<p>x</p>\n"),
  (
    "[x](https://example.com/)",
    "<p><a href=\"https://example.com/\" rel=\"nofollow ugc noopener\">x</a></p>\n"
  ),
  (
    "![a](b.png)",
    "<p><img src=\"b.png\" alt=\"a\" loading=\"lazy\" decoding=\"async\" /></p>\n"
  ),
  (
    "```swift\nlet a = \"<\"\n```",
    "<pre><code class=\"language-swift\">let a = &quot;&lt;&quot;\n</code></pre>\n"
  ),
])
func basics(_ markdown: String, _ html: String) {
  #expect(rendered(markdown) == html)
}
