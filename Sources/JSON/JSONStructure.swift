import Bytes

/// Finds where a value ends by its brackets and strings alone, not checking the rest.
///
/// It resynchronises inside broken records, so that the records after them survive.
struct JSONStructure {
  enum End: Equatable {
    /// The value is closed before this index.
    case closed(Int)
    /// The value is broken and another record, or the array's end, begins at this index.
    case broken(Int)
    /// The bytes run out inside it.
    case open
  }

  /// Where a value may stand: what tells that a broken one is over.
  struct Place {
    /// In an array: a `]` too many is the array's.
    var isInArray: Bool
    /// The blanks before the record on its line, when it begins a line.
    var indent: Int?
    /// Whether the record is known never to end: then a later line with the same indent and a `{`
    /// begins the next one.
    var isOpenEnded = false
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let isLast: Bool
  /// Line ends passed so far.
  private(set) var lines = 0
  private var index = 0
  /// Which of the open containers are objects; the innermost 64 in the low bits.
  private var objects: UInt64 = 0
  private var outerObjects: [UInt64] = []
  private var depth = 0
  private var objectCount = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    self.bytes = bytes
    self.isLast = isLast
  }

  /// The end of the object, array or string that begins at `start`.
  ///
  /// With `startsInObject` the end of the object whose members go on at `start`.
  mutating func end(from start: Int, in place: Place, startsInObject: Bool = false) -> End {
    index = start
    if startsInObject { push(isObject: true) }
    /// The last byte that is neither blank nor in a string.
    var previous = UInt8(ascii: ":")
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        guard skipString() else { return .open }
        if depth == 0 { return .closed(index) }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if byte == UInt8(ascii: "{"), isNextRecord(after: previous, in: place) {
          return .broken(index)
        }
        push(isObject: byte == UInt8(ascii: "{"))
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if !pop(isObject: byte == UInt8(ascii: "}")), place.isInArray, byte == UInt8(ascii: "]") {
          // One too many: the array's own if the file ends after it, else a slip in the record.
          guard let follows = isFollowed() else { return .open }
          if !follows { return .broken(index) }
        }
        index += 1
        if depth == 0 { return .closed(index) }
      case UInt8(ascii: "\n"):
        lines += 1
        index += 1
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        index += 1
        continue
      case UInt8(ascii: "/"):
        guard skipComment() else { return .open }
        continue
      default: index += 1
      }
      previous = byte
    }
    return .open
  }

  /// Whether a `{` here can't belong to the record, so that the record before it is broken.
  private func isNextRecord(after previous: UInt8, in place: Place) -> Bool {
    guard depth > 0 else { return false }
    // In an object an object stands only after a colon; what is further in than the record's own
    // line belongs to it all the same.
    if depth == 1, objects & 1 == 1, previous != UInt8(ascii: ":") {
      return place.indent == nil || place.indent == indentHere
    }
    let mayFollow =
      previous == UInt8(ascii: ",") || previous == UInt8(ascii: ":")
      || previous == UInt8(ascii: "[")
    if !place.isInArray, !mayFollow, indentHere == 0 { return true }
    return place.isOpenEnded && place.indent != nil && place.indent == indentHere
  }

  /// Whether anything but blanks stands after this byte; nil when more bytes are needed to tell.
  private func isFollowed() -> Bool? {
    if bytes[(index + 1)...].contains(where: { !JSONByte.isBlank($0) }) { return true }
    return isLast ? false : nil
  }

  /// The number of blanks before this byte when nothing else stands before it on its line.
  private var indentHere: Int? {
    var start = index
    while start > 0, bytes[start - 1] == UInt8(ascii: " ") || bytes[start - 1] == UInt8(ascii: "\t")
    {
      start -= 1
    }
    return start > 0 && bytes[start - 1] == UInt8(ascii: "\n") ? index - start : nil
  }
}

extension JSONStructure {
  @inline(__always)
  private mutating func push(isObject: Bool) {
    if depth & 63 == 0, depth > 0 { outerObjects.append(objects) }
    objects = objects << 1 | (isObject ? 1 : 0)
    depth += 1
    if isObject { objectCount += 1 }
  }

