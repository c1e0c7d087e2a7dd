import Bytes
import Testing

@testable import Mustache

@Suite
struct TemplateDataTests {
  @Test
  func writesJSONInTheOrderSet() {
    var keys = KeyTable()
    let (title, tags, empty) = (keys.intern("title"), keys.intern("tags"), keys.intern("é\u{1}"))
    var data = TemplateData()
    for _ in 0..<2 {
      data.removeAll()
      data.beginObject()
      data.set(title, "A \"b\"\n\u{2}<é>" as String)
      data.beginArray(tags)
      data.set(nil, 7)
      data.set(nil, true)
      data.beginObject()
      data.endObject()
      data.endArray()
      data.beginArray(empty)
      data.endArray()
      data.set(title, false)
      data.endObject()
    }
    var json = ByteBuffer()
    data.writeJSON(keys: keys, into: &json)
    #expect(
      json.string == """
        {
          "title": "A \\"b\\"\\n\\u0002<é>",
          "tags": [
            7,
            true,
            {}
          ],
          "é\\u0001": [],
          "title": false
        }

        """
    )
  }

  /// Texts are written the same whether it was noted that nothing has to be escaped in them or not.
  @Test
  func plainTextsAreNoted() throws {
    var keys = KeyTable()
    var errors: [TemplateError] = []
    let texts = [
      "", "plain é 😀", "a<b", "line\nend", "\u{FFFE}", "long enough for more <than a block>",
    ]
    let template = texts.indices.map { "{{k\($0)}}{{{k\($0)}}}{{#k\($0)}}.{{/k\($0)}}" }.joined()
    let set = TemplateSet([TemplateSource("main", template)], keys: &keys, errors: &errors)
    let main = try #require(set.template(named: "main"))
    var data = TemplateData()
    data.beginObject()
    for (index, text) in texts.enumerated() { data.set(keys.intern("k\(index)"), text) }
    data.endObject()
    var outputs: [String] = []
    var renderer = Renderer(set)
    for _ in 0..<2 {
      var output = ByteBuffer()
      try renderer.render(main, page: data, shared: TemplateData(), into: &output)
      outputs.append(output.string)
      data.notePlainTexts()
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].contains("a&lt;ba<b."))
    let kinds = (1...texts.count).map { data.nodes[$0].kind }
    #expect(kinds == [.plain, .plain, .text, .text, .text, .text])
  }

  struct Refused: Error {}

  @Test
  func writeIsAllOrNothing() throws {
    var keys = KeyTable()
    let key = keys.intern("body")
    var data = TemplateData()
    data.beginObject()
    data.write(key) { $0.append("kept") }
    do throws(Refused) {
      try data.write(key) { (buffer: inout ByteBuffer) throws(Refused) in
        buffer.append("lost")
        throw Refused()
      }
      Issue.record("write swallowed the error")
    } catch {}
    data.set(nil, bytes: [0x78].span)
    data.endObject()
    let text = data.text.string
    let root = data.nodes[0]
    #expect(text == "keptx")
    #expect(data.nodes.count == 3 && root.place == 3)
  }

  @Test
  func plainTextIsTextThatTemplatesWriteAsItIs() {
    var keys = KeyTable()
    let (plain, empty) = (keys.intern("plain"), keys.intern("empty"))
    var errors: [TemplateError] = []
    let source = TemplateSource(
      "main",
      "{{plain}} {{{plain}}}{{#plain}} yes{{/plain}}{{^empty}} none{{/empty}}{{#empty}} no{{/empty}}"
    )
    var renderer = Renderer(TemplateSet([source], keys: &keys, errors: &errors))
    var data = TemplateData()
    data.beginObject()
    data.writePlain(plain) { $0.append("a/%20b") }
    data.writePlain(empty) { _ in }
    data.endObject()
    var output = ByteBuffer()
    if let template = renderer.template(named: "main") {
      #expect(throws: Never.self) {
        try renderer.render(template, page: data, shared: TemplateData(), into: &output)
      }
    }
    #expect(output.string == "a/%20b a/%20b yes none" && errors.isEmpty)
    output.removeAll()
    data.writeJSON(keys: keys, into: &output)
    #expect(output.string == "{\n  \"plain\": \"a/%20b\",\n  \"empty\": \"\"\n}\n")
  }

  @Test("members copied from another tape are as if each were set anew")
  func membersOfAnother() throws {
    var keys = KeyTable()
    let (name, hue, own) = (keys.intern("name"), keys.intern("hue"), keys.intern("own"))
    let (author, url) = (keys.intern("author"), keys.intern("url"))
    var members = TemplateData(values: 1, bytes: 1)
    members.beginObject()
    members.set(name, "<Ada>" as String)
    members.set(hue, 7)
    members.set(own, true)
    members.writePlain(url) { $0.append("people/ada/") }
    members.endObject()
    var data = TemplateData()
    data.beginObject()
    data.set(name, "outer" as String)
    for _ in 0..<2 {
      data.beginObject(author)
      data.setMembers(of: members)
      data.set(keys.intern("count"), 2)
      data.endObject()
    }
    data.endObject()
    var output = ByteBuffer()
    data.writeJSON(keys: keys, into: &output)
    let object =
      #"{"name":"<Ada>","hue":7,"own":true,"url":"people/ada/","count":2}"#
    let expected = #"{"name":"outer","author":\#(object),"author":\#(object)}"#
    #expect(output.string.filter { !$0.isWhitespace } == expected)
    var errors: [TemplateError] = []
    let source = TemplateSource(
      "main",
      "{{name}}{{#author}} {{name}} {{hue}} {{#own}}me{{/own}} {{url}} {{count}}{{/author}}"
    )
    var renderer = Renderer(TemplateSet([source], keys: &keys, errors: &errors))
    let main = renderer.template(named: "main")
    let template = try #require(main)
    output.removeAll()
    try renderer.render(template, page: data, shared: TemplateData(), into: &output)
    #expect(output.string == "outer &lt;Ada&gt; 7 me people/ada/ 2")
  }

  @Test
  func nodesAreSixteenBytes() {
    #expect(MemoryLayout<TemplateData.Node>.stride == 16)
  }

  @Test
  func keysAreBytes() {
    var keys = KeyTable()
    let composed = keys.intern("\u{E9}")
    let decomposed = keys.intern("e\u{301}")
    #expect(composed != decomposed)
    #expect(keys.intern("\u{E9}") == composed)
    #expect(keys.key(named: "e\u{301}") == decomposed)
    #expect(keys.key(named: "x") == nil)
    #expect(Array(keys.name(of: composed).utf8) == [0xC3, 0xA9])
  }

  @Test
  func aFullTableDoesNotTrap() {
    var keys = KeyTable()
    for number in 0..<KeyTable.capacity { _ = keys.intern("k\(number)") }
    #expect(keys.isFull)
    #expect(keys.intern("one more").rawValue == KeyID.overflow)
    #expect(keys.intern("k7") == keys.key(named: "k7"))
    #expect(keys.name(of: keys.intern("one more")) == "")
  }
}
