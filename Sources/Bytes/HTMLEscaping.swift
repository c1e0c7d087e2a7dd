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

  /// Appends a part of bytes with `& < > " '` written as character references, faster in the same
  /// way as ``append(_:of:)``.
  @inline(__always)
  public mutating func appendEscaped(_ range: Range<Int>, of bytes: Span<UInt8>) {
    if Self.isStep(range, of: bytes) {
      let blocks = bytes.withUnsafeBytes { copyStep($0, range.lowerBound) }
      if let blocks, HTMLEscape.marks(in: blocks.low).before(range.count).isEmpty,
        range.count <= ByteBlock.count
          || HTMLEscape.marks(in: blocks.high).before(range.count &- ByteBlock.count).isEmpty
      {
        length &+= range.count
        return
      }
    }
    appendEscaped(bytes.extracting(range))
  }

  /// Appends text with `& < > " '` written as character references.
  public mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress else { return }
    var index = 0
    reserve(text.count &+ ByteBlock.count)
    // A whole block goes over; of one with a byte to look at, what stands before that counts.
    while index < text.count {
      let isWhole = index &+ ByteBlock.count <= text.count
      let block = isWhole ? ByteBlock(source + index) : ByteBlock(lastOf: text, from: index)
      block.store(to: base + length)
      let marks = HTMLEscape.marks(in: block)
      if marks.isEmpty {
        length &+= isWhole ? ByteBlock.count : text.count &- index
        index &+= ByteBlock.count
      } else {
        length &+= marks.first
        index &+= marks.first
        index &+= appendEscape(at: index, of: text)
      }
    }
  }

  /// Whether escaping changes nothing in what was appended from `start` on.
  public func isPlainHTML(from start: Int = 0) -> Bool {
    let text = bytes.extracting(start..<count)
    var escaped = ByteBuffer(capacity: text.count + 16)
    escaped.appendEscaped(text)
    return escaped.array.elementsEqual(array[start...])
  }

  /// Whether a part surely stays the same when it is escaped; that of some texts with line ends or
  /// rare characters isn't known.
  public func isSurelyPlainHTML(_ range: Range<Int>) -> Bool {
    bytes.extracting(range).withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        if !HTMLEscape.marks(in: ByteBlock(text, from: index)).isEmpty { return false }
        index &+= ByteBlock.count
      }
      return true
    }
  }

  /// Appends what stands for the byte at `index`, which may be the byte itself, and returns how many
  /// bytes of the text that covers.
  ///
  /// There is room for the rest of the text and a block more, before and after.
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
    reserve(text.count &- index &+ ByteBlock.count)
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
}