  /// Closes the innermost container of that kind and what is left open in it; false if none is.
  @inline(__always)
  private mutating func pop(isObject: Bool) -> Bool {
    if depth > 0, objects & 1 == (isObject ? 1 : 0) {
      popOne()
      return true
    }
    return popThrough(isObject: isObject)
  }

  @inline(__always)
  private mutating func popOne() {
    depth -= 1
    if objects & 1 == 1 { objectCount -= 1 }
    objects >>= 1
    if depth & 63 == 0, let outer = outerObjects.popLast() { objects = outer }
  }

  @inline(never)
  private mutating func popThrough(isObject: Bool) -> Bool {
    // Without this count, many closers over many openers of the other kind would be quadratic.
    guard isObject ? objectCount > 0 : objectCount < depth else { return false }
    let wanted: UInt64 = isObject ? 1 : 0
    while depth > 0 {
      let isFound = objects & 1 == wanted
      popOne()
      if isFound { return true }
    }
    return false
  }

  /// Moves past a string; false when the bytes run out in it.
  @inline(__always)
  private mutating func skipString() -> Bool {
    index += 1
    while true {
      guard let stop = Self.stringStop(in: bytes, from: index) else { return false }
      index = stop
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return true
      case UInt8(ascii: "\\"):
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") { lines += 1 }
        index += 2
      case UInt8(ascii: "\n"):
        guard let end = endOfTornString() else { return false }
        index = end
        return true
      default: index += 1
      }
    }
  }

  /// The first quote, backslash or control character from `index` on.
  @inline(__always)
  static func stringStop(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var index = start
    while index &+ ByteBlock.count <= bytes.count {
      let block = ByteBlock(base + index)
      let stops = block.below80(
        block.equals(UInt8(ascii: "\"")) | block.equals(UInt8(ascii: "\\")) | block.less(than: 0x20)
      )
      if !stops.isEmpty { return index &+ stops.first }
      index &+= ByteBlock.count
    }
    while index < bytes.count {
      let byte = base[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return index }
      index &+= 1
    }
    return nil
  }

  /// Where a string ends that holds a raw line end.
  ///
  /// Either the string goes on (some programs write that), or its closing quote is missing. It
  /// goes on if after the next quote comes what follows a string.
  @inline(never)
  private mutating func endOfTornString() -> Int? {
    let lineEnd = index
    var end = index
    var passed = 0
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      if bytes[end] == UInt8(ascii: "\n") { passed += 1 }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count else { return isLast ? lineEnd : nil }
    var next = end + 1
    while next < bytes.count, JSONByte.isBlank(bytes[next]) { next += 1 }
    guard next < bytes.count else { return isLast ? end + 1 : nil }
    switch bytes[next] {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"):
      lines += passed
      return end + 1
    default: return lineEnd
    }
  }

  /// Moves past a comment, or a lone slash; false when the bytes run out in it.
  private mutating func skipComment() -> Bool {
    var end = index + 1
    if let found = Self.endOfComment(in: bytes, at: index) {
      end = found
    } else if !isLast {
      return false
    } else if end < bytes.count {
      // Not closed: all that is left. Looking again after each slash would be quadratic.
      end = bytes.count
    }
    for place in index..<end where bytes[place] == UInt8(ascii: "\n") { lines += 1 }
    index = end
    return true
  }

  /// The index after a comment that begins at `index` (the line end is not part of it), one
  /// further for a slash that begins none, nil when it isn't closed.
  static func endOfComment(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    guard index + 1 < bytes.count else { return nil }
    var end = index + 2
    switch bytes[index + 1] {
    case UInt8(ascii: "/"):
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      return end < bytes.count ? end : nil
    case UInt8(ascii: "*"):
      while end + 1 < bytes.count {
        if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") { return end + 2 }
        end += 1
      }
      return nil
    default: return index + 1
    }
  }
}
