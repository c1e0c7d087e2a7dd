import Bytes

/// The pixels of a picture, from its file's header; nothing is decoded.
struct PictureSize: Hashable, Sendable {
  let width: Int
  let height: Int

  /// Reads PNG, GIF, JPEG and WebP; nil for other files and for what makes no sense.
  ///
  /// - Throws: Where the system fails to give what is there.
  init?(ofFile path: String) throws(FileError) {
    do throws(FileError) {
      self.init(try FileDescriptor(reading: path).read(count: 256 << 10, at: 0))
    } catch {
      if error.isFailure { throw error }
      return nil
    }
  }

  /// Reads the first bytes of a file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 24, let (width, height) = Self.size(of: bytes),
      (1...100_000).contains(width), (1...100_000).contains(height)
    else { return nil }
    self.width = width
    self.height = height
  }

  private static func size(of bytes: [UInt8]) -> (Int, Int)? {
    func big(_ index: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 << 8 | Int(bytes[index + $1]) }
    }
    func little(_ index: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[index + $1]) }
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return (big(16, 4), big(20, 4)) }
    if bytes.starts(with: "GIF8".utf8) { return (little(6, 2), little(8, 2)) }
    if bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) {
      return webP(bytes, little)
    }
    return bytes.starts(with: [0xFF, 0xD8]) ? jpeg(bytes, big) : nil
  }

  /// RFC 9649: lossy, lossless and extended headers.
  private static func webP(_ bytes: [UInt8], _ little: (Int, Int) -> Int) -> (Int, Int)? {
    guard bytes.count >= 30 else { return nil }
    switch bytes[15] {
    case UInt8(ascii: " "): return (little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF)
    case UInt8(ascii: "L"):
      let bits = little(21, 4)
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    case UInt8(ascii: "X"): return (little(24, 3) + 1, little(27, 3) + 1)
    default: return nil
    }
  }

  /// ITU-T T.81: segments until a start of frame.
  private static func jpeg(_ bytes: [UInt8], _ big: (Int, Int) -> Int) -> (Int, Int)? {
    var index = 2
    while index + 9 < bytes.count, bytes[index] == 0xFF {
      let marker = bytes[index + 1]
      if marker == 0xFF {
        index += 1
        continue
      }
      let isFrame =
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8
        && marker != 0xCC
      if isFrame { return (big(index + 7, 2), big(index + 5, 2)) }
      index += 2 + max(2, big(index + 2, 2))
    }
    return nil
  }
}
