import Bytes

/// A file to read and everything that bears on how its records are read.
struct Source: Sendable {
  enum Format: Sendable {
    case markdown
    case html
    case yaml
    case json
    case lines
  }

  var file: FileID
  /// From the archive's root.
  var path: String
  var format: Format
  var target: Target
  /// What the system knew about the file when the folder was looked at.
  var status: FileStatus?

  /// The folder of the file from the archive's root, without a trailing slash.
  var folder: String { path.parentFolder ?? "" }

  /// The file's name without folder and extension, as UTF-8.
  var stem: [UInt8] {
    path.withBytes { path in
      let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let name = UnsafeBufferPointer(rebasing: path[start...])
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return Array(name) }
      return Array(UnsafeBufferPointer(rebasing: name[..<dot]))
    }
  }
}

/// What all files of a channel, or all posts and comments, have in common.
struct SourceRules: Sendable {
  var zone: TimeZoneRules
  var dates: DateReading
  var table: FieldTable
  /// Messages of a topics channel: titles are gathered.
  var gathersTopics: Bool
}

extension SourceRules {
  /// Another number for other rules.
  var fingerprint: UInt64 {
    var hash = Fingerprint.mix(zone.fingerprint, dates == .apple ? 1 : 2)
    hash = Fingerprint.mix(hash, gathersTopics ? 1 : 2)
    for (name, field) in table.additions {
      hash = Fingerprint.mix(Fingerprint.mix(hash, Fingerprint.of(name)), UInt64(field.rawValue))
    }
    return hash
  }
}
