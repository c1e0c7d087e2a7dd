import Bytes
import Testing

@testable import Markup

/// Sanitizes an HTML body.
func sanitized(_ html: [UInt8], _ links: some LinkResolver = UnchangedLinks()) -> String {
  var sanitizer = HTMLSanitizer()
  var output = ByteBuffer()
  let options = MarkdownOptions(headingShift: 2)
  _ = sanitizer.render(html.span, options: options, links: links, into: &output)
  return output.string
}

private let rel = " rel=\"nofollow ugc noopener\""

@Test(arguments: [
  ("plain", "<p>plain</p>\n"), ("<p>a</p>\n<p>b</p>", "<p>a</p>\n<p>b</p>\n"),
  ("a<br>b", "<p>a<br />\nb</p>\n"), ("<h1>a</h1><h6>b</h6>", "<h3>a</h3>\n<h4>b</h4>\n"),
  ("<b>a <i>b</b> c</i>", "<p><b>a <i>b</i></b><i> c</i></p>\n"),
  (
    "<a href='https://example.com/' onclick=x style=y>a</a>",
    "<p><a href=\"https://example.com/\"\(rel)>a</a></p>\n"
  ),
  ("<a href='javascript:x'>a</a><a name=b>c</a>", "<p>ac</p>\n"),
  ("<script>x</script><style>y</style>a<template>z</template>", "<p>a</p>\n"),
  ("<blink>a</blink> <font color=red>b</font>", "<p>a b</p>\n"),
  ("<ul>a<li>b</ul>", "<ul><li>a</li>\n<li>b</li>\n</ul>\n"),
  ("<li>a<li>b", "<div>a</div>\n<div>b</div>\n"),
  (
    "<table><tr><td colspan=2 bgcolor=red>a</table>",
    "<table><tbody><tr><td colspan=\"2\">a</td>\n</tr>\n</tbody>\n</table>\n"
  ),
  ("<p>a<button><p>b</button>", "<p>a</p>\n<p>b</p>\n"),
  ("<b><p>a</p></b>", "<p><b>a</b></p>\n"),
  ("<a href=x><div>a</div></a>", "<div><a href=\"x\">a</a></div>\n"),
  ("<h2>a<div>b</div></h2>", "<h3>a<br />\nb</h3>\n"),
  (
    "<table><tr><th><h1>a</h1></table><h4>b</h4>",
    "<table><tbody><tr><th><div>a</div>\n</th>\n</tr>\n</tbody>\n</table>\n<h3>b</h3>\n"
  ),
  (
    "<img src=https://example.com/a.png alt=cat>",
    "<p><a href=\"https://example.com/a.png\"\(rel) class=\"image-link\">cat</a></p>\n"
  ),
  (
    "<img src=a.png alt='\"' width=10 height=20px>",
    "<p><img src=\"a.png\" alt=\"&quot;\" width=\"10\" height=\"20\" loading=\"lazy\" decoding=\"async\" /></p>\n"
  ),
  ("<img src=https://example.com/t.gif width=1 height=1>", ""),
  (
    "<iframe src='https://video.example/1'></iframe>",
    "<p><a href=\"https://video.example/1\"\(rel) class=\"embed-link\">https://video.example/1</a></p>\n"
  ),
  ("<pre>\n\na\n b</pre>", "<pre>\n\na\n b</pre>\n"),
  (
    "<pre><code class='x language-c'>a</code></pre>",
    "<pre><code class=\"language-c\">a</code></pre>\n"
  ),
  (
    "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>",
    "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>\n"
  ),
  ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt>\n<dd>b</dd>\n</dl>\n"),
  ("<details><summary>a</summary>b</details>", "<div><p>a</p>\nb</div>\n"),
  ("<svg><text>a</text></svg><math><mi>b</mi></math>", "<p>b</p>\n"), ("", ""),
  ("<p></p> ", "<p></p>\n"),
  ("a<hr>b", "<p>a</p>\n<hr />\n<p>b</p>\n"), ("&lt;script&gt;", "<p>&lt;script&gt;</p>\n"),
  ("<ol start=5 type=a><li>x</ol>", "<ol start=\"5\"><li>x</li>\n</ol>\n"),
  ("<p dir=RTL>a", "<p dir=\"rtl\">a</p>\n"),
])
func allowList(_ html: String, _ output: String) {
  #expect(sanitized(Array(html.utf8)) == output)
}

