import Bytes
import JSON
import Markup
import Mustache

func fuzzMarkdown(_ input: UnsafeBufferPointer<UInt8>) {
  let text = UnicodeText.repaired(Array(input).span)
  var writer = MarkdownWriter()
  for hardBreaks in [false, true] {
    var output = ByteBuffer()
    _ = writer.render(
      text.span,
      options: MarkdownOptions(headingShift: 2, hardBreaks: hardBreaks),
      links: UnchangedLinks(),
      into: &output
    )
    check(output.bytes)
    checkExcerpts(of: text.span, &writer)
  }
}

/// What rendering found of a body and what reading it anew gives are one text.
private func checkExcerpts(of text: Span<UInt8>, _ writer: inout MarkdownWriter) {
  for limit in [160, 20] {
    var taken = ByteBuffer()
    guard writer.appendPlainText(ofRendered: text, limit: limit, into: &taken) else { return }
    var other = MarkdownWriter()
    var read = ByteBuffer()
    other.appendPlainText(of: text, limit: limit, into: &read)
    must(taken.array == read.array, "one text")
    must(UnicodeText.isValidUTF8(taken.bytes), "UTF-8")
  }
}

func fuzzHTML(_ input: UnsafeBufferPointer<UInt8>) {
  let text = UnicodeText.repaired(Array(input).span)
  var sanitizer = HTMLSanitizer()
  var output = ByteBuffer()
  _ = sanitizer.render(
    text.span,
    options: MarkdownOptions(headingShift: 2),
    links: UnchangedLinks(),
    into: &output
  )
  check(output.bytes)
}

/// Valid UTF-8 in which no element of danger begins.
private func check(_ html: Span<UInt8>) {
  must(UnicodeText.isValidUTF8(html), "UTF-8")
  let names = [
    "<script", "<style", "<iframe", "<object", "<svg", "<math", "<form", "<base", "<meta", "<link",
  ]
  .map { Array($0.utf8) }
  html.withUnsafeBufferPointer { html in
    for index in html.indices where html[index] == UInt8(ascii: "<") {
      for name in names where html.count - index >= name.count {
        must(!html[index..<(index + name.count)].elementsEqual(name), "no element of danger")
      }
    }
  }
}

/// Compiles the input as a template, and as partial and parent of another; renders both.
///
/// Sections over a list within each other go through it as many times over: that is what such a
/// template says, and takes exponential time in any Mustache, so that only some may stand in one.
func fuzzMustache(_ input: UnsafeBufferPointer<UInt8>) {
  if input.count(where: { $0 == UInt8(ascii: "#") }) > 8 { return }
  var keys = KeyTable()
  var errors: [TemplateError] = []
  let sources = [
    TemplateSource(name: "page", path: "page.mustache", bytes: Array(input)),
    TemplateSource(
      name: "outer",
      path: "outer.mustache",
      bytes: Array("{{>page}}{{<page}}{{$block}}x{{/block}}{{/page}}{{>*name}}".utf8)
    ),
  ]
  let set = TemplateSet(sources, documented: nil, keys: &keys, errors: &errors)
  let data = sample(&keys)
  var renderer = Renderer(set)
  for name in ["page", "outer"] {
    guard let template = set.template(named: name) else { continue }
    var output = ByteBuffer()
    try? renderer.render(template, page: data, shared: data, into: &output)
    // What the page before left behind must not show.
    var fresh = Renderer(set)
    var again = ByteBuffer()
    try? fresh.render(template, page: data, shared: data, into: &again)
    must(output.array == again.array, "one page")
    _ = set.fingerprint(of: template)
  }
}

private func sample(_ keys: inout KeyTable) -> TemplateData {
  let names = ["a", "b", "list", "flag", "name", "item"].map { keys.intern($0) }
  var data = TemplateData()
  data.beginObject()
  data.set(names[0], "<a & b>")
  data.set(names[1], 7)
  data.beginArray(names[2])
  for number in 0..<3 {
    data.beginObject()
    data.set(names[5], number)
    data.endObject()
  }
  data.endArray()
  data.set(names[3], true)
  data.set(names[4], "page")
  data.endObject()
  return data
}
