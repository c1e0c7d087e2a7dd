/// Where the members of an object or the elements of an array stand.
struct JSONOutline {
  struct Item {
    /// The key with its quotes, in an object.
    var key: Range<Int>?
    var value: Range<Int>

    var start: Int { key?.lowerBound ?? value.lowerBound }
    var end: Int { value.upperBound }
  }

  /// The opening bracket.
  let open: Int
  /// The closing bracket.
  let close: Int
  let isObject: Bool
  let items: [Item]

  /// Reads one level of the container that begins at `start`, passing over what is in it.
  ///
  /// - Throws: ``JSONEditError/malformed(offset:)`` at the first byte that doesn't fit.
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>,
    at start: Int
  ) throws(JSONEditError) -> JSONOutline {
    var reader = Reader(bytes: bytes, index: start + 1)
    let isObject = bytes[start] == UInt8(ascii: "{")
    let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var items: [Item] = []
    while true {
      reader.skipBlanks()
      if items.isEmpty, reader.byte == closing { break }
      var key: Range<Int>?
      if isObject {
        guard reader.byte == UInt8(ascii: "\"") else { throw .malformed(offset: reader.index) }
        key = try reader.value()
        reader.skipBlanks()
        guard reader.byte == UInt8(ascii: ":") else { throw .malformed(offset: reader.index) }
        reader.index += 1
        reader.skipBlanks()
      }
      items.append(Item(key: key, value: try reader.value()))
      reader.skipBlanks()
      if reader.byte == closing { break }
      guard reader.byte == UInt8(ascii: ",") else { throw .malformed(offset: reader.index) }
      reader.index += 1
    }
    return JSONOutline(open: start, close: reader.index, isObject: isObject, items: items)
  }

  /// The range of the value that begins at `start`.
  static func value(
    _ bytes: UnsafeBufferPointer<UInt8>,
    at start: Int
  ) throws(JSONEditError) -> Range<Int> {
    var reader = Reader(bytes: bytes, index: start)
    return try reader.value()
  }

  /// The first member of that name.
  func item(
    named name: [UInt8],
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    items.firstIndex { item in
      guard let key = item.key else { return false }
      let raw = UnsafeBufferPointer(rebasing: bytes[key.lowerBound + 1..<key.upperBound - 1])
      if !raw.contains(UInt8(ascii: "\\")) { return raw.elementsEqual(name) }
      var parser = JSONParser()
      let text = try? parser.parse(UnsafeBufferPointer(rebasing: bytes[key])).text
      return text.map { $0 == name } ?? false
    }
  }

  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index: Int

    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skipBlanks() {
      while index < bytes.count, JSONByte.isBlank(bytes[index]) { index += 1 }
    }

    mutating func value() throws(JSONEditError) -> Range<Int> {
      let start = index
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
        var structure = JSONStructure(bytes, isLast: true)
        let place = JSONStructure.Place(isInArray: false, indent: nil)
        guard case .closed(let end) = structure.end(from: start, in: place) else {
          throw .malformed(offset: start)
        }
        index = end
      case nil: throw .malformed(offset: start)
      default:
        while index < bytes.count, !JSONByte.endsScalar(bytes[index]) { index += 1 }
        if index == start { throw .malformed(offset: start) }
      }
      return start..<index
    }
  }
}
