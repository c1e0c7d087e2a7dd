extension ByteBuffer {
  /// Appends text with `& < > " '` written as character references.
  ///
  /// It works on bytes: a quote followed by a combining mark is still a quote (a `Character` would
  /// hide it). Controls and noncharacters that XML forbids become U+FFFD, so that the same text serves
  /// pages and feeds. The text is well-formed UTF-8.
  public mutating func appendEscaped(_ text: Span<UInt8>) {
    text.withUnsafeBufferPointer { appendEscaped($0) }
  }

  /// Appends text with `& < > " '` written as character references.
  public mutating func appendEscaped(text: String) {
    text.withBytes { appendEscaped($0) }
  }

  /// Appends text with `& < > " '` written as character references.
  public mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress else { return }
    var index = 0
    reserve(text.count &+ 16)
    // Sixteen bytes go over at once; of those with a byte to look at, what stands before it counts.
    while index &+ ByteBlock.count <= text.count {
      let block = ByteBlock(source + index)
      block.store(to: base + length)
      let marks = HTMLEscape.marks(in: block)
      let plain = marks.isEmpty ? ByteBlock.count : marks.first
      length &+= plain
      index &+= plain
      if plain < ByteBlock.count { index &+= appendEscape(at: index, of: text) }
    }
    // Eight bytes of the rest in the same way.
    while index &+ 8 <= text.count {
      let word = UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
      UnsafeMutableRawPointer(base + length).storeBytes(of: word, as: UInt64.self)
      let hits = HTMLEscape.hits(in: word)
      if hits == 0 {
        length &+= 8
        index &+= 8
        continue
      }
      let plain = hits.trailingZeroBitCount &>> 3
      length &+= plain
      index &+= plain
      index &+= appendEscape(at: index, of: text)
    }
    if index == text.count { return }
    let word = HTMLEscape.lastWord(of: text, from: index)
    if HTMLEscape.hits(in: word) == 0 {
      UnsafeMutableRawPointer(base + length).storeBytes(of: word, as: UInt64.self)
      length &+= text.count &- index
    } else {
      while index < text.count { index &+= appendEscape(at: index, of: text) }
    }
  }

  /// Whether escaping changes nothing in what was appended from `start` on.
  public func isPlainHTML(from start: Int = 0) -> Bool {
    let text = bytes.extracting(start..<count)
    var escaped = ByteBuffer(capacity: text.count + 16)
    escaped.appendEscaped(text)
    return escaped.array.elementsEqual(array[start...])
  }

  /// Appends what stands for the byte at `index`, which may be the byte itself, and returns how many
  /// bytes of the text that covers.
  ///
  /// There is room for the rest of the text and eight bytes more, before and after.
  @inline(__always)
  private mutating func appendEscape(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> Int {
    let byte = text[index]
    let reference: HTMLEscape.Reference
    var covered = 1
    switch byte {
    case UInt8(ascii: "&"): reference = .ampersand
    case UInt8(ascii: "<"): reference = .less
    case UInt8(ascii: ">"): reference = .greater
    case UInt8(ascii: "\""): reference = .quote
    case UInt8(ascii: "'"): reference = .apostrophe
    case 0xEF where index &+ 2 < text.count && text[index &+ 1] == 0xBF && text[index &+ 2] >= 0xBE:
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      reference = .replacement
      covered = 3
    case 0x09, 0x0A, 0x0D, 0x20..<0x7F, 0x80...: reference = HTMLEscape.Reference(byte)
    default: reference = .replacement
    }
    UnsafeMutableRawPointer(base + length).storeBytes(of: reference.bytes, as: UInt64.self)
    length &+= reference.count
    reserve(text.count &- index &+ 16)
    return covered
  }
}

/// Which bytes cannot stand in HTML text or in a quoted attribute as they are.
enum HTMLEscape {
  /// What is written for a byte, at most eight bytes, the first in the lowest place.
  struct Reference {
    let bytes: UInt64
    let count: Int

    @inline(__always)
    init(_ byte: UInt8) {
      bytes = UInt64(byte)
      count = 1
    }

