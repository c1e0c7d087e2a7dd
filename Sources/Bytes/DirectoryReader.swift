import Glibc

/// Reads a folder's names as bytes.
enum DirectoryReader {
  /// The entries of an open folder, sorted by bytes; closes `number`.
  static func entries(takingOver number: Int32, path: String) throws(FileError) -> [DirectoryEntry]
  {
    guard let stream = fdopendir(number) else {
      let code = errno
      close(number)
      throw FileError(path: path, operation: "list", code: code)
    }
    defer { closedir(stream) }
    var names = ByteBuffer(capacity: 4096)
    var found: [(range: Range<Int>, kind: FileKind)] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = nameBytes(of: entry)
      if isDotOrDotDot(name) { continue }
      let kind = kind(of: entry, in: number)
      found.append((names.count..<names.count + name.count, kind))
      names.append(name)
    }
    guard errno == 0 else { throw FileError(path: path, operation: "list", code: errno) }
    return names.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      found.sort { precedes(bytes[$0.range], bytes[$1.range]) }
      return found.map { entry(named: bytes[$0.range], kind: $0.kind) }
    }
  }

  private static func nameBytes(
    of entry: UnsafeMutablePointer<dirent>
  ) -> UnsafeBufferPointer<UInt8> {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(
      start: start,
      count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
    )
  }

  private static func isDotOrDotDot(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
  }

  private static func kind(of entry: UnsafeMutablePointer<dirent>, in folder: Int32) -> FileKind {
    switch Int(entry.pointee.d_type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .directory
    case Int(DT_LNK): return .link
    case Int(DT_UNKNOWN): break
    default: return .other
    }
    // Some file systems don't say: ask for each.
    var raw = stat()
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
    guard fstatat(folder, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
    return FileKind(mode: raw.st_mode)
  }

  private static func precedes(
    _ left: Slice<UnsafeBufferPointer<UInt8>>,
    _ right: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Bool {
    let (left, right) = (UnsafeBufferPointer(rebasing: left), UnsafeBufferPointer(rebasing: right))
    guard let first = left.baseAddress, let second = right.baseAddress else {
      return left.count < right.count
    }
    let order = memcmp(first, second, min(left.count, right.count))
    return order != 0 ? order < 0 : left.count < right.count
  }

  private static func entry(
    named bytes: Slice<UnsafeBufferPointer<UInt8>>,
    kind: FileKind
  ) -> DirectoryEntry {
    if let name = String(validating: bytes, as: UTF8.self) {
      return DirectoryEntry(name: name, kind: kind)
    }
    var escaped = ByteBuffer(capacity: bytes.count * 4)
    for byte in bytes {
      if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") {
        escaped.append(byte)
      } else {
        escaped.append("\\x")
        escaped.append(hexadecimal: UInt64(byte), digits: 2)
      }
    }
    return DirectoryEntry(name: escaped.string, kind: .unreadableName)
  }
}
