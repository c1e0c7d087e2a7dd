import Bytes
import Glibc

@testable import Archive

/// A small archive on disk of every kind of file, of which one at a time is what libFuzzer made.
struct Workbench {
  let root: String
  let scan: ContentScan
  let media: MediaIndex
  private let configuration = Configuration()
  private let channels: [ChannelRules]
  private let people: PeopleTable
  /// What stands in each source where it is as it was written here.
  private(set) var plain: [Harvest] = []

  /// The one that all inputs use.
  static let shared = Workbench()

  private init() {
    root = getenv("STILLFEED_FUZZ_FOLDER").map { String(cString: $0) } ?? "/tmp/stillfeed-fuzz"
    do {
      for (path, text) in Self.files {
        let path = "\(root)/Content/\(path)"
        try FileSystem.makeDirectories(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        try FileSystem.write(Array(text.utf8).span, to: path)
      }
      scan = try ContentScan(root: root)
    } catch {
      fatalError("\(error)")
    }
    var diagnostics: [Diagnostic] = []
    let (root, configuration) = (root, configuration)
    channels = scan.channels.map { ChannelRules($0, in: root, configuration, &diagnostics) }
    people = PeopleReader.read(scan.peopleFiles, in: root, configuration, &diagnostics)
    media = MediaIndex(files: scan.media)
    plain = scan.sources.indices.map { read($0) }
  }

  /// How a source's records are read.
  func context(of source: Int) -> FileContext {
    var rules = SourceRules(zone: .utc, dates: .iso, table: .standard, gathersTopics: false)
    if case .channel(let number) = scan.sources[source].target { rules = channels[number].rules }
    return FileContext(scan.sources[source], rules: rules, media: media)
  }

  /// Reads what stands on disk.
  func read(_ source: Int) -> Harvest {
    var harvest = Harvest()
    harvest.notesMedia = true
    var reader = FileReader(root: root, budget: TextBudget())
    reader.read(context(of: source), into: &harvest)
    return harvest
  }

  /// Writes a source's file anew.
  func write(_ bytes: UnsafeBufferPointer<UInt8>, to source: Int) -> FileStatus {
    let path = "\(root)/\(scan.sources[source].path)"
    let file = open(path, O_WRONLY | O_TRUNC)
    must(file >= 0 && Glibc.write(file, bytes.baseAddress, bytes.count) == bytes.count, "room")
    close(file)
    guard let status = FileSystem.status(path) else { fatalError(path) }
    return status
  }

  /// The archive in which `harvests` stand in the place of those of some sources.
  func archive(
    _ harvests: [Harvest],
    at range: Range<Int>,
    audience: Audience = .private,
    drafts: Bool = true
  ) -> (archive: Archive, diagnostics: [Diagnostic])? {
    var archive = Archive(configuration: configuration)
    archive.media = media
    archive.channelTables = channels.map(\.rules.table)
    archive.channelDates = channels.map(\.rules.dates)
    var all = plain
    all.replaceSubrange(range, with: harvests)
    var builder = ArchiveBuilder(
      raw: RawArchive(joining: all),
      scan: scan,
      rules: channels,
      audience: audience,
      includesDrafts: drafts,
      archive: archive,
      people: people
    )
    guard let built = try? ContentReader.finish(&builder) else { return nil }
    return (built, builder.raw.diagnostics + builder.remarks.map(\.diagnostic))
  }
}

extension Workbench {
  private static let fields = #""author":"ada","date":"2024-05-06T07:08:09Z""#
  private static let matter = "title: One\nauthor: ada\ndate: 2024-05-06\ntags: [a, b]"

  /// By path; the names have their places in the order of reading.
  private static let files: [(path: String, text: String)] = [
    ("channels/apple/channel.yml", "dates: apple\nview: board\nfields:\n  wer: author\n"),
    ("channels/apple/a.jsonl", "{\"id\":\"1\",\"wer\":\"ada\",\"date\":7,\"body\":\"first\"}\n"),
    (
      "channels/chat/a.jsonl",
      "{\"id\":1,\(fields),\"body\":\"caf\\u00e9\",\"replies\":[{\"body\":\"r\"}]}\n"
        + "{\"id\":\"2\",\(fields),\"replyTo\":1,\"media\":[\"cat.png\"],\"body\":\"\"}\n"
    ),
    ("channels/chat/b.json", "[{\"id\":3,\(fields),\"body\":\"x\",\"avatar\":\"cat.png\"}]"),
    ("channels/chat/c.md", "---\n\(matter)\n---\nA *message*\n"),
    ("channels/topics/channel.yml", "view: topics\n"),
    (
      "channels/topics/a.json",
      "[{\(fields),\"topic\":{\"id\":\"t\",\"title\":\"About\"},\"body\":\"x\"},"
        + "{\(fields),\"topic\":\"Other\",\"likes\":3,\"shares\":4,\"body\":\"y\"}]"
    ),
    (
      "comments/a.json",
      "{\"comments\":[{\"id\":\"c\",\(fields),\"body\":\"\\ud83d\\ude00\",\"replies\":["
        + "{\(fields),\"body\":\"deep\",\"comments\":[{\"body\":\"deeper\"},7]}]}]}"
    ),
    ("comments/b.yml", "- author: eve\n  date: 2024-05-07\n  body: one\n- body: two\n"),
    ("comments/c/a.jsonl", "{\"id\":\"z\",\(fields),\"body\":\"x\"}\n{\"parent\":\"z\"}\n"),
    ("comments/c/b.md", "+++\nauthor = \"eve\"\ndate = 2024-05-07\n+++\nA comment\n"),
    ("media/cat.png", "no picture"),
    ("pages/about.md", "---\n\(matter)\naliases: [/old/]\n---\nWords\n"),
    ("pages/imprint.html", "---\ntitle: Imprint\ndraft: true\n---\n<p>Words</p>\n"),
    ("people.yml", "ada:\n  name: Ada\n  also: [countess]\neve:\n  hide: name\n"),
    (
      "posts/a.json",
      "{\"id\":\"a\",\(fields),\"title\":\"A\",\"body\":\"x\",\"comments\":[{\"body\":\"c\"}]}"
    ),
    ("posts/b.jsonl", "{\"id\":\"b\",\(fields),\"body\":\"b\"}\n{\"slug\":\"b2\",\(fields)}\n"),
    ("posts/c.md", "---\n\(matter)\naliases: /c/old\n---\n# A heading\n\nA *post*\n"),
    ("posts/2024-05-06-d.md", "---\ntags: x y\nimage: cat.png\naudience: friends\n---\nText\n"),
    ("posts/e.html", "---\n\(matter)\nupdated: 2024-06-01\n---\n<p>Text</p>\n"),
  ]
}
