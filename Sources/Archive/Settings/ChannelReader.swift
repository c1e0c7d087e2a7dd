import Bytes
import JSON

extension ChannelRules {
  private static let keys = [
    "title", "description", "view", "pages", "perPage", "dates", "fields",
  ]

  /// Reads `channel.yml`; without it the defaults hold, the folder's name being the title.
  init(
    _ folder: ContentScan.ChannelFolder,
    in root: String,
    _ configuration: Configuration,
    _ diagnostics: inout [Diagnostic]
  ) {
    channel = Channel(id: folder.name, name: "", title: folder.name)
    rules = SourceRules(
      zone: configuration.timeZone,
      dates: configuration.dates,
      table: .standard,
      gathersTopics: false
    )
    guard !folder.configuration.isEmpty else { return }
    var file = SettingsFile(folder.configuration, in: root)
    read(&file)
    diagnostics += file.diagnostics
  }

  private mutating func read(_ file: inout SettingsFile) {
    guard !file.root.isNull else { return }
    file.checkKeys(Self.keys)
    if let text = file.text("title"), !text.isEmpty { channel.title = text }
    if let text = file.text("description") { channel.description = text }
    let views = [("chat", Channel.View.chat), ("board", .board), ("topics", .topics)]
    if let view = file.choice("view", views) { channel.view = view }
    rules.gathersTopics = channel.view == .topics
    let buckets = [("day", Channel.Bucket.day), ("month", .month), ("year", .year)]
    if let bucket = file.choice("pages", buckets) { channel.bucket = bucket }
    if let number = file.number("perPage", in: 1...10_000) { channel.perPage = number }
    if let dates = file.choice("dates", DateReading.words) { rules.dates = dates }
    readFields(&file)
  }

  private mutating func readFields(_ file: inout SettingsFile) {
    guard let value = file["fields"] else { return }
    guard value.kind == .object else {
      file.report(.warning, "'fields' must map a name to one of ours", key: "fields")
      return
    }
    var additions: [(String, Field)] = []
    for member in value.members.prefix(64) {
      let name = String(decoding: member.key.buffer.cut(to: longestName), as: UTF8.self)
      let meaning = FieldValue.string(member.value)
      if let field = Field.named(meaning) {
        additions.append((name, field))
      } else {
        let known = Field.allCases.compactMap(\.names.first)
        let near = NameSuggestion.nearest(to: meaning, among: known)
        file.report(
          .warning,
          "'fields' maps '\(Diagnostic.shown(name))' to '\(Diagnostic.shown(meaning))', which isn't a field",
          key: "fields",
          suggestion: near.map { "Did you mean '\($0)'?" } ?? ""
        )
      }
    }
    if !additions.isEmpty { rules.table = FieldTable(adding: additions) }
  }
}
