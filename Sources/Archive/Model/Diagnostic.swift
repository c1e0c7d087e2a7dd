import Bytes

/// A user's mistake, or something that a user should know: a value, never a crash.
public struct Diagnostic: Sendable, Hashable {
  /// How much it matters: of errors something is missing from the site.
  public enum Severity: UInt8, Comparable, Sendable {
    case note
    case warning
    case error
    /// Notes come before warnings, those before errors.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Warnings and errors count under `--strict`.
  public var severity: Severity
  /// From the archive's root; empty when no file is to blame.
  public var path: String
  /// Counted from 1; 0 when unknown.
  public var line: Int
  /// Counted from 1; 0 when unknown.
  public var column: Int
  /// One sentence without a full stop.
  public var headline: String
  /// More, if the headline isn't enough; may be empty.
  public var explanation: String
  /// What to do; may be empty.
  public var suggestion: String
  /// Whether the system failed to give the file or folder: then nothing is known of what it holds, and
  /// nothing may be done as if it held nothing.
  public var isUnread = false

  /// A diagnostic about a place in a file, or about the whole.
  public init(
    _ severity: Severity,
    path: String = "",
    line: Int = 0,
    column: Int = 0,
    headline: String,
    explanation: String = "",
    suggestion: String = ""
  ) {
    self.severity = severity
    self.path = path
    self.line = line
    self.column = column
    self.headline = headline
    self.explanation = explanation
    self.suggestion = suggestion
  }
}

extension Diagnostic {
  /// A file, or a folder, that could not be read.
  static func unreadable(_ path: String, _ error: FileError, isFolder: Bool = false) -> Self {
    var diagnostic = Self(
      .error,
      path: path,
      headline: "The \(isFolder ? "folder" : "file") can't be read: \(error.reason)"
    )
    diagnostic.isUnread = error.isFailure
    return diagnostic
  }
}
