import Bytes
import Testing

@testable import JSON

@Suite("Strings as they are written")
struct StringTests {
  private func unescaped(_ raw: String) -> String? {
    var output = ByteBuffer()
    let isValid = Array(raw.utf8).withUnsafeBufferPointer {
      JSONString.unescape($0, into: &output)
    }
    return isValid ? output.string : nil
  }

  private func range(of text: String, in json: String) -> Range<Int>? {
    var scratch = ByteBuffer()
    return Array(text.utf8).withUnsafeBufferPointer { text in
      Array(json.utf8).withUnsafeBufferPointer { json in
        JSONString.range(of: text, in: json, scratch: &scratch)
      }
    }
  }

  @Test(
    "Escapes",
    arguments: [
      (#"plain"#, "plain"), (#"a\nb\t\"c\"\\ \/ \r\b\f"#, "a\nb\t\"c\"\\ / \r\u{8}\u{C}"),
      (#"\u00e9\u4E2D\ud83d\ude00!"#, "é中😀!"), ("中文", "中文"), ("", ""), (#"\u0000"#, "\0"),
      (#"\"#, nil), (#"a\x"#, nil), (#"\u12"#, nil), (#"\u12g4"#, nil), (#"\ud83d"#, nil),
      (#"\ud83d\n"#, nil), (#"\ude00\ud83d"#, nil), (#"\ud83d\u0041"#, nil),
    ] as [(String, String?)]
  )
  func escapes(_ raw: String, _ meaning: String?) {
    #expect(unescaped(raw) == meaning)
  }

  @Test("The place of a text in a record")
  func places() {
    let json = #"{"id":"7","name":"hello","body":"hello\nworld","x":""}"#
    #expect(range(of: "hello\nworld", in: json) == 33..<45)
    #expect(range(of: "hello", in: json) == 18..<23)
    #expect(range(of: "world", in: json) == nil)
    #expect(range(of: "hello\nworld!", in: json) == nil)
    #expect(range(of: "7", in: json) == 7..<8)
    #expect(range(of: "a", in: #"{"b":"a"}"#) == 6..<7)
    #expect(range(of: #"say "hi""#, in: #"{"a":"say \"hi\""}"#) == 6..<16)
    #expect(range(of: #"ends with \"#, in: #"{"a":"ends with \\"}"#) == 6..<18)
    #expect(range(of: "open", in: #"{"a":"open"#) == nil)
  }

  /// What is found means the text, as the parser reads it, for texts of every kind of character.
  @Test("Random texts")
  func random() throws {
    var random = Random(state: 7)
    let scalars: [Unicode.Scalar] = ["a", "b", "\"", "\\", "/", "\n", "\u{1}", "é", "中", "😀", "'"]
    var found = 0
    for _ in 0..<3000 {
      let length = Int.random(in: 1...12, using: &random)
      var text = ""
      var json = #"{"a":"b","body":""#
      for _ in 0..<length {
        let scalar = scalars[Int.random(in: 0..<scalars.count, using: &random)]
        text.unicodeScalars.append(scalar)
        json += escaped(scalar, Bool.random(using: &random))
      }
      json += #"","c":"d"}"#
      var parser = JSONParser()
      try parser.parse(Array(json.utf8).span)
      #expect(parser.root["body"]?.text?.string == text)
      guard let range = range(of: text, in: json) else { continue }
      found += 1
      let raw = String(decoding: Array(json.utf8)[range], as: UTF8.self)
      #expect(unescaped(raw) == text, "\(json)")
    }
    #expect(found > 500)
  }

  private func escaped(_ scalar: Unicode.Scalar, _ isNumber: Bool) -> String {
    if isNumber || scalar.value < 0x20 {
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
    return scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
  }
}
