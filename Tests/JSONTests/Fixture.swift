import Glibc
import JSON

/// Files under Tests/Fixtures/json.
enum Fixture {
  static let folder: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(2)
    return (parts + ["Fixtures", "json"]).joined(separator: "/")
  }()

  static func bytes(_ name: String) -> [UInt8] {
    guard let file = fopen("\(folder)/\(name)", "rb") else { return Array("no file \(name)".utf8) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = fread(&block, 1, block.count, file)
      if got == 0 { return bytes }
      bytes += block[..<got]
    }
  }

  static func names(in subfolder: String) -> [String] {
    guard let folder = opendir("\(folder)/\(subfolder)") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

/// A small seeded generator (SplitMix64), so that a failure can be run again.
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The kind of error of a text, or nil when it parses.
func failure(of bytes: [UInt8]) -> JSONError? {
  var parser = JSONParser()
  do {
    try parser.parse(bytes.span)
    return nil
  } catch {
    return error
  }
}

/// A parsed value written out again, so that tests compare values as text.
func rewritten(_ value: JSONValue) -> String {
  switch value.kind {
  case .object:
    "{" + value.members.map { "\($0.key.array):\(rewritten($0.value))" }.joined(separator: ",")
      + "}"
  case .array: "[" + value.elements.map(rewritten).joined(separator: ",") + "]"
  case .string: "\(value.text?.array ?? [])"
  case .integer: "\(value.integer.map(String.init) ?? String(value.unsigned ?? 0))"
  case .double: "\(value.double ?? 0)"
  case .true: "true"
  case .false: "false"
  case .null: "null"
  }
}
