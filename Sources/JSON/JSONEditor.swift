/// Changes a JSON file by splicing its bytes: what an edit doesn't name stays as it is.
///
/// Indent, key order, unknown fields, number spelling, line ends and the end of the file are kept,
/// so that the diff of an edit is the edit. What is added takes the style of what stands beside
/// it. Records that are broken don't hinder the edit of others.
public struct JSONEditor: Sendable {
  /// The file as it is now.
  public private(set) var bytes: [UInt8]
  private let format: JSONSplitter.Format

  /// Begins with the bytes of a file: an array, JSON lines or one object.
  public init(_ bytes: [UInt8], format: JSONSplitter.Format = .automatic) {
    self.bytes = bytes
    self.format = format
  }

  /// Where a value stands; the empty path is the whole document.
  ///
  /// - Throws: ``JSONEditError``.
  public func range(of path: [JSONStep]) throws(JSONEditError) -> Range<Int> {
    try reading { editing throws(JSONEditError) in
      try editing.range(of: path)
    }
  }

  /// Replaces a value; a member that isn't there yet is added as the object's last.
  ///
  /// - Throws: ``JSONEditError``.
  @discardableResult
  public mutating func set(
    _ value: [UInt8],
    at path: [JSONStep]
  ) throws(JSONEditError) -> JSONEdit {
    try check(value)
    return apply(
      try reading { editing throws(JSONEditError) in
        try editing.setting(value, at: path)
      }
    )
  }

  /// Removes a member, an element or a record, with its comma or its line.
  ///
  /// - Throws: ``JSONEditError``.
  @discardableResult
  public mutating func remove(_ path: [JSONStep]) throws(JSONEditError) -> JSONEdit {
    apply(
      try reading { editing throws(JSONEditError) in
        try editing.removing(path)
      }
    )
  }

  /// Inserts a value before the element or record that the path names; one past the last appends.
  ///
  /// - Throws: ``JSONEditError``.
  @discardableResult
  public mutating func insert(
    _ value: [UInt8],
    at path: [JSONStep]
  ) throws(JSONEditError) -> JSONEdit {
    try check(value)
    return apply(
      try reading { editing throws(JSONEditError) in
        try editing.inserting(value, at: path)
      }
    )
  }

  /// Appends a value to the array at `path`; at the empty path, to the file's records.
  ///
  /// - Throws: ``JSONEditError``.
  @discardableResult
  public mutating func append(
    _ value: [UInt8],
    to path: [JSONStep] = []
  ) throws(JSONEditError) -> JSONEdit {
    try check(value)
    return apply(
      try reading { editing throws(JSONEditError) in
        try editing.appending(value, to: path)
      }
    )
  }

  /// Appends a value as a line of its own, the way of JSON lines, whatever the file holds.
  ///
  /// - Throws: ``JSONEditError/badValue(_:)``.
  @discardableResult
  public mutating func appendLine(_ value: [UInt8]) throws(JSONEditError) -> JSONEdit {
    try check(value)
    return apply(
      try reading { editing throws(JSONEditError) in
        editing.appendingLine(value)
      }
    )
  }

  private func reading<Result>(
    _ body: (JSONEditing) throws(JSONEditError) -> Result
  ) throws(JSONEditError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONEditError) in
      try body(JSONEditing(bytes: buffer, format: format))
    }
  }

  private func check(_ value: [UInt8]) throws(JSONEditError) {
    var parser = JSONParser()
    do {
      try parser.parse(value.span)
    } catch {
      throw .badValue(error)
    }
  }

  private mutating func apply(_ edit: JSONEdit) -> JSONEdit {
    bytes.replaceSubrange(edit.range, with: edit.replacement)
    return edit
  }
}
