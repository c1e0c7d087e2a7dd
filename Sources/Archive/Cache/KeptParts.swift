import Bytes

/// The parts of a large file and hashes of what they hold.
enum KeptParts {
  struct Part: Sendable {
    var bytes: Range<Int>
    var hash: UInt64
  }

  static func name(_ path: String) -> UInt64 { Fingerprint.of(path, seed: 0x7061_7274) }

  private static func identity(
    _ path: String,
    _ status: FileStatus,
    _ cache: ContentCache
  ) -> UInt64 {
    Fingerprint.mix(name(path), cache.identity(of: status))
  }

  static func store(
    _ parts: [Part],
    _ path: String,
    _ status: FileStatus,
    _ cache: ContentCache,
    _ buffer: inout ByteBuffer
  ) {
    let identity = identity(path, status, cache)
    cache.store(name(path), identity, limit: status.size, buffer: &buffer) { output in
      encode(parts, into: &output)
      return true
    }
  }

  static func encode(_ parts: [Part], into output: inout ByteBuffer) {
    output.append(number: parts.count)
    for part in parts {
      output.append(number: part.bytes.count)
      output.append(fixed: part.hash)
    }
  }

  /// The parts of a file that is what it was; nil where it isn't, or isn't known.
  static func load(
    _ path: String,
    _ status: FileStatus,
    _ cache: ContentCache,
    _ buffer: inout ByteBuffer
  ) -> [Part]? {
    guard var input = cache.load(name(path), identity(path, status, cache), into: &buffer) else {
      return nil
    }
    return decode(&input, size: status.size)
  }

  /// The parts of a file of `size` bytes; nil where they aren't all of it.
  static func decode(_ input: inout CacheCursor, size: Int) -> [Part]? {
    var parts: [Part] = []
    var end = 0
    for _ in 0..<input.count() {
      let start = end
      end += input.number(upTo: size - start)
      parts.append(Part(bytes: start..<end, hash: input.fixed()))
      if end == start { return nil }
    }
    return !input.isBroken && input.isAtEnd && end == size ? parts : nil
  }
}
