/// A mistake in a template, with the place where it stands.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The template's name, `post` or `builtin/post`.
  public let template: String
  /// The file to show to the user.
  public let path: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in bytes of UTF-8.
  public let column: Int
  /// One sentence without a full stop.
  public let headline: String
  /// What the user could do about it.
  public let suggestion: String?

  /// The form of a compiler's message: `path:line:column: headline`.
  public var description: String { "\(path):\(line):\(column): \(headline)" }
}

/// A place in a template.
struct TemplatePosition: Hashable, Sendable {
  let template: UInt32
  let line: UInt32
  let column: UInt32
}
