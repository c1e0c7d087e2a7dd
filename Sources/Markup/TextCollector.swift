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
      if text[index] <= 0x20 || text[index] == 0x7F {
        pendingBlank = true
        index += 1
        continue
      }
      addBlankIfDue(to: &output)
      let first = index
      index = addPlain(text, from: index, to: &output)
      if index == first { index = addWord(text, from: index, to: &output) }
    }
  }

  /// Adds bytes up to the next blank; returns where it stands.
  private mutating func addWord(
    _ text: UnsafeBufferPointer<UInt8>,
    from first: Int,
    to output: inout ByteBuffer
  ) -> Int {
    var index = first
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
    return index
  }

  /// Adds many bytes at a time, from one that is no blank, as long as they can stand as they are;
  /// returns where they end.
  ///
  /// No controls, no two blanks in a row, and room for more scalars than there are bytes. A blank in
  /// last place is looked at again with what follows it.
  private mutating func addPlain(
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    to output: inout ByteBuffer
  ) -> Int {
    guard let base = text.baseAddress else { return start }
    var index = start
    while left > 8, index &+ 8 <= text.count {
      if left > ByteBlock.count, index &+ ByteBlock.count < text.count,
        Self.isPlain(ByteBlock(base + index), next: ByteBlock(base + index + 1))
      {
        let taken = text[index &+ ByteBlock.count &- 1] == 0x20 ? 15 : 16
        left &-= taken
        index &+= taken
        continue
      }
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      guard let (bytes, scalars) = Self.plain(word) else { break }
      left &-= scalars
      index &+= bytes
    }
    output.append(UnsafeBufferPointer(rebasing: text[start..<index]))
    return index
  }

  /// Whether a block is ASCII that can stand as it is; `next` is the one a byte later.
  @inline(__always)
  private static func isPlain(_ block: ByteBlock, next: ByteBlock) -> Bool {
    let twoBlanks = block.equals(0x20) & next.equals(0x20)
    let others = block.less(than: 0x20) | block.equals(0x7F)
    return block.below80(others | twoBlanks, or: block.high).isEmpty
  }

  /// How many bytes of a word can stand as they are, and how many scalars begin in them; nil if not
  /// all can, but for a blank in last place.
  @inline(__always)
  private static func plain(_ word: UInt64) -> (bytes: Int, scalars: Int)? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    // A byte is less than n exactly if subtracting n sets its top bit and it was not set before
    // ("Bit Twiddling Hacks", <https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>);
    // only a borrow from a hit can make another one.
    let delete = (word ^ (0x7F &* ones)) &- ones
    let controls = ((word &- 0x20 &* ones) | delete) & ~word & tops
    // Exact for each byte: no carry leaves seven bits.
    let other = word ^ (0x20 &* ones)
    let blanks = ~(((other & ~tops) &+ ~tops) | other) & tops
    if controls != 0 || blanks & (blanks &<< 8) != 0 { return nil }
    let bytes = blanks &>> 63 == 0 ? 8 : 7
    if word & tops == 0 { return (bytes, bytes) }
    return (bytes, bytes &- (word & (~word &<< 1) & tops).nonzeroBitCount)
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
