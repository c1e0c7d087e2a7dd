/// Why a time zone cannot be used.
public enum TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The database has no zone of that name; `suggestion` is the nearest name that it has.
  case unknown(name: String, suggestion: String?)
  /// The zone's file is there but cannot be understood.
  case unreadable(name: String, reason: String)
  /// The machine has no time zone database.
  case noDatabase(name: String, folder: String)

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .unknown(let name, nil): "Time zone '\(name)' doesn't exist"
    case .unknown(let name, let suggestion?):
      "Time zone '\(name)' doesn't exist; did you mean '\(suggestion)'?"
    case .unreadable(let name, let reason): "Time zone '\(name)' cannot be read: \(reason)"
    case .noDatabase(let name, let folder):
      "Time zone '\(name)' cannot be read: there is no time zone database in '\(folder)'"
    }
  }
}
