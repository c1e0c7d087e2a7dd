import Bytes
import JSON

/// What can be saved of YAML that cannot be read: `key: value` lines at the left margin, the values
/// taken as they stand.
enum LooseYAML {
  static func writeJSON(
    _ yaml: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) -> Bool {
    var position = 0
    var isFirst = true
    var keys: [[UInt8]] = []
    output.append(UInt8(ascii: "{"))
    while position < yaml.count {
      let line = FrontMatter.line(yaml, from: position)
      position = line.end
      let slice = yaml[line.text]
      guard let first = slice.first, !isBlankByte(first), let key = FrontMatter.headerKey(slice)
      else { continue }
      var value = UnsafeBufferPointer(rebasing: slice[(key.endIndex + 1)...]).trimmed
      if value.count >= 2, let mark = value.first, mark == value.last, mark == 0x22 || mark == 0x27
      {
        value = UnsafeBufferPointer(rebasing: value[1..<(value.count - 1)])
      }
      guard let opening = value.first, opening != UInt8(ascii: "["), opening != UInt8(ascii: "{"),
        opening != UInt8(ascii: "&"), opening != UInt8(ascii: "|"), opening != UInt8(ascii: ">"),
        !keys.contains(where: { $0.elementsEqual(key) })
      else { continue }
      keys.append(Array(key))
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output.appendJSON(string: UnsafeBufferPointer(rebasing: key))
      output.append(UInt8(ascii: ":"))
      output.appendJSON(string: value)
      if keys.count >= 100 { break }
    }
    output.append(UInt8(ascii: "}"))
    return !isFirst
  }
}

/// The constants of script front matter that are plain values: `const draft = true;`.
enum ScriptValues {
  static func writeJSON(
    _ script: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) -> Bool {
    var position = 0
    var isFirst = true
    output.append(UInt8(ascii: "{"))
    while position < script.count {
      let line = FrontMatter.line(script, from: position)
      position = line.end
      let text = UnsafeBufferPointer(rebasing: script[line.text]).trimmed
      let words = text.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard words.count == 4, words[0].elementsEqual("const".utf8),
        words[2].elementsEqual("=".utf8)
      else { continue }
      var value = UnsafeBufferPointer(rebasing: words[3]).trimmed
      if value.last == UInt8(ascii: ";") {
        value = UnsafeBufferPointer(rebasing: value[..<(value.count - 1)]).trimmed
      }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output.appendJSON(string: UnsafeBufferPointer(rebasing: words[1]))
      output.append(UInt8(ascii: ":"))
      if let mark = value.first, value.count >= 2, mark == value.last, "\"'`".utf8.contains(mark) {
        output.appendJSON(string: UnsafeBufferPointer(rebasing: value[1..<(value.count - 1)]))
      } else if value.equalsIgnoringCase("true") {
        output.append("true")
      } else if value.equalsIgnoringCase("false") {
        output.append("false")
      } else {
        output.appendJSON(string: value)
      }
    }
    output.append(UInt8(ascii: "}"))
    return !isFirst
  }
}
