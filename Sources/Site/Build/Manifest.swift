import Bytes

/// What the last build wrote: the paths of its files, so that a later one can remove those that are
/// no longer planned, and only those.
///
/// On disk: a magic word with the version, the number of paths, each path with its length, and the
/// XXH3 of all that. A damaged or foreign manifest counts as none.
struct Manifest: Sendable {
  private static let magic = Array("stillfeed manifest 1\n".utf8)

  /// Sorted in byte order.
  var paths: [String] = []

  init(paths: [String]) { self.paths = paths }

  /// Reads a manifest; nil if there is none, or none that can be trusted.
  init?(readingFrom path: String) {
    guard let bytes = try? FileSystem.read(path), bytes.count >= Self.magic.count + 8,
      bytes.starts(with: Self.magic)
    else { return nil }
    let end = bytes.count - 8
    guard Fingerprint.of(bytes.span.extracting(0..<end)) == Self.integer(bytes, at: end, 8)
    else { return nil }
    var place = Self.magic.count
    while place + 4 <= end {
      let length = Int(Self.integer(bytes, at: place, 4))
      place += 4
      guard length <= end - place else { return nil }
      paths.append(String(decoding: bytes[place..<(place + length)], as: UTF8.self))
      place += length
    }
  }

  /// Writes the manifest; durably unless it only serves this build.
  func write(to path: String, isDurable: Bool = true) throws(FileError) {
    var output = ByteBuffer(capacity: 1 << 16)
    output.append(Self.magic)
    for path in paths {
      Self.append(UInt64(path.utf8.count), 4, to: &output)
      output.append(text: path)
    }
    Self.append(Fingerprint.of(output.bytes), 8, to: &output)
    if isDurable {
      try FileSystem.writeDurably(output.bytes, to: path)
    } else {
      try FileSystem.write(output.bytes, to: path)
    }
  }

  private static func integer(_ bytes: [UInt8], at index: Int, _ count: Int) -> UInt64 {
    (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[index + $1]) }
  }

  private static func append(_ value: UInt64, _ count: Int, to output: inout ByteBuffer) {
    for index in 0..<count { output.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
