import Bytes
import JSON

extension Configuration {
  /// The name of the configuration file in the archive's folder.
  public static let fileName = "stillfeed.yml"

  private static let keys = [
    "title", "description", "baseURL", "language", "timeZone", "self", "audience", "links", "dates",
    "theme", "index", "feed",
  ]

  /// Reads `stillfeed.yml`; a mistake is a diagnostic and leaves the default.
  ///
  /// - Parameter root: The archive's folder; without the file every default holds.
  /// - Returns: The configuration, and what is wrong with the file.
  public static func read(root: String) -> (configuration: Configuration, diagnostics: [Diagnostic])
  {
    var configuration = Configuration()
    do throws(FileError) {
      if try FileSystem.existing("\(root)/\(fileName)", followsLinks: false) != nil {
        var file = SettingsFile(fileName, in: root)
        configuration.read(&file)
        return (configuration, file.diagnostics)
      }
    } catch {
      return (configuration, [.unreadable(fileName, error)])
    }
    let other = "stillfeed.yaml"
    guard FileSystem.status("\(root)/\(other)") != nil else { return (configuration, []) }
    let misnamed = Diagnostic(
      .warning,
      path: other,
      headline: "This file isn't read",
      suggestion: "Call it stillfeed.yml"
    )
    return (configuration, [misnamed])
  }

  private mutating func read(_ file: inout SettingsFile) {
    guard !file.root.isNull else { return }
    file.checkKeys(Self.keys)
    if let text = file.text("title") { title = text }
    if let text = file.text("description") { description = text }
    if let text = file.text("baseURL") { readBaseURL(text, &file) }
    if let text = file.text("language") { readLanguage(text, &file) }
    if let text = file.text("timeZone") { readTimeZone(text, &file) }
    readSelf(&file)
    let audiences = Audience.allCases.map { ($0.word, $0) }
    if let choice = file.choice("audience", audiences) { audience = choice }
    let forms = [("pretty", Links.pretty), ("explicit", .explicit)]
    if let choice = file.choice("links", forms) { links = choice }
    if let choice = file.choice("dates", DateReading.words) { dates = choice }
    if let text = file.text("theme") { theme = text }
    if let flag = file.flag("index") { index = flag }
    readFeed(&file)
  }

  private mutating func readBaseURL(_ text: String, _ file: inout SettingsFile) {
    let url = Self.base(text)
    if let url {
      baseURL = url
    } else {
      file.report(
        .warning,
        "'baseURL' must be an address like https://example.org/archive/",
        key: "baseURL"
      )
    }
  }

  /// An `http` or `https` address with a host, a slash at the end and without query; nil for others.
  public static func base(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard MediaReading.isRemote(text), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      !bytes.contains(where: { "\"<>\\?#^`{|}".utf8.contains($0) }),
      let slashes = bytes.firstRange(of: Array("//".utf8))
    else { return nil }
    let host = bytes[slashes.upperBound...].prefix { $0 != UInt8(ascii: "/") }
    if host.isEmpty { return nil }
    return bytes.last == UInt8(ascii: "/") ? text : text + "/"
  }

  private mutating func readLanguage(_ text: String, _ file: inout SettingsFile) {
    let isTag =
      !text.isEmpty && text.utf8.count <= 35
      && text.utf8.allSatisfy { byte in
        let lower = byte | 0x20
        return (0x61...0x7A).contains(lower) || (0x30...0x39).contains(byte) || byte == 0x2D
      }
    if isTag {
      language = text
    } else {
      file.report(
        .warning,
        "'language' must be a language tag like en or zh-TW",
        key: "language"
      )
    }
  }

  private mutating func readTimeZone(_ text: String, _ file: inout SettingsFile) {
    do throws(TimeZoneError) {
      timeZone = try TimeZoneRules(named: text)
    } catch {
      let zone = "The time zone '\(Diagnostic.shown(text))'"
      let (headline, suggestion) =
        switch error {
        case .unknown: ("\(zone) isn't known", "Write a name of the tz database like Asia/Taipei")
        case .unreadable(_, let reason):
          ("\(zone) can't be read: \(reason)", "Install the package tzdata anew")
        case .noDatabase(_, let folder):
          ("There are no time zones in '\(folder)'", "Install the package tzdata")
        }
      file.report(.error, headline, key: "timeZone", suggestion: suggestion)
    }
  }

  private mutating func readSelf(_ file: inout SettingsFile) {
    guard let value = file["self"] else { return }
    let ids = MediaReading.elements(of: value).map { FieldValue.string($0) }.filter { !$0.isEmpty }
    if ids.isEmpty { file.report(.warning, "'self' must be a list of person ids", key: "self") }
    selfIDs = Array(ids)
  }

  private mutating func readFeed(_ file: inout SettingsFile) {
    guard let feed = file["feed"] else { return }
    file.checkKeys(["size", "comments"], of: feed, below: "feed")
    if let value = feed["size"] {
      let size = file.number(value, key: "size", below: "feed", in: 1...10_000)
      feedSize = size ?? feedSize
    }
    let orders = [
      ("oldest", CommentOrder.oldest), ("newest", .newest), ("likes", .likes),
    ]
    let word = feed["comments"].map { FieldValue.string($0) } ?? ""
    if !word.isEmpty, let order = file.choice(word, key: "comments", orders) {
      commentOrder = order
    }
  }
}

extension DateReading {
  static let words = [("iso", DateReading.iso), ("apple", DateReading.apple)]
}
