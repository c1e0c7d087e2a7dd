import Bytes
import Testing

/// Files under Tests/Fixtures, found from this file's own place.
enum Fixtures {
  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return try FileSystem.read("/\(folder)/Fixtures/\(name)")
  }

  /// The lines of a file, each split at tabs.
  static func rows(_ name: String) throws -> [[String]] {
    try bytes(name).split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// One JSON string a line; a lone surrogate becomes its three (ill-formed) bytes.
  static func strings(_ name: String) throws -> [[UInt8]] {
    try rows(name).map { try unescaped($0[0]) }
  }

  static func unescaped(_ json: String) throws -> [UInt8] {
    let text = Array(json.utf16.dropFirst().dropLast())
    var units: [UInt16] = []
    var index = 0
    while index < text.count {
      guard text[index] == 0x5C else {
        units.append(text[index])
        index += 1
        continue
      }
      let escape = try #require(Unicode.Scalar(text[index + 1]))
      index += 2
      switch escape {
      case "n": units.append(0x0A)
      case "t": units.append(0x09)
      case "r": units.append(0x0D)
      case "b": units.append(0x08)
      case "f": units.append(0x0C)
      case "u":
        let digits = String(decoding: text[index..<index + 4], as: UTF16.self)
        units.append(try #require(UInt16(digits, radix: 16)))
        index += 4
      default: units.append(UInt16(escape.value))
      }
    }
    return encoded(units)
  }

  private static func encoded(_ units: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < units.count {
      let unit = units[index]
      let next = index + 1 < units.count ? units[index + 1] : 0
      if UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(next) {
        bytes += Array(String(decoding: [unit, next], as: UTF16.self).utf8)
        index += 2
      } else if unit & 0xF800 == 0xD800 {
        bytes += [0xED, UInt8(0x80 | unit >> 6 & 0x3F), UInt8(0x80 | unit & 0x3F)]
        index += 1
      } else {
        bytes += Array(String(decoding: [unit], as: UTF16.self).utf8)
        index += 1
      }
    }
    return bytes
  }

  static func hexadecimal(_ text: String) throws -> [UInt8] {
    let digits = Array(text.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16))
    }
  }
}
