import Bytes
import Testing

@testable import Archive

/// A large file of JSON lines is read in parts; the archive must be the one that reading it as a whole
/// gives, with the same diagnostics.
@Suite("Large files of JSON lines")
struct LargeFileTests {
  /// What may stand between records, beside ordinary ones.
  enum Oddity: String, CaseIterable {
    case none
    case marked = "byte order mark, CRLF, no last line end"
    case broken = "broken lines by the thousand"
    case loose = "commas, comments, blank lines and brackets between lines"
    case longComment = "a comment over half of the file"
    case longLines = "lines longer than parts, and the same line over and over"
    case array = "one array"
    case pretty = "objects over several lines"
  }

  private static func file(_ oddity: Oddity) -> [UInt8] {
    var state: UInt64 = 88_172_645_463_325_252
    func random(_ bound: UInt64) -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state % bound
    }
    var file = ByteBuffer(capacity: 1 << 20)
    if oddity == .marked { file.append([0xEF, 0xBB, 0xBF]) }
    if oddity == .array { file.append("[\n") }
    let end = oddity == .marked ? "\r\n" : oddity == .array ? ",\n" : "\n"
    let filler = String(repeating: "words of a message ", count: 60)
    var number = 0
    while file.count < 400 << 10 {
      let second = number % 60
      let time = "2024-0\(1 + number / 2000 % 9)-17T09:\(second < 10 ? "0" : "")\(second):00Z"
      let parent = number > 10 && random(3) == 0 ? #","replyTo":"m\#(random(UInt64(number)))""# : ""
      let avatar = random(4) == 0 ? #","avatar":"a\#(random(3)).png""# : ""
      let nested =
        random(20) == 0 ? #","replies":[{"author":"Eve","date":5,"body":"x"}]"# : ""
      let lineEnd = oddity == .pretty ? "\n  " : ""
      file.append(
        text: #"{\#(lineEnd)"id":"m\#(number)","author":"user\#(random(40))","date":"\#(time)","#
          + #"\#(lineEnd)"body":"\#(filler.prefix(Int(random(1100))))"\#(avatar)\#(parent)\#(nested)}"#
      )
      file.append(text: end)
      number += 1
      switch (oddity, random(4)) {
      case (.broken, 0): file.append("{\"id\": nothing}\n")
      case (.broken, 1):
        file.append(text: "{\"id\":\"u\(number)\",\"author\":\"Ada\",\"body\":\"undated\"}\n")
      case (.loose, 0): file.append(",\n\n , \n")
      case (.loose, 1): file.append("/* two\nlines */ // one\n  \r\n")
      case (.loose, 2): file.append("]\n[1]\n\"text\" 5\n")
      case (.longLines, _) where number % 70 == 0:
        file.append(text: "{\"id\":\"long\(number)\",\"author\":\"Ada\",\"date\":7,\"body\":\"")
        for _ in 0..<16 { file.append(text: filler) }
        file.append("\"}\n")
      case (.longLines, _) where number % 90 == 1:
        for _ in 0..<900 { file.append("{\"author\":\"Ada\",\"date\":9,\"body\":\"again\"}\n") }
      case (.longComment, _) where number == 50: file.append("/* from here on\n")
      case (.longComment, _) where number == 500: file.append("*/\n")
      default: break
      }
    }
    if oddity == .marked { file.truncate(to: file.count - 2) }
    if oddity == .array {
      file.truncate(to: file.count - 2)
      file.append("]")
    }
    return file.array
  }

  @Test("In parts as a whole", arguments: Oddity.allCases)
  func parts(_ oddity: Oddity) async throws {
    let folder = try TemporaryArchive([
      "Content/channels/c/a.jsonl":
        #"{"id":"first","author":"Bob","date":1,"body":"a","avatar":"a0.png"}"#,
      "Content/channels/c/z.jsonl": #"{"id":"last","author":"Bob","date":"x","body":"z"}"#,
    ])
    try folder.write("Content/channels/c/m.jsonl", bytes: Self.file(oddity))
    let (configuration, _) = Configuration.read(root: folder.root)
    var whole = ContentReader(root: folder.root, configuration: configuration, workers: 1)
    whole.cuts = nil
    let expected = try await whole.read()
    #expect(expected.archive.entries.count > 100)
    for workers in [1, 3] {
      var parts = ContentReader(root: folder.root, configuration: configuration, workers: workers)
      parts.cuts = .small
      let found = try await parts.read()
      #expect(found.diagnostics == expected.diagnostics)
      #expect(found.archive.differences(from: expected.archive) == [])
    }
  }

  @Test("More than an index can hold is an error that says so")
  func tooLarge() async throws {
    let folder = try TemporaryArchive([
      "Content/posts/a.md": "---\ntitle: x\n---\n", "Content/posts/b.md": "Body\n",
    ])
    let (configuration, _) = Configuration.read(root: folder.root)
    var reader = ContentReader(root: folder.root, configuration: configuration)
    reader.limit = 1
    var failure: ArchiveTooLarge?
    do {
      _ = try await reader.read()
    } catch let error as ArchiveTooLarge {
      failure = error
    }
    #expect(failure?.entries == 2)
  }

  @Test("Files are cut where lines begin, and a change moves only the cuts beside it")
  func cuts() async throws {
    var bytes = Self.file(.none)
    let folder = try TemporaryArchive([:])
    func parts() async throws -> [[UInt8]] {
      try folder.write("Content/posts/m.jsonl", bytes: bytes)
      let scan = try ContentScan(root: folder.root)
      let plan = await HarvestPlan(
        root: folder.root,
        sources: scan.sources,
        workers: Workers(2),
        cuts: .small
      )
      var end = 0
      let parts = plan.portions.compactMap { portion -> [UInt8]? in
        guard case .part(let part) = portion, part.bytes.lowerBound == end else { return nil }
        end = part.bytes.upperBound
        return Array(bytes[part.bytes])
      }
      #expect(parts.count == plan.portions.count)
      #expect(parts.joined().elementsEqual(bytes))
      return parts
    }
    let before = try await parts()
    #expect(before.count > 3)
    for part in before { #expect(part.last == 0x0A) }
    let middle = bytes.count / 2
    bytes.insert(contentsOf: "inserted".utf8, at: middle)
    let after = try await parts()
    let changed = after.filter { !before.contains($0) }
    #expect(changed.count >= 1 && changed.count <= 3)
  }
}

extension LineCuts {
  /// Cuts files of some hundred kilobytes into many parts.
  static let small = LineCuts(
    smallestFile: 100 << 10,
    blockSize: 32 << 10,
    usualBits: 14,
    shortest: 2 << 10,
    longest: 64 << 10
  )
}