    @inline(__always)
    private init(littleEndian bytes: UInt64, count: Int) {
      self.bytes = bytes
      self.count = count
    }

    /// Writes `&amp;`.
    @inline(__always)
    static var ampersand: Self { Self(littleEndian: 0x3B_706D_6126, count: 5) }
    /// Writes `&lt;`.
    @inline(__always)
    static var less: Self { Self(littleEndian: 0x3B74_6C26, count: 4) }
    /// Writes `&gt;`.
    @inline(__always)
    static var greater: Self { Self(littleEndian: 0x3B74_6726, count: 4) }
    /// Writes `&quot;`.
    @inline(__always)
    static var quote: Self { Self(littleEndian: 0x3B74_6F75_7126, count: 6) }
    /// Writes `&#39;`.
    @inline(__always)
    static var apostrophe: Self { Self(littleEndian: 0x3B_3933_2326, count: 5) }
    /// Writes U+FFFD.
    @inline(__always)
    static var replacement: Self { Self(littleEndian: 0xBD_BFEF, count: 3) }
  }

  /// Which of sixteen bytes are a control, `" & ' < >`, DEL or EF.
  @inline(__always)
  static func marks(in block: ByteBlock) -> ByteBlock.Marks {
    let single = block.less(than: 0x20) | block.equals(0x22) | block.equals(0x7F)
    // `&` and `'` differ in one bit, `<` and `>` too.
    let pairs = block.equals(0x27, with: 0x01) | block.equals(0x3E, with: 0x02)
    return block.below80(single | pairs, or: block.equalsHigh(0xEF))
  }

  /// The last one to seven bytes of a text as a word, the first in the lowest place, and blanks.
  ///
  /// It is made of reads that may overlap, which is less work than one for each byte.
  @inline(__always)
  static func lastWord(of text: UnsafeBufferPointer<UInt8>, from index: Int) -> UInt64 {
    let count = text.count &- index
    guard let base = text.baseAddress, count > 0 else { return blanks }
    let start = UnsafeRawPointer(base + index)
    let end = start + count
    let word: UInt64
    if text.count >= 8 {
      word = (end - 8).loadUnaligned(as: UInt64.self) &>> UInt64(64 &- 8 &* count)
    } else if count >= 4 {
      let low = UInt64(start.loadUnaligned(as: UInt32.self))
      let high = UInt64((end - 4).loadUnaligned(as: UInt32.self))
      word = low | high &<< UInt64(8 &* count &- 32)
    } else {
      let middle = count &>> 1
      word =
        UInt64(base[index]) | UInt64(base[index &+ middle]) &<< UInt64(8 &* middle)
        | UInt64(base[index &+ count &- 1]) &<< UInt64(8 &* count &- 8)
    }
    return word | blanks &<< UInt64(8 &* count)
  }

  private static var blanks: UInt64 { 0x2020_2020_2020_2020 }

  /// The top bit of each of eight bytes that is a control, `" & ' < >`, DEL or EF.
  ///
  /// A byte is less than n exactly if subtracting n sets its top bit and it was not set before ("Bit
  /// Twiddling Hacks", <https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>). A borrow
  /// can only come from such a byte, so the lowest bit set is right; higher ones may be too many.
  @inline(__always)
  static func hits(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let control = word &- 0x2020_2020_2020_2020
    let quote = (word ^ 0x2222_2222_2222_2222) &- ones
    // `&` and `'` differ in one bit, `<` and `>` too.
    let ampersand = ((word | ones) ^ 0x2727_2727_2727_2727) &- ones
    let angle = ((word | 0x0202_0202_0202_0202) ^ 0x3E3E_3E3E_3E3E_3E3E) &- ones
    let delete = (word ^ 0x7F7F_7F7F_7F7F_7F7F) &- ones
    let lead = word ^ 0xEFEF_EFEF_EFEF_EFEF
    let below80 = (control | quote | ampersand | angle | delete) & ~word
    return (below80 | (lead &- ones) & ~lead) & 0x8080_8080_8080_8080
  }
}
