import Glibc

/// The folder of TZif files that the system keeps up to date.
enum TimeZoneDatabase {
  static var folder: String {
    if let variable = getenv("TZDIR") {
      let path = String(cString: variable)
      if !path.isEmpty { return path }
    }
    return "/usr/share/zoneinfo"
  }

  /// The content of a zone's file.
  static func file(ofZone name: String) throws(TimeZoneError) -> [UInt8] {
    let folder = folder
    let status: FileStatus?
    do { status = try FileSystem.existing(folder) } catch {
      throw .unreadable(name: name, reason: error.reason)
    }
    guard status?.kind == .directory else { throw .noDatabase(name: name, folder: folder) }
    guard isPlausible(name) else { throw unknown(name, in: folder) }
    do { return try FileSystem.read("\(folder)/\(name)", limit: 1 << 20) } catch {
      if [ENOENT, ENOTDIR, EISDIR].contains(error.code) { throw unknown(name, in: folder) }
      throw .unreadable(name: name, reason: error.reason)
    }
  }

  /// Whether the name can be a zone's: it cannot lead out of the folder, and it is not one of the
  /// files that stand for the machine's own zone.
  private static func isPlausible(_ name: String) -> Bool {
    // Every zone begins with a capital letter; the tables beside the zones don't.
    guard let first = name.utf8.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z"),
      name.utf8.count <= 64,
      !["localtime", "posixrules", "Factory"].contains(name)
    else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in
        !part.isEmpty && part.first != UInt8(ascii: ".") && part.allSatisfy(isNameByte)
      }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func unknown(_ name: String, in folder: String) -> TimeZoneError {
    .unknown(name: name, suggestion: NameSuggestion.nearest(to: name, among: zoneNames(in: folder)))
  }

  /// Every zone's name, sorted by bytes; folders are three deep at most.
  private static func zoneNames(in folder: String) -> [String] {
    var names: [String] = []
    var pending: [(prefix: String, depth: Int)] = [("", 0)]
    while let (prefix, depth) = pending.popLast() {
      guard let entries = try? FileSystem.list("\(folder)/\(prefix)") else { continue }
      for entry in entries where isZoneEntry(entry.name, atTop: depth == 0) {
        switch entry.kind {
        case .directory where depth < 3: pending.append(("\(prefix)\(entry.name)/", depth + 1))
        case .file, .link: names.append(prefix + entry.name)
        case .directory, .other, .unreadableName: continue
        }
      }
    }
    return names
  }

  /// Zones begin with a capital letter and have no file name extension, unlike the tables beside them.
  private static func isZoneEntry(_ name: String, atTop: Bool) -> Bool {
    guard let first = name.utf8.first else { return false }
    return first >= UInt8(ascii: "A") && first <= UInt8(ascii: "Z")
      && !name.utf8.contains(UInt8(ascii: ".")) && name != "Factory"
  }
}
