/// A plain checker for texts the parser refused: it finds the first error's place and reason.
///
/// Slower than the parser, linear, without recursion. A property test holds it to the parser: one
/// refuses exactly what the other refuses.
struct JSONSyntax {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var isObject: [Bool] = []

  private let passesRepairable: Bool

  private init(_ bytes: UnsafeBufferPointer<UInt8>, passesRepairable: Bool) {
    self.bytes = bytes
    self.passesRepairable = passesRepairable
  }

  /// The first error of a text, or nil when it is JSON.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - passingRepairable: whether to pass over what ``JSONRepair`` mends.
  /// - Returns: the error with its offset.
  static func firstError(
    in bytes: UnsafeBufferPointer<UInt8>,
    passingRepairable: Bool = false
  ) -> JSONError? {
    var checker = JSONSyntax(bytes, passesRepairable: passingRepairable)
    do {
      try checker.checkDocument()
      return nil
    } catch {
      return error
    }
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while index < bytes.count, JSONByte.isBlank(bytes[index]) { index += 1 }
  }

  private func unexpected() -> JSONError {
    guard let byte else { return JSONError(.endsEarly, at: index) }
    if byte == UInt8(ascii: "/"), index + 1 < bytes.count,
      bytes[index + 1] == UInt8(ascii: "/") || bytes[index + 1] == UInt8(ascii: "*")
    {
      return JSONError(.comment, at: index)
    }
    if byte >= 0x80, UTF8Step.length(in: bytes, at: index) == nil {
      return JSONError(.invalidUTF8, at: index)
    }
    return JSONError(.unexpectedByte, at: index)
  }

  private mutating func checkDocument() throws(JSONError) {
    skipBlanks()
    if byte == nil { throw JSONError(.empty, at: index) }
    try checkValueStart()
    while let inObject = isObject.last {
      skipBlanks()
      let close = inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      if byte == close {
        index += 1
        isObject.removeLast()
        continue
      }
      guard byte == UInt8(ascii: ",") else { throw unexpected() }
      let comma = index
      index += 1
      skipBlanks()
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        throw JSONError(.trailingComma, at: comma)
      }
      if inObject { try checkKey() }
      try checkValueStart()
    }
    skipBlanks()
    if byte != nil { throw JSONError(.trailingContent, at: index) }
  }

  /// A whole scalar, or the opening of containers up to the first scalar or empty container.
  private mutating func checkValueStart() throws(JSONError) {
    while true {
      skipBlanks()
      guard let first = byte else { throw JSONError(.endsEarly, at: index) }
      switch first {
      case UInt8(ascii: "{"):
        try open(object: true)
        skipBlanks()
        if byte == UInt8(ascii: "}") { return }
        try checkKey()
      case UInt8(ascii: "["):
        try open(object: false)
        skipBlanks()
        if byte == UInt8(ascii: "]") { return }
      case UInt8(ascii: "\""): return try checkString()
      case UInt8(ascii: "t"): return try checkWord("true")
      case UInt8(ascii: "f"): return try checkWord("false")
      case UInt8(ascii: "n"): return try checkWord("null")
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try checkNumber()
      case UInt8(ascii: "+"), UInt8(ascii: "."): throw JSONError(.badNumber, at: index)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        throw JSONError(.badWord, at: index)
      default: throw unexpected()
      }
    }
  }

  private mutating func open(object: Bool) throws(JSONError) {
    if isObject.count == JSONParser.maximumDepth { throw JSONError(.tooDeep, at: index) }
    isObject.append(object)
    index += 1
  }

  private mutating func checkKey() throws(JSONError) {
    guard byte == UInt8(ascii: "\"") else { throw unexpected() }
    try checkString()
    skipBlanks()
    guard byte == UInt8(ascii: ":") else { throw unexpected() }
    index += 1
  }

  private mutating func checkWord(_ word: StaticString) throws(JSONError) {
    let start = index
    for offset in 0..<word.utf8CodeUnitCount {
      guard let byte else { throw JSONError(.endsEarly, at: index) }
      if byte != word.utf8Start[offset] { throw JSONError(.badWord, at: start) }
      index += 1
    }
    if let byte, !JSONByte.endsScalar(byte) { throw JSONError(.badWord, at: start) }
  }

  private mutating func checkNumber() throws(JSONError) {
    let start = index
    while let byte, JSONByte.isInNumber(byte) { index += 1 }
    let token = UnsafeBufferPointer(rebasing: bytes[start..<index])
    if let byte, !JSONByte.endsScalar(byte) { throw JSONError(.badNumber, at: start) }
    switch JSONNumber.form(of: token) {
    case .bad: throw JSONError(.badNumber, at: start)
    case .outOfRange: try passRepairable(.numberOutOfRange, at: start, length: 0)
    case .integer, .double: return
    }
  }

  private mutating func checkString() throws(JSONError) {
    let start = index
    index += 1
    while let byte {
      if byte == UInt8(ascii: "\"") {
        index += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        switch JSONEscape.read(bytes, at: index) {
        case .end: throw JSONError(.unclosedString, at: start)
        case .bad: throw JSONError(.badEscape, at: index)
        case .loneSurrogate: try passRepairable(.loneSurrogate, at: index, length: 6)
        case .plain(let length), .pair(let length): index += length
        }
      } else if byte < 0x20 {
        try passRepairable(.rawControl, at: index, length: 1)
      } else if byte < 0x80 {
        index += 1
      } else if let length = UTF8Step.length(in: bytes, at: index) {
        index += length
      } else {
        let length = UTF8Step.step(in: bytes, at: index).count
        try passRepairable(.invalidUTF8, at: index, length: length)
      }
    }
    throw JSONError(.unclosedString, at: start)
  }

  private mutating func passRepairable(
    _ kind: JSONError.Kind,
    at offset: Int,
    length: Int
  ) throws(JSONError) {
    guard passesRepairable else { throw JSONError(kind, at: offset) }
    index += length
  }
}