@Test
func linksOfHTMLAreResolved() {
  let html = "<a href=https://chat.example/m/1>a</a> <a href=gone>b</a> <img src=photo.jpg>"
  var sanitizer = HTMLSanitizer()
  var output = ByteBuffer()
  let outcome = sanitizer.render(
    Array(html.utf8).span,
    options: MarkdownOptions(),
    links: KnownLinks(),
    into: &output
  )
  #expect(
    output.string == "<p><a href=\"../channels/c/#m-1\">a</a> b "
      + "<img src=\"../media/photo.jpg\" alt=\"\" loading=\"lazy\" decoding=\"async\" /></p>\n"
  )
  #expect(outcome.unresolvedLinks == 1)
  #expect(sanitizer.unresolved == [Array("gone".utf8)])
}

@Test(arguments: [
  ("<p>a <b>b</b></p><p>c<br>d</p>", Int.max, "a b c d"),
  ("<script>x</script>a&amp;b", Int.max, "a&b"),
  ("<p>one two three", 7, "one two…"), ("<img src=x alt=cat><style>y</style>", Int.max, "cat"),
])
func plainTextOfHTML(_ html: String, _ limit: Int, _ text: String) {
  var sanitizer = HTMLSanitizer()
  var output = ByteBuffer()
  sanitizer.appendPlainText(of: Array(html.utf8).span, limit: limit, into: &output)
  #expect(output.string == text)
}

@Test(arguments: [
  (String(repeating: "<div>", count: 20_000), true),
  (
    "<p>" + (0..<16).map { "<b id=\($0)>" }.joined() + String(repeating: "<p>x", count: 40_000),
    true
  ),
  (String(repeating: "<b>", count: 20_000), true),
  (String(repeating: "<b><p>", count: 20_000), true),
  ((0..<5000).map { "<b id=\($0)>" }.joined() + String(repeating: "<p>x", count: 5000), true),
  (String(repeating: "<b><div></b>", count: 20_000), true),
  ("<a" + (0..<20_000).map { " b\($0)" }.joined() + ">", true),
  (String(repeating: "<form><div></form>", count: 9000), true),
  (String(repeating: "<div><textarea></div></textarea>", count: 9000), true),
  (String(repeating: "<li><blockquote>", count: 9000), true),
  (String(repeating: "<table><td>", count: 9000), true),
  (String(repeating: "<", count: 1_000_000), false),
  (String(repeating: "<p title=\"</div>\">a<i>b</i>\n", count: 9000), false),
  (String(repeating: "<li>a", count: 9000), false),
  (String(repeating: "<tr><td>a<td>b", count: 9000), false),
  (
    String(repeating: "<p>a<br>b</p><!-- x --><ul><li>c<li><a href=x>d</a></ul>", count: 5000),
    false
  ),
  (String(repeating: "x", count: 3 << 20), true),
])
func costOfHTMLIsBounded(_ html: String, _ isPlain: Bool) {
  var sanitizer = HTMLSanitizer()
  var output = ByteBuffer()
  let body = Array(html.utf8)
  var outcome = MarkupOutcome()
  let time = processorTime {
    outcome = sanitizer.render(
      body.span,
      options: MarkdownOptions(),
      links: UnchangedLinks(),
      into: &output
    )
  }
  #expect(outcome.isRendered != isPlain, "\(html.prefix(40))")
  #expect(time < 20, "\(html.prefix(40))")
  #expect(StrictHTML.faults(of: output.string).isEmpty)
}
