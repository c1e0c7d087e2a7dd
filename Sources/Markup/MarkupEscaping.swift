import Bytes

extension ByteBuffer {
  /// Appends text with `& < > "` as references and forbidden characters as U+FFFD.
  mutating func appendMarkupText(_ text: Span<UInt8>) {
    text.withUnsafeBufferPointer { appendMarkupText($0) }
  }

  /// Appends text with `& < > "` as references and forbidden characters as U+FFFD.
  mutating func appendMarkupText(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < text.count {
      if !ByteClass.isAny(.special, text[index]) {
        index &+= 1
        continue
      }
      let length = appendReplacement(in: text, from: start, at: index)
      index &+= max(length, 1)
      if length > 0 { start = index }
    }
    append(UnsafeBufferPointer(rebasing: text[start..<index]))
  }

  /// Appends `text[start..<index]` and what stands for the character that ends at or begins with
  /// byte `index`.
  ///
  /// - Returns: how many bytes from `index` on it stands for; 0 if the byte is fine as it is, in
  ///   which case nothing was appended.
  mutating func appendReplacement(
    in text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    at index: Int
  ) -> Int {
    let next = index &+ 1 < text.count ? text[index &+ 1] : 0
    var lead = 0  // bytes of the character that stand before `index`
    var length = 1
    let reference: StaticString
    switch text[index] {
    case UInt8(ascii: "&"): reference = "&amp;"
    case UInt8(ascii: "<"): reference = "&lt;"
    case UInt8(ascii: ">"): reference = "&gt;"
    case UInt8(ascii: "\""): reference = "&quot;"
    case 0xC2:
      guard 0x80...0x9F ~= next else { return 0 }
      (reference, length) = ("\u{FFFD}", 2)
    case 0xB7:
      guard index > start, text[index &- 1] == 0xEF, 0x90...0xAF ~= next else { return 0 }
      (reference, lead, length) = ("\u{FFFD}", 1, 2)
    case 0xBF:
      guard next == 0xBE || next == 0xBF else { return 0 }
      if index > start, text[index &- 1] == 0xEF {
        lead = 1
      } else if index &- 1 > start, text[index &- 2] >= 0xF0, text[index &- 1] & 0xF == 0xF {
        lead = 2
      } else {
        return 0
      }
      (reference, length) = ("\u{FFFD}", 2)
    default: reference = "\u{FFFD}"
    }
    append(UnsafeBufferPointer(rebasing: text[start..<(index &- lead)]))
    append(reference)
    return length
  }
}
