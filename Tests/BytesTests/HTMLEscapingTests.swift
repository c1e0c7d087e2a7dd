import Bytes
import Testing

@Suite
struct HTMLEscapingTests {
  private func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 16)
    buffer.appendEscaped(bytes.span)
    return buffer.array
  }

  /// The same by scalar, as slow and plain as can be.
  private func expected(_ text: String) -> [UInt8] {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }

  @Test
  func escapesEveryScalarBelow0x3000AtEveryPlaceInAWord() {
    for value in (0..<0x3000 as Range<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "\(String(repeating: "x", count: Int(value % 9)))\(scalar)yyyyyyyyy\(scalar)"
      if escaped(Array(text.utf8)) != expected(text) { Issue.record("\(value)") }
    }
  }

  @Test(arguments: [
    "\u{FFFD}\u{FFFE}\u{FFFF}\u{FF0C}\u{FB01}\u{1FFFF}",
    "\"\u{301}<\u{338}>\u{338}&\u{301}'\u{301}",
    "&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&", "", "<", "12345678", "1234567<", "12345678<", "\r\n\t",
    "𐀀\u{10FFFF}",
  ])
  func escapes(text: String) {
    #expect(escaped(Array(text.utf8)) == expected(text))
  }

  @Test
  func escapesRandomTextOfAnyLength() {
    var state: UInt64 = 3
    let alphabet: [Unicode.Scalar] = [
      "a", "b", " ", "<", "&", "\"", "'", ">", "é", "，", "\n", "\u{1}", "😀",
    ]
    for length in 0..<400 {
      var text = ""
      for _ in 0..<length {
        state = Fingerprint.mix(state, 0x9E)
        let pick = state % 64
        text.unicodeScalars.append(alphabet[pick < 13 ? Int(pick) : 0])
      }
      if escaped(Array(text.utf8)) != expected(text) { Issue.record("\(text)") }
    }
  }

  /// The last bytes of a text are read in words that overlap.
  @Test
  func keepsTheOrderOfTextsOfAnyLength() {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN".utf8)
    for length in 0...letters.count {
      #expect(escaped(Array(letters[..<length])) == Array(letters[..<length]))
      for place in 0..<length {
        var marked = Array(letters[..<length])
        marked[place] = UInt8(ascii: "<")
        let parts = [letters[..<place], ArraySlice("&lt;".utf8), letters[(place + 1)..<length]]
        #expect(escaped(marked) == Array(parts.joined()))
      }
    }
  }

  /// Parts of a text are escaped as if they stood alone: what is read behind them counts for nothing.
  @Test
  func partsOfAText() {
    for mark in [UInt8(ascii: "<"), 0x1F, 0xEF] {
      for place in 0..<70 {
        var text = [UInt8](repeating: UInt8(ascii: "x"), count: 70)
        text[place] = mark
        for start in [0, 1, 20, 37, 38, 39, 60, 70] {
          for end in start...text.count {
            var buffer = ByteBuffer(capacity: 16)
            buffer.appendEscaped(start..<end, of: text.span)
            buffer.append(UInt8(ascii: "."))
            let expected = escaped(Array(text[start..<end])) + [UInt8(ascii: ".")]
            if buffer.array != expected { Issue.record("\(mark) at \(place), \(start) to \(end)") }
          }
        }
      }
    }
  }

  @Test
  func illFormedEndsAreReadNoFurther() {
    #expect(escaped([0xEF]) == [0xEF])
    #expect(escaped([0xEF, 0xBF]) == [0xEF, 0xBF])
    #expect(escaped([0x61, 0xEF, 0xBF, 0xBF]) == [0x61, 0xEF, 0xBF, 0xBD])
  }

  /// Byte by byte, as plainly as it can be said.
  private func reference(_ text: [UInt8]) -> [UInt8] {
    text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: ">"): Array("&gt;".utf8)
      case UInt8(ascii: "\""): Array("&quot;".utf8)
      case UInt8(ascii: "'"): Array("&#39;".utf8)
      case 0x09, 0x0A, 0x0D: [byte]
      case 0..<0x20, 0x7F: Array("\u{FFFD}".utf8)
      default: [byte]
      }
    }
  }

  @Test
  func everyByteAtEveryPlaceInABlock() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<19 {
        var text = [UInt8](repeating: UInt8(ascii: "x"), count: 19)
        text[place] = byte
        #expect(escaped(text) == reference(text), "byte \(byte) at \(place)")
      }
      let run = [UInt8](repeating: byte, count: 16)
      #expect(escaped(run) == reference(run), "byte \(byte) repeated")
    }
  }

  @Test
  func neighboursInABlock() {
    let bytes: [UInt8] = [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x26, 0x27, 0x28, 0x3C, 0x3D, 0x3E]
    for first in bytes + [0x7E, 0x7F, 0x80, 0xFF] {
      for second in bytes + [0x7E, 0x7F, 0x80, 0xFF] {
        let text = [first, second, 0x61, second, first, 0x80, second, second, first]
        #expect(escaped(text) == reference(text), "bytes \(first), \(second)")
      }
    }
  }
}
