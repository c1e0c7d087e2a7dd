import Archive
import Bytes

// On disk: a magic word with the version, the lists one after another, and the XXH3 of all that.
// Numbers are little-endian, lists begin with their count, texts with their length in bytes. A damaged
// manifest or one of another version counts as none: everything is made again.
extension Manifest {
  /// Bytes that are written at once.
  private static let piece = 1 << 20
  static let magic = Array("stillfeed manifest 2\n".utf8)

  /// Reads a manifest; nil if there is none, or none that can be trusted.
  init?(readingFrom path: String) {
    guard let bytes = try? FileSystem.read(path) else { return nil }
    self.init(decoding: bytes)
  }

  /// Reads what `encode` wrote; nil for anything else, which nobody vouches for.
  init?(decoding bytes: [UInt8]) {
    guard bytes.count >= Self.magic.count + 8, bytes.starts(with: Self.magic) else { return nil }
    let end = bytes.count - 8
    var reader = ManifestReader(bytes: bytes, place: end, end: bytes.count)
    guard reader.integer() == Fingerprint.of(bytes.span.extracting(0..<end)) else { return nil }
    reader = ManifestReader(bytes: bytes, place: Self.magic.count, end: end)
    inputs = reader.integer()
    for _ in 0..<Int(reader.small()) {
      files.append(reader.file())
      if !reader.isSound { return nil }
    }
    notes = reader.list {
      Note(lookups: $0.numbers(), media: $0.numbers(), diagnostics: $0.numbers())
    }
    lookups = reader.list { ($0.lookup(), $0.integer()) }
    media = reader.list { $0.text() }
    diagnostics = reader.list { $0.diagnostic() }
    summary.entries = reader.number()
    summary.pages = reader.number()
    summary.diagnostics = reader.numbers()
    summary.largestPath = reader.text()
    summary.largestBytes = reader.number()
    guard reader.isSound, reader.place == end, isConsistent else { return nil }
  }

  /// What `inputs` would be, from the first bytes alone, which are not checked.
  static func inputs(in path: String) -> UInt64? {
    guard let file = try? FileDescriptor(reading: path),
      let bytes = try? file.read(count: magic.count + 8, at: 0), bytes.count == magic.count + 8,
      bytes.starts(with: magic)
    else { return nil }
    var reader = ManifestReader(bytes: bytes, place: magic.count, end: bytes.count)
    return reader.integer()
  }

  /// Writes the manifest, piece by piece; durably unless it only serves this build.
  func write(to path: String, isDurable: Bool = true) throws(FileError) {
    try FileSystem.write(to: path, isDurable: isDurable) { (file) throws(FileError) in
      try encode { (piece) throws(FileError) in try file.append(piece) }
    }
  }

  /// Gives `body` the bytes of the manifest, piece by piece.
  func encode<Failure>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    var hash = RunningFingerprint()
    var output = ByteBuffer(capacity: Self.piece + 8192)
    output.append(Self.magic)
    output.append(integer: inputs)
    output.append(small: UInt32(truncatingIfNeeded: files.count))
    for index in files.indices {
      output.append(file: index, of: files)
      if output.count < Self.piece { continue }
      hash.add(output.bytes)
      try body(output.bytes)
      output.removeAll()
    }
    append(rest: &output)
    hash.add(output.bytes)
    output.append(integer: hash.value)
    try body(output.bytes)
  }

  /// Appends what stands behind the files.
  private func append(rest output: inout ByteBuffer) {
    output.append(list: notes) {
      $0.append(numbers: $1.lookups)
      $0.append(numbers: $1.media)
      $0.append(numbers: $1.diagnostics)
    }
    output.append(list: lookups) {
      $0.append(lookup: $1.question)
      $0.append(integer: $1.answer)
    }
    output.append(list: media) { $0.append(counted: $1) }
    output.append(list: diagnostics) { $0.append(diagnostic: $1) }
    output.append(integer: UInt64(summary.entries))
    output.append(integer: UInt64(summary.pages))
    output.append(numbers: summary.diagnostics)
    output.append(counted: summary.largestPath)
    output.append(integer: UInt64(summary.largestBytes))
  }
}

/// Takes values from the bytes of a manifest; past the end it gives zeros and is no longer sound.
private struct ManifestReader {
  let bytes: [UInt8]
  private(set) var place: Int
  let end: Int
  private(set) var isSound = true

