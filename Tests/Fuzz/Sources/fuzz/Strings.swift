import Bytes
import JSON

/// What is read from between the quotes is what the parser reads, wherever it is found.
func fuzzStrings(_ input: UnsafeBufferPointer<UInt8>) {
  var parser = JSONParser()
  checkUnescaping(input, &parser)
  guard let root = try? parser.parse(input) else { return }
  var scratch = ByteBuffer()
  var open = [root]
  var values = 0
  while let value = open.popLast(), values < 1000 {
    values += 1
    switch value.kind {
    case .object:
      for member in value.members {
        open.append(member.value)
        checkPlace(of: member.key, in: input, &scratch)
      }
    case .array: for element in value.elements { open.append(element) }
    default: if let text = value.text { checkPlace(of: text, in: input, &scratch) }
    }
  }
}

/// The input as the inside of a string: either both understand it, and alike, or the parser doesn't.
///
/// The parser is stricter: control characters, a quote, and text that isn't UTF-8 are no string.
private func checkUnescaping(_ raw: UnsafeBufferPointer<UInt8>, _ parser: inout JSONParser) {
  var output = ByteBuffer()
  let isUnderstood = JSONString.unescape(raw, into: &output)
  must(output.count <= raw.count, "nothing means more than it is long")
  let quote = [UInt8(ascii: "\"")]
  guard let value = try? parser.parse((quote + raw + quote).span), let text = value.text else {
    return
  }
  must(isUnderstood, "what the parser reads is understood")
  must(output.array.elementsEqual(text.buffer), "as the parser reads it")
}

/// Where a text is found, it stands.
private func checkPlace(
  of text: JSONText,
  in json: UnsafeBufferPointer<UInt8>,
  _ scratch: inout ByteBuffer
) {
  guard let range = JSONString.range(of: text.buffer, in: json, scratch: &scratch) else { return }
  must(range.lowerBound > 0 && range.upperBound < json.count, "between two quotes")
  let quote = UInt8(ascii: "\"")
  must(json[range.lowerBound - 1] == quote && json[range.upperBound] == quote, "quotes")
  var output = ByteBuffer()
  let raw = UnsafeBufferPointer(rebasing: json[range])
  must(JSONString.unescape(raw, into: &output), "it can be read")
  must(output.array.elementsEqual(text.buffer), "it is the text")
}
