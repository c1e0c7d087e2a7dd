extension String {
  /// Calls `body` with the text's UTF-8, which is valid for the length of the call.
  ///
  /// Unlike `withUTF8` it needs no copy of the text that could be changed, for which references would
  /// be counted.
  @inlinable
  @inline(__always)
  public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}

// MARK: - Paths

extension String {
  /// Joins a folder's path and a name in it.
  public init(folder: String, name: String) {
    self = folder.withBytes { folder in
      name.withBytes { name in
        String(unsafeUninitializedCapacity: folder.count + 1 + name.count) { path in
          _ = path[..<folder.count].initialize(fromContentsOf: folder)
          path[folder.count] = UInt8(ascii: "/")
          return path[(folder.count + 1)...].initialize(fromContentsOf: name)
        }
      }
    }
  }

  /// The place of the last `/`.
  public var lastSlash: Index? {
    let offset = withBytes { $0.lastIndex(of: UInt8(ascii: "/")) }
    return offset.map { utf8.index(startIndex, offsetBy: $0) }
  }

  /// What stands before the last `/`; nil without one.
  public var parentFolder: String? {
    withBytes { $0.lastIndex(of: UInt8(ascii: "/")) }.map { prefix(bytes: $0) }
  }

  /// The first bytes of a text, which end between characters.
  func prefix(bytes count: Int) -> String {
    withBytes { String(decoding: UnsafeBufferPointer(rebasing: $0[..<count]), as: UTF8.self) }
  }
}
