import Bytes
import JSON
import Testing

@testable import Markup

/// All payloads of the corpus, also those of several lines.
private func payloads() throws -> [[UInt8]] {
  var payloads: [[UInt8]] = []
  let lines = try Fixture.bytes("markup-hostile/payloads.jsonl")
  var parser = JSONParser()
  for line in lines.split(separator: 10) {
    let value = try parser.parse(Array(line).span)
    payloads.append(try #require(value["payload"]?.text?.array))
  }
  try Fixture.json("markup-hostile/multiline.json") { root in
    for value in root.elements { payloads.append(try #require(value.text?.array)) }
  }
  return payloads
}

private func wrapped(_ before: String, _ payload: [UInt8], _ after: String) -> [UInt8] {
  Array(before.utf8) + payload + Array(after.utf8)
}

@Test
func payloadsInMarkdownStayText() throws {
  let payloads = try payloads()
  #expect(payloads.count == 475)
  let forms: [(String, String)] = [
    ("", ""), ("[x](", ")"), ("[x](<", ">)"), ("![x](", ")"), ("![", "](x.png)"), ("<", ">"),
    ("[x](/a \"", "\")"), ("[x](/a '", "')"), ("`", "`"), ("```", "\nx\n```"), ("    ", ""),
    ("[", "](/a)"), ("[x]\n\n[x]: ", ""), ("[x]\n\n[x]: /a \"", "\""), ("# ", ""), ("> ", ""),
    ("- ", ""), ("~~", "~~"), ("https://example.com/", ""), ("www.example.com/", ""), ("@", ""),
    ("<div>\n", "\n</div>"), ("\\@", "\\~https://example.com/_a_"),
  ]
  for payload in payloads {
    for (before, after) in forms {
      let body = wrapped(before, payload, after)
      let options = MarkdownOptions(headingShift: 2, hardBreaks: true)
      for html in [rendered(body, options), rendered(body, options, KnownLinks())] {
        let faults = StrictHTML.faults(of: html)
        #expect(faults.isEmpty, "\(String(decoding: body, as: UTF8.self)) → \(html)")
      }
    }
  }
}

@Test
func payloadsInPlainTextStayText() throws {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  for payload in try payloads() {
    output.removeAll()
    _ = writer.renderPlain(
      payload.span,
      options: MarkdownOptions(),
      links: UnchangedLinks(),
      into: &output
    )
    #expect(StrictHTML.faults(of: output.string).isEmpty, "\(output.string)")
  }
}

@Test
func payloadsInHTMLAreHarmless() throws {
  let forms: [(String, String)] = [
    ("", ""), ("<p>", "</p>"), ("<a href=\"", "\">x</a>"), ("<a href='", "'>x</a>"),
    ("<a href=", ">x</a>"), ("<img src=\"", "\">"), ("<img alt=\"", "\" src=x.png>"),
    ("<iframe src=\"", "\"></iframe>"), ("<table><tr><td>", "</table>"), ("<ul>", "</ul>"),
    ("<svg>", "</svg>"), ("<math>", "</math>"), ("<select>", "</select>"), ("<h1>", "</h1>"),
    ("<textarea>", "</textarea>"), ("<pre>", "</pre>"), ("<p title=\"", "\">x</p>"),
    ("<b><i>", "</b></i>"), ("<code class=\"language-", "\">x</code>"), ("<!--", "-->"),
    ("<noscript>", "</noscript>"), ("<template>", "</template>"), ("<style>", "</style>"),
    ("<title>", "</title>"), ("<td>", "</td>"), ("<dl>", "</dl>"), ("<video src=\"", "\">"),
  ]
  for payload in try payloads() {
    for (before, after) in forms {
      let body = wrapped(before, payload, after)
      for html in [sanitized(body), sanitized(body, KnownLinks())] {
        let faults = StrictHTML.faults(of: html)
        #expect(faults.isEmpty, "\(String(decoding: body, as: UTF8.self)) → \(html) \(faults)")
      }
    }
  }
}

/// Tags in any order must give output that nests.
@Test
func anySoupNests() {
  let names = [
    "p", "div", "b", "i", "a", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th",
    "caption", "tbody", "h1", "h3", "pre", "blockquote", "figure", "figcaption", "br", "hr", "img",
    "span", "form", "button", "select", "option", "svg", "math", "mi", "ruby", "rt", "code", "q",
    "details", "summary", "object", "center", "font", "nobr", "textarea", "script", "title",
  ]
  var random = Random(state: 0xB01D_FACE)
  for _ in 0..<6000 {
    var html = ""
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      let name = names.randomElement(using: &random) ?? "p"
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3: html += "<\(name) href=\"x\" src=\"https://a.example/b\" colspan=3 id=q dir=rtl>"
      case 4...5: html += "</\(name)>"
      case 6: html += " "
      default: html += "text"
      }
    }
    let output = sanitized(Array(html.utf8))
    let faults = StrictHTML.faults(of: output)
    #expect(faults.isEmpty, "\(html) → \(output) \(faults)")
    if !faults.isEmpty { return }
  }
}

@Test
func anyMarkdownNests() {
  let pieces = [
    "*", "**", "_", "`", "[", "](x)", "](https://a.example)", "![", "~~", "<b>", "</b>", "<!--",
    "-->",
    "<div>", "\n", "\n\n", "- ", "> ", "1. ", "# ", "```", "https://example.com/_a_", "@alice",
    "@小明",
    "www.a.example/~~b~~", "a", " ", "\\", "&amp;", "\"", "'", "|", "    ",
    "<https://a.example/~~>",
    "(", ")", "~", "=", "---",
  ]
  var random = Random(state: 0x0DDB_A115)
  for _ in 0..<20_000 {
    var text = ""
    for _ in 0..<Int.random(in: 1...14, using: &random) {
      text += pieces.randomElement(using: &random) ?? ""
    }
    let html = rendered(text, MarkdownOptions(headingShift: 2), KnownLinks())
    let faults = StrictHTML.faults(of: html)
    #expect(faults.isEmpty, "\(text) → \(html) \(faults)")
    if !faults.isEmpty { return }
  }
}
