/// A Swift source without what is no code: comments and the text of string literals become blanks.
///
/// Lines stay where they are, and what is interpolated into a literal stays code.
struct SourceText {
  /// Where the source stands, from the repository's root: `Sources/Bytes/ByteBuffer.swift`.
  let path: String
  /// The code, as many lines as the file has.
  let code: [UInt8]

  init(path: String, text: some Sequence<UInt8>) {
    self.path = path
    code = Self.codeOnly(Array(text))
  }

  /// The lines of code with their numbers, counted from 1.
  var lines: [(number: Int, text: Substring)] {
    String(decoding: code, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
      .map { ($0.offset + 1, $0.element) }
  }

  /// The module that the file belongs to: the folder under `Sources`.
  var module: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  private enum Place {
    /// `parentheses` counts those open since the interpolation began; nil outside of any.
    case code(parentheses: Int?)
    case literal(hashes: Int, isMultiline: Bool)
  }

  private static func codeOnly(_ source: [UInt8]) -> [UInt8] {
    var output = source
    var places = [Place.code(parentheses: nil)]
    var index = 0
    func at(_ offset: Int) -> UInt8 { offset < source.count ? source[offset] : 0 }
    func hashes(at start: Int) -> Int {
      var end = start
      while at(end) == UInt8(ascii: "#") { end += 1 }
      return end - start
    }
    func isTriple(at start: Int) -> Bool {
      (start..<start + 3).allSatisfy { at($0) == UInt8(ascii: "\"") }
    }
    func blank(_ count: Int) {
      for place in index..<min(index + count, source.count)
      where source[place] != UInt8(ascii: "\n") {
        output[place] = UInt8(ascii: " ")
      }
      index += count
    }
    while index < source.count {
      switch places[places.count - 1] {
      case .code(let parentheses):
        let count = hashes(at: index)
        if at(index) == UInt8(ascii: "/"), at(index + 1) == UInt8(ascii: "/") {
          while index < source.count, source[index] != UInt8(ascii: "\n") { blank(1) }
        } else if at(index) == UInt8(ascii: "/"), at(index + 1) == UInt8(ascii: "*") {
          var depth = 0
          repeat {
            if at(index) == UInt8(ascii: "/"), at(index + 1) == UInt8(ascii: "*") {
              depth += 1
              blank(2)
            } else if at(index) == UInt8(ascii: "*"), at(index + 1) == UInt8(ascii: "/") {
              depth -= 1
              blank(2)
            } else {
              blank(1)
            }
          } while depth > 0 && index < source.count
        } else if at(index + count) == UInt8(ascii: "\"") {
          let isMultiline = isTriple(at: index + count)
          places.append(.literal(hashes: count, isMultiline: isMultiline))
          index += count + (isMultiline ? 3 : 1)
        } else {
          if let open = parentheses {
            if at(index) == UInt8(ascii: "(") {
              places[places.count - 1] = .code(parentheses: open + 1)
            } else if at(index) == UInt8(ascii: ")") {
              if open == 0 {
                places.removeLast()
              } else {
                places[places.count - 1] = .code(parentheses: open - 1)
              }
            }
          }
          index += max(1, count)
        }
      case .literal(let count, let isMultiline):
        if at(index) == UInt8(ascii: "\\"), hashes(at: index + 1) == count {
          if at(index + 1 + count) == UInt8(ascii: "(") {
            places.append(.code(parentheses: 0))
            index += count + 2
          } else {
            blank(count + 2)
          }
        } else if isMultiline ? isTriple(at: index) : at(index) == UInt8(ascii: "\""),
          hashes(at: index + (isMultiline ? 3 : 1)) >= count
        {
          places.removeLast()
          index += count + (isMultiline ? 3 : 1)
        } else if !isMultiline, at(index) == UInt8(ascii: "\n") {
          places.removeLast()  // Not closed: the compiler says so.
        } else {
          blank(1)
        }
      }
    }
    return output
  }
}
