import Bytes

/// Gathers text on one line: runs of blanks and line ends become one blank, up to a number of
/// Unicode scalars.
struct TextCollector: ~Copyable {
  /// How many scalars may still come.
  private var left: Int
  private let start: Int
  private var pendingBlank = false
  /// Whether more came than there was room for.
  private(set) var isFull = false

  private var cutsWord = false

  /// Makes a collector for what is appended to `output` from here on.
  init(limit: Int, output: borrowing ByteBuffer) {
    left = max(limit, 0)
    start = output.count
  }

  /// A blank is due before the next text.
  mutating func addBlank() { pendingBlank = true }

  /// Adds text; nothing more once the collector is full.
  mutating func add(_ text: UnsafeBufferPointer<UInt8>, to output: inout ByteBuffer) {
    var index = 0
    while index < text.count, !isFull {
      index = addPlain(text, from: index, to: &output)
      if index == text.count { return }
      let byte = text[index]
      if byte <= 0x20 || byte == 0x7F {
        pendingBlank = true
        index += 1
        continue
      }
      addBlankIfDue(to: &output)
      let first = index
      while index < text.count, text[index] > 0x20, text[index] != 0x7F {
        if text[index] & 0xC0 != 0x80 {
          if left == 0 {
            isFull = true
            cutsWord = index > first
            break
          }
          left -= 1
        }
        index += 1
      }
      output.append(UnsafeBufferPointer(rebasing: text[first..<index]))
    }
  }

  /// Adds eight bytes at a time as long as they can stand as they are; returns where they end.
  ///
  /// No controls, no two blanks in a row, and room for more than eight scalars. A blank in last place
  /// is looked at again with what follows it.
  private mutating func addPlain(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    to output: inout ByteBuffer
  ) -> Int {
    guard !pendingBlank, output.count > self.start else { return start }
    let memory = UnsafeRawBufferPointer(text)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var index = start
    while left > 8, index &+ 8 <= text.count {
      let word = memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // As in `HTMLEscape.hits`: only a borrow from a hit can make another one.
      let delete = (word ^ (0x7F &* ones)) &- ones
      let controls = ((word &- 0x20 &* ones) | delete) & ~word & tops
      // Exact for each byte: no carry leaves seven bits.
      let other = word ^ (0x20 &* ones)
      let blanks = ~(((other & ~tops) &+ ~tops) | other) & tops
      if controls != 0 || blanks & (blanks &<< 8) != 0 { break }
      let taken = blanks &>> 63 == 0 ? 8 : 7
      let continuing = word & (~word &<< 1) & tops
      left &-= taken &- continuing.nonzeroBitCount
      index &+= taken
    }
    output.append(UnsafeBufferPointer(rebasing: text[start..<index]))
    return index
  }

  private mutating func addBlankIfDue(to output: inout ByteBuffer) {
    guard pendingBlank else { return }
    pendingBlank = false
    guard output.count > start, left > 0 else { return }
    output.append(" ")
    left -= 1
  }

  /// Ends the text: one that was cut loses a word cut short, if a blank stands within its last 24
  /// bytes, and ends with `…`.
  consuming func finish(_ output: inout ByteBuffer) {
    guard isFull else { return }
    let end = Self.cut(output.bytes, start: start, cutsWord: cutsWord)
    output.truncate(to: end)
    output.append("…")
  }

  private static func cut(_ bytes: Span<UInt8>, start: Int, cutsWord: Bool) -> Int {
    var end = bytes.count
    let lowest = max(start + 1, end - 24)
    var index = end - 1
    // East Asian text (three bytes and more a character) may be cut anywhere.
    while cutsWord, index >= lowest, bytes[index] < 0xE3 {
      if bytes[index] == 0x20 {
        end = index
        break
      }
      index -= 1
    }
    return withoutDangling(bytes, start: start, end: end)
  }

  /// Drops blanks and zero-width joiners at the end, which belong to what was cut off.
  private static func withoutDangling(_ bytes: Span<UInt8>, start: Int, end: Int) -> Int {
    var end = end
    while end > start {
      if bytes[end - 1] == 0x20 {
        end -= 1
      } else if end - start >= 3, bytes[end - 3] == 0xE2, bytes[end - 2] == 0x80,
        bytes[end - 1] == 0x8D
      {
        end -= 3
      } else {
        return end
      }
    }
    return end
  }
}
