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

  /// Calls `body` with the file's name without folder and extension, or the folder's name for `index`,
  /// as UTF-8.
  func withName<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    path.withBytes { path in
      var (folder, name) = Self.split(path[...])
      if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex {
        name = name[..<dot]
      }
      if name.elementsEqual("index".utf8), !folder.isEmpty { (folder, name) = Self.split(folder) }
      return body(UnsafeBufferPointer(rebasing: name))
    }
  }

  /// A path's folder, without the slash behind, and the name in it.
  private static func split(
    _ path: Slice<UnsafeBufferPointer<UInt8>>
  ) -> (folder: Slice<UnsafeBufferPointer<UInt8>>, name: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else {
      return (path[..<path.startIndex], path)
    }
    return (path[..<slash], path[(slash + 1)...])
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
