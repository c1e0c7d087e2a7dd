import Bytes

extension JSONEditing {
  /// Puts an item before the one at `index`, or at the end.
  func adding(
    _ value: [UInt8],
    named name: [UInt8]?,
    to outline: JSONOutline,
    at index: Int
  ) -> JSONEdit {
    let items = outline.items
    if items.isEmpty { return filling(outline, with: value, named: name) }
    let gap = self.gap(in: outline, near: index)
    let isOverLines = gap.contains(0x0A)
    let indent = isOverLines ? Array(gap[((gap.lastIndex(of: 0x0A) ?? -1) + 1)...]) : nil
    // Beside records of one line each, a record of one line.
    let sample = items.last { isContainer($0.value) && $0.value.count > 2 }
    let isSampleOnOneLine = sample.map { !bytes[$0.value].contains(0x0A) } ?? false
    let item = self.item(
      value,
      named: name,
      beside: items.last,
      indent: isSampleOnOneLine ? nil : indent
    )
    if index == items.count {
      let end = items[index - 1].end
      return JSONEdit(range: end..<end, replacement: [UInt8(ascii: ",")] + gap + item)
    }
    let start = items[index].start
    return JSONEdit(range: start..<start, replacement: item + [UInt8(ascii: ",")] + gap)
  }

  /// The blanks that stand between a comma and the item after it.
  private func gap(in outline: JSONOutline, near index: Int) -> [UInt8] {
    let items = outline.items
    if items.count > 1 {
      let right = max(1, min(index, items.count - 1))
      let between = bytes[items[right - 1].end..<items[right].start]
      if let comma = between.firstIndex(of: UInt8(ascii: ",")) {
        let blanks = between[(comma + 1)...]
        if blanks.allSatisfy(JSONByte.isBlank) { return onlyLastLine(Array(blanks)) }
      }
    }
    let first = Array(bytes[outline.open + 1..<items[0].start])
    if first.contains(0x0A), first.allSatisfy(JSONByte.isBlank) { return onlyLastLine(first) }
    return Array(style.comma.dropFirst())
  }

  /// Blank lines between two items are not repeated.
  private func onlyLastLine(_ blanks: [UInt8]) -> [UInt8] {
    guard let last = blanks.lastIndex(of: 0x0A) else { return blanks }
    return style.lineEnd + blanks[(last + 1)...]
  }

  /// The first item of an empty container: over lines if its surroundings are.
  private func filling(
    _ outline: JSONOutline,
    with value: [UInt8],
    named name: [UInt8]?
  ) -> JSONEdit {
    let range = outline.open + 1..<outline.close
    let isOverLines =
      isFirstOnLineOrMember(outline.open) || bytes[range].contains(0x0A)
      || outline.open == startOfLine(outline.open) && !outline.isObject && isAlone(outline)
    guard isOverLines else {
      return JSONEdit(
        range: range,
        replacement: item(value, named: name, beside: nil, indent: nil)
      )
    }
    let outer = lineIndent(at: outline.open)
    let inner = outer + style.unit
    let item = item(value, named: name, beside: nil, indent: inner)
    return JSONEdit(
      range: range,
      replacement: style.lineEnd + inner + item + style.lineEnd + outer
    )
  }

  /// Whether the container is all there is in the file.
  private func isAlone(_ outline: JSONOutline) -> Bool {
    bytes[..<outline.open].allSatisfy { JSONByte.isBlank($0) || $0 >= 0xBB }
      && bytes[(outline.close + 1)...].allSatisfy(JSONByte.isBlank)
  }

  private func item(
    _ value: [UInt8],
    named name: [UInt8]?,
    beside sibling: JSONOutline.Item?,
    indent: [UInt8]?
  ) -> [UInt8] {
    let value = formatted(value, indent: indent)
    guard let name else { return value }
    var key = ByteBuffer()
    key.appendJSON(string: name.span)
    var colon = style.colon
    if let sibling, let key = sibling.key {
      let between = Array(bytes[key.upperBound..<sibling.value.lowerBound])
      if !between.contains(0x0A) { colon = between }
    }
    return key.array + colon + value
  }

  func formatted(_ value: [UInt8], indent: [UInt8]?) -> [UInt8] {
    value.withUnsafeBufferPointer { style.format($0, indent: indent) }
  }

  func isContainer(_ range: Range<Int>) -> Bool {
    bytes[range.lowerBound] == UInt8(ascii: "{") || bytes[range.lowerBound] == UInt8(ascii: "[")
  }

  func startOfLine(_ index: Int) -> Int {
    var start = index
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    return start == 0 && index >= 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
  }

  func lineIndent(at index: Int) -> [UInt8] {
    Array(bytes[startOfLine(index)..<index].prefix { $0 == 0x20 || $0 == 0x09 })
  }
}
