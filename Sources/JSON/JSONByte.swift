import Glibc

/// Classes of bytes (RFC 8259 section 2).
enum JSONByte {
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether a number or a word may be followed by this byte.
  static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"),
      UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  static func isInNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

/// One step through UTF-8 (Unicode 15, table 3-7).
enum UTF8Step {
  /// The length of the well-formed sequence at `index`, or nil.
  static func length(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    let (count, isWhole) = step(in: bytes, at: index)
    return isWhole ? count : nil
  }

  /// How many bytes to take as one: a whole sequence, or the maximal part of an ill-formed one.
  static func step(
    in bytes: UnsafeBufferPointer<UInt8>,
    at index: Int
  ) -> (count: Int, isWhole: Bool) {
    let first = bytes[index]
    if first < 0x80 { return (1, true) }
    let wanted: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: wanted = 2
    case 0xE0: (wanted, second) = (3, 0xA0...0xBF)
    case 0xED: (wanted, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: wanted = 3
    case 0xF0: (wanted, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: wanted = 4
    case 0xF4: (wanted, second) = (4, 0x80...0x8F)
    default: return (1, false)
    }
    for offset in 1..<wanted {
      let place = index + offset
      let allowed = offset == 1 ? second : 0x80...0xBF
      if place >= bytes.count || !allowed.contains(bytes[place]) { return (offset, false) }
    }
    return (wanted, true)
  }
}

/// A backslash escape in a string.
enum JSONEscape {
  enum Reading: Equatable {
    /// A whole escape of that many bytes, 2 or 6.
    case plain(Int)
    /// Two `\u` escapes that are one scalar, 12 bytes.
    case pair(Int)
    /// Half a pair, 6 bytes.
    case loneSurrogate
    case bad
    /// The text ends inside it.
    case end
  }

  static func read(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Reading {
    guard index + 1 < bytes.count else { return .end }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return .plain(2)
    case UInt8(ascii: "u"): break
    default: return .bad
    }
    guard let unit = codeUnit(bytes, at: index) else {
      return index + 6 > bytes.count ? .end : .bad
    }
    switch unit {
    case 0xDC00...0xDFFF: return .loneSurrogate
    case 0xD800...0xDBFF:
      guard index + 7 < bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
        bytes[index + 7] == UInt8(ascii: "u"), let low = codeUnit(bytes, at: index + 6),
        (0xDC00...0xDFFF).contains(low)
      else { return .loneSurrogate }
      return .pair(12)
    default: return .plain(6)
    }
  }

  /// The four hexadecimal digits after `\u` at `index`.
  static func codeUnit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 6 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for place in index + 2..<index + 6 {
      guard let digit = JSONByte.hexadecimal(bytes[place]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }
}

/// The form of a number token.
enum JSONNumber {
  case integer
  case double
  /// JSON by its grammar, but beyond 64 bits or a double's range.
  case outOfRange
  case bad

  static func form(of token: UnsafeBufferPointer<UInt8>) -> JSONNumber {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < token.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(token[index]) {
        index += 1
      }
      return index - start
    }
    let isNegative = token.first == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let whole = index
    let count = digits()
    if count == 0 || (count > 1 && token[whole] == UInt8(ascii: "0")) { return .bad }
    if index == token.count {
      let text = UnsafeBufferPointer(rebasing: token[whole..<index])
      return fits(text, isNegative: isNegative) ? .integer : .outOfRange
    }
    if token[index] == UInt8(ascii: ".") {
      index += 1
      if digits() == 0 { return .bad }
    }
    if index < token.count, token[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < token.count, token[index] == UInt8(ascii: "-") || token[index] == UInt8(ascii: "+")
      {
        index += 1
      }
      if digits() == 0 { return .bad }
    }
    if index < token.count { return .bad }
    return isFinite(token) ? .double : .outOfRange
  }

  private static func fits(_ digits: UnsafeBufferPointer<UInt8>, isNegative: Bool) -> Bool {
    var value: UInt64 = 0
    for digit in digits {
      let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
      if overflowed || carried { return false }
      value = sum
    }
    return !isNegative || value <= 1 << 63
  }

  private static func isFinite(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = [CChar](unsafeUninitializedCapacity: token.count + 1) { target, count in
      for index in token.indices { target[index] = CChar(bitPattern: token[index]) }
      target[token.count] = 0
      count = token.count + 1
    }
    return strtod(&text, nil).isFinite
  }
}
