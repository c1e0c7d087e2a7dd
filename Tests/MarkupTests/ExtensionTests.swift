import Bytes
import Testing

@testable import Markup

private let rel = " rel=\"nofollow ugc noopener\""

/// A link to another site whose text is its URL.
private func link(_ url: String) -> String { "<a href=\"\(url)\"\(rel)>\(url)</a>" }

@Test(arguments: [
  ("see https://example.com/a.", "see \(link("https://example.com/a"))."),
  ("(https://example.com/a_(b))", "(\(link("https://example.com/a_(b)")))"),
  ("(https://example.com/a)", "(\(link("https://example.com/a")))"),
  ("[https://example.com/a]", "[\(link("https://example.com/a"))]"),
  ("**https://example.com/**", "<strong>\(link("https://example.com/"))</strong>"),
  ("https://example.com/_a_/__init__.py", link("https://example.com/_a_/__init__.py")),
  ("https://example.com/*a*", "\(link("https://example.com/*a"))*"),
  (
    "https://example.com/?a=1&b=2!",
    "<a href=\"https://example.com/?a=1&amp;b=2\"\(rel)>https://example.com/?a=1&amp;b=2</a>!"
  ),
  ("www.example.com/x", "<a href=\"http://www.example.com/x\"\(rel)>www.example.com/x</a>"),
  ("請看https://example.com/a。謝謝", "請看\(link("https://example.com/a"))。謝謝"),
  ("看https://example.com/a這裡", "看\(link("https://example.com/a"))這裡"),
  ("（https://example.com/a）", "（\(link("https://example.com/a"))）"),
  ("https://example.com/%E4%B8%AD、", "\(link("https://example.com/%E4%B8%AD"))、"),
  ("https://example.com에서", "\(link("https://example.com"))에서"),
  ("“https://example.com/”", "“\(link("https://example.com/"))”"),
  ("`https://example.com/`", "<code>https://example.com/</code>"),
  ("[a https://example.com/](/b)", "<a href=\"/b\">a https://example.com/</a>"),
  ("xhttp://example.com", "xhttp://example.com"),
  ("http://", "http://"), ("http://-", "http://-"), ("www.", "www."), ("http://.", "http://."),
  ("ftp://example.com javascript://example.com", "ftp://example.com javascript://example.com"),
  ("http://a_b.c_d", "http://a_b.c_d"),
  ("a@example.com", "a@example.com"),
  ("https://example.com:8080/a", link("https://example.com:8080/a")),
  ("HTTPS://EXAMPLE.COM", "<a href=\"HTTPS://EXAMPLE.COM\"\(rel)>HTTPS://EXAMPLE.COM</a>"),
  ("https://example.com/a&quot;b", "\(link("https://example.com/a"))&quot;b"),
])
func bareURL(_ markdown: String, _ inline: String) {
  #expect(rendered(markdown) == "<p>\(inline)</p>\n")
}

@Test
func longURLIsShortenedInTheMiddle() {
  let url = "https://example.com/" + String(repeating: "a", count: 50) + "/" + "z123456789.html"
  let html = rendered("x \(url) y <\(url)>")
  let shown = "https://example.com/" + String(repeating: "a", count: 22) + "…aaaa/z123456789.html"
  let link = "<a href=\"\(url)\"\(rel) title=\"\(url)\">\(shown)</a>"
  #expect(html == "<p>x \(link) y \(link)</p>\n")
}

@Test(arguments: [
  ("@alice", "<a class=\"mention\" href=\"../people/alice/\">@alice</a>"),
  ("hi @alice!", "hi <a class=\"mention\" href=\"../people/alice/\">@alice</a>!"),
  ("@alice.", "<a class=\"mention\" href=\"../people/alice/\">@alice</a>."),
  ("@bob.b, @bob", "<a class=\"mention\" href=\"../people/bob.b/\">@bob.b</a>, @bob"),
  ("@小明你好", "<a class=\"mention\" href=\"../people/%E5%B0%8F%E6%98%8E/\">@小明</a>你好"),
  ("你好@alice你好", "你好<a class=\"mention\" href=\"../people/alice/\">@alice</a>你好"),
  (
    "@山田-太郎さん",
    "<a class=\"mention\" href=\"../people/%E5%B1%B1%E7%94%B0-%E5%A4%AA%E9%83%8E/\">@山田-太郎</a>さん"
  ),
  ("x@alice é@alice @alicex @@alice /@alice", "x@alice é@alice @alicex @@alice /@alice"),
  ("\\@alice", "@alice"), ("`@alice`", "<code>@alice</code>"),
  ("*@alice*", "<em><a class=\"mention\" href=\"../people/alice/\">@alice</a></em>"),
  ("<a@alice>", "<a href=\"mailto:a@alice\">a@alice</a>"),
])
func mention(_ markdown: String, _ inline: String) {
  #expect(rendered(markdown, MarkdownOptions(), KnownLinks()) == "<p>\(inline)</p>\n")
}

@Test(arguments: [
  ("~~a~~", "<del>a</del>"), ("a~~b~~c", "a<del>b</del>c"),
  ("~~a *b* `c~~` d~~", "<del>a <em>b</em> <code>c~~</code> d</del>"),
  ("*~~a~~*", "<em><del>a</del></em>"), ("~~*a*~~", "<del><em>a</em></del>"),
  ("~~a\nb~~", "<del>a\nb</del>"), ("~~a\n\nb~~", "~~a</p>\n<p>b~~"),
  ("*a ~~b* c~~", "<em>a ~~b</em> c~~"), ("~~ a ~~", "~~ a ~~"), ("~a~", "~a~"),
  ("a ~~~b~~~", "a ~~~b~~~"), ("~~a", "~~a"), ("a~~", "a~~"), ("\\~~a~~", "~~a~~"),
  ("~~「甲」~~乙", "<del>「甲」</del>乙"), ("~~a~~ ~~b~~", "<del>a</del> <del>b</del>"),
  ("[~~a~~](/b)", "<a href=\"/b\"><del>a</del></a>"), ("[~~a](/b)~~", "<a href=\"/b\">~~a</a>~~"),
  ("~~https://example.com/~~", "<del>\(link("https://example.com/"))</del>"),
  ("![~~a~~](/b)", "<img src=\"/b\" alt=\"~~a~~\" loading=\"lazy\" decoding=\"async\" />"),
  ("`\\~~` \\~~", "<code>\\~~</code> ~~"),
  (
    "<https://example.com/~~a~~> ~~b~~",
    "<a href=\"https://example.com/~~a~~\"\(rel)>https://example.com/~~a~~</a> <del>b</del>"
  ),
])
func strikethrough(_ markdown: String, _ inline: String) {
  #expect(rendered(markdown) == "<p>\(inline)</p>\n")
}

@Test(arguments: [
  (
    "![a *b*](photo.jpg \"t\")",
    "<img src=\"../media/photo.jpg\" alt=\"a b\" title=\"t\" loading=\"lazy\" decoding=\"async\" />"
  ),
  (
    "![cat](https://example.com/cat.png)",
    "<a href=\"https://example.com/cat.png\"\(rel) class=\"image-link\">cat</a>"
  ),
  (
    "![](https://example.com/x/cat.png?w=1)",
    "<a href=\"https://example.com/x/cat.png?w=1\"\(rel) class=\"image-link\">cat.png</a>"
  ),
  (
    "[![cat](https://example.com/cat.png)](https://example.com/)",
    "<a href=\"https://example.com/\"\(rel)><span class=\"image-label\">cat</span></a>"
  ),
  ("![](gone.jpg)", "<span class=\"image-label\">gone.jpg</span>"),
  ("![x](data:image/png,x)", "<span class=\"image-label\">x</span>"),
  ("[x](gone.md)", "x"), ("[x](vscode://a) [y](//a.example)", "x y"),
  ("[x](https://chat.example/m/1)", "<a href=\"../channels/c/#m-1\">x</a>"),
  ("https://chat.example/m/1", "<a href=\"../channels/c/#m-1\">https://chat.example/m/1</a>"),
  ("a <b>c</b> <!--more-->d", "a &lt;b&gt;c&lt;/b&gt; d"),
  ("<‹Details…>>", "&lt;‹Details…&gt;&gt;"),
])
func linksAndImages(_ markdown: String, _ inline: String) {
  #expect(rendered(markdown, MarkdownOptions(), KnownLinks()) == "<p>\(inline)</p>\n")
}

@Test
func unresolvedLinksAreReported() {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  let body = Array("[a](gone.md) ![b](gone.jpg) [c](https://example.com/)".utf8)
  let outcome = writer.render(
    body.span,
    options: MarkdownOptions(),
    links: KnownLinks(),
    into: &output
  )
  #expect(outcome.unresolvedLinks == 2)
  #expect(writer.unresolved == [Array("gone.md".utf8), Array("gone.jpg".utf8)])
}

@Test
func lineBreaksAreKept() {
  #expect(
    rendered("# a\n\nc\nd", MarkdownOptions(headingShift: 2, hardBreaks: true))
      == "<h3>a</h3>\n<p>c<br />\nd</p>\n"
  )
}

/// The levels written, the level above the body, the levels in the page.
private let headingLevels: [([Int], Int, [Int])] = [
  ([1, 2, 3], 2, [3, 4, 5]), ([4], 1, [2]), ([1, 5, 5, 3], 2, [3, 4, 4, 4]),
  ([3, 2, 1, 2], 1, [2, 2, 2, 3]), ([2, 4, 3, 6, 4], 1, [2, 3, 3, 4, 4]),
  ([1, 2, 3, 4, 5, 6], 3, [4, 5, 6, 6, 6, 6]), ([6, 6], 6, [6, 6]), ([2, 5, 1], 0, [2, 5, 1]),
]

@Test(arguments: headingLevels)
func headingsSkipNoLevel(written: [Int], shift: Int, expected: [Int]) {
  let options = MarkdownOptions(headingShift: shift)
  let markdown = written.map { String(repeating: "#", count: $0) + " a\n\n" }.joined()
  let html = expected.map { "<h\($0)>a</h\($0)>\n" }.joined()
  #expect(rendered(markdown, options) == html)
  var sanitizer = HTMLSanitizer()
  var output = ByteBuffer()
  let source = Array(written.map { "<h\($0)>a</h\($0)>" }.joined().utf8)
  let outcome = sanitizer.render(
    source.span,
    options: options,
    links: UnchangedLinks(),
    into: &output
  )
  #expect(output.string == html)
  #expect(outcome.hasHeadings)
}

@Test
func forbiddenCharactersAreReplaced() {
  let body: [UInt8] = [
    0x61, 1, 0xC2, 0x85, 0xEF, 0xB7, 0x90, 0xEF, 0xBF, 0xBE, 0xF0, 0x9F, 0xBF, 0xBF, 0x62, 0x7F,
  ]
  #expect(rendered(body) == "<p>a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}</p>\n")
}
