import Bytes
import CTOML

/// A TOML document that cannot be read.
package struct TOMLError: Error, Hashable, Sendable {
  package var reason: String
  /// Counted from 1 within the document.
  package var line: Int
  package var column: Int
}

/// Turns a TOML document (1.0) into JSON text, as `YAMLText` does for YAML; dates become strings.
package enum TOMLText {
  /// Appends the document as a JSON object and returns its top-level keys with their lines.
  ///
  /// - Parameters:
  ///   - toml: UTF-8.
  ///   - output: Untouched when an error is thrown.
  /// - Returns: The top-level keys, by line.
  /// - Throws: The reason with line and column, counted from 1.
  package static func writeJSON(
    _ toml: Span<UInt8>,
    into output: inout ByteBuffer
  ) throws(TOMLError) -> [KeyLine] {
    let parsed = toml.withUnsafeBytes { bytes in
      ctoml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard let parsed else { throw TOMLError(reason: "out of memory", line: 0, column: 0) }
    defer { ctoml_free(parsed) }
    var line: UInt32 = 0
    var column: UInt32 = 0
    if let reason = ctoml_error(parsed, &line, &column) {
      throw TOMLError(reason: String(cString: reason), line: Int(line), column: Int(column))
    }
    var length = 0
    if let json = ctoml_json(parsed, &length) {
      output.append(UnsafeBufferPointer(UnsafeRawBufferPointer(start: json, count: length)))
    }
    return (0..<ctoml_key_count(parsed)).compactMap { index in
      var length = 0
      guard let key = ctoml_key(parsed, index, &length, &line) else { return nil }
      let bytes = UnsafeRawBufferPointer(start: key, count: length)
      return KeyLine(key: String(decoding: bytes, as: UTF8.self), line: Int(line))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate init(_ raw: UnsafeRawBufferPointer) { self = raw.assumingMemoryBound(to: UInt8.self) }
}
