/// How many diagnostics a file gave: when every record of a large file is broken, most are only
/// counted, so that memory stays bounded.
struct FileTally: Sendable {
  /// The most warnings and notes kept for one file.
  private static let warningLimit = 1000
  /// The most errors kept for one file.
  private static let errorLimit = 10_000

  let path: String
  private(set) var warnings = 0
  private(set) var errors = 0

  init(path: String, warnings: Int = 0, errors: Int = 0) {
    self.path = path
    self.warnings = warnings
    self.errors = errors
  }

  /// Counts a diagnostic; false if it is one too many.
  mutating func admits(_ diagnostic: Diagnostic) -> Bool {
    switch diagnostic.severity {
    case .error:
      errors += 1
      return errors <= Self.errorLimit
    case .warning, .note:
      warnings += 1
      return warnings <= Self.warningLimit
    }
  }

  /// Counts what was left out elsewhere already.
  mutating func add(warnings: Int, errors: Int) {
    self.warnings += warnings
    self.errors += errors
  }

  /// Says how many were left out.
  var summary: Diagnostic? {
    let left = max(0, warnings - Self.warningLimit) + max(0, errors - Self.errorLimit)
    if left == 0 { return nil }
    return Diagnostic(.warning, path: path, headline: "\(left) more mistakes in this file")
  }
}