  init(bytes: [UInt8], place: Int, end: Int) {
    self.bytes = bytes
    self.place = place
    self.end = end
  }

  private mutating func take(_ count: Int) -> Int? {
    guard isSound, count <= end - place else {
      isSound = false
      return nil
    }
    defer { place += count }
    return place
  }

  mutating func integer() -> UInt64 {
    guard let start = take(8) else { return 0 }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
  }

  mutating func small() -> UInt32 {
    guard let start = take(4) else { return 0 }
    return bytes.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt32.self))
    }
  }

  mutating func number() -> Int { Int(clamping: integer()) }

  mutating func signed() -> Int64 { Int64(bitPattern: integer()) }

  mutating func text() -> String {
    let count = Int(small())
    guard let start = take(count) else { return "" }
    return bytes.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[start..<start + count]), as: UTF8.self)
    }
  }

  mutating func list<Element>(_ element: (inout Self) -> Element) -> [Element] {
    let count = Int(small())
    var list: [Element] = []
    // Each element takes at least four bytes.
    list.reserveCapacity(min(count, (end - place) / 4))
    for _ in 0..<count {
      list.append(element(&self))
      if !isSound { return [] }
    }
    return list
  }

  mutating func numbers() -> [UInt32] { list { $0.small() } }

  mutating func file() -> Manifest.File {
    var file = Manifest.File(path: text(), key: integer())
    file.note = Int32(truncatingIfNeeded: Int64(small()) - 1)
    file.state.size = number()
    file.state.content = integer()
    file.state.modified = signed()
    file.state.changed = signed()
    file.state.inode = integer()
    return file
  }

  mutating func lookup() -> Lookup {
    let kind = small()
    let text = text()
    switch kind {
    case 0: return .medium(text, beside: self.text())
    case 1: return .destination(text, beside: self.text())
    default: return .mention(text)
    }
  }

  mutating func diagnostic() -> Diagnostic {
    let severity = UInt8(truncatingIfNeeded: small())
    return Diagnostic(
      Diagnostic.Severity(rawValue: severity) ?? .error,
      path: text(),
      line: number(),
      column: number(),
      headline: text(),
      explanation: text(),
      suggestion: text()
    )
  }
}

extension ByteBuffer {
  fileprivate mutating func append(integer value: UInt64) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append($0.assumingMemoryBound(to: UInt8.self)) }
  }

  fileprivate mutating func append(small value: UInt32) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append($0.assumingMemoryBound(to: UInt8.self)) }
  }

  fileprivate mutating func append(counted text: String) {
    append(small: UInt32(truncatingIfNeeded: text.utf8.count))
    append(text: text)
  }

  fileprivate mutating func append<Element>(
    list: [Element],
    _ element: (inout ByteBuffer, Element) -> Void
  ) {
    append(small: UInt32(truncatingIfNeeded: list.count))
    for value in list { element(&self, value) }
  }

  fileprivate mutating func append(numbers: [UInt32]) {
    append(list: numbers) { $0.append(small: $1) }
  }

  fileprivate mutating func append(file index: Int, of files: Manifest.Files) {
    files.withPath(at: index) {
      append(small: UInt32(truncatingIfNeeded: $0.count))
      append($0)
    }
    let (key, note, state) = files.about(index)
    append(integer: key)
    append(small: UInt32(truncatingIfNeeded: Int64(note) + 1))
    append(integer: UInt64(state.size))
    append(integer: state.content)
    append(integer: UInt64(bitPattern: state.modified))
    append(integer: UInt64(bitPattern: state.changed))
    append(integer: state.inode)
  }

  fileprivate mutating func append(lookup: Lookup) {
    switch lookup {
    case .medium(let path, let folder):
      append(small: 0)
      append(counted: path)
      append(counted: folder)
    case .destination(let path, let folder):
      append(small: 1)
      append(counted: path)
      append(counted: folder)
    case .mention(let name):
      append(small: 2)
      append(counted: name)
    }
  }

  fileprivate mutating func append(diagnostic: Diagnostic) {
    append(small: UInt32(diagnostic.severity.rawValue))
    append(counted: diagnostic.path)
    append(integer: UInt64(clamping: diagnostic.line))
    append(integer: UInt64(clamping: diagnostic.column))
    append(counted: diagnostic.headline)
    append(counted: diagnostic.explanation)
    append(counted: diagnostic.suggestion)
  }
}
