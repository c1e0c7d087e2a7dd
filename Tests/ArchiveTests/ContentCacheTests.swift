import Bytes
import Glibc
import Testing

@testable import Archive

/// What is kept between runs must never show: with it, without it and with it damaged the archive is
/// the same.
@Suite("Kept harvests")
struct ContentCacheTests {
  /// Random numbers that are the same in every run.
  struct Dice {
    var state: UInt64

    mutating func roll(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  private static func read(
    _ folder: TemporaryArchive,
    cached: Bool,
    raciness: Int64 = -3_600_000_000_000
  ) async throws -> (archive: Archive, diagnostics: [Diagnostic]) {
    let (configuration, _) = Configuration.read(root: folder.root)
    var cache: ContentCache?
    if cached {
      try FileSystem.makeDirectories(folder.root + "/.stillfeed")
      var kept = try #require(ContentCache(in: folder.root + "/.stillfeed"))
      kept.raciness = raciness
      cache = kept
    }
    var reader = ContentReader(
      root: folder.root,
      configuration: configuration,
      workers: 2,
      cache: cache
    )
    reader.cuts = .small
    return try await reader.read(audience: .private, drafts: true)
  }

  private static func expectEqual(
    _ folder: TemporaryArchive,
    _ what: String
  ) async throws {
    let plain = try await read(folder, cached: false)
    let cached = try await read(folder, cached: true)
    #expect(cached.archive.differences(from: plain.archive) == [], "\(what)")
    #expect(cached.diagnostics == plain.diagnostics, "\(what)")
    #expect(cached.archive.text == plain.archive.text, "\(what)")
  }

  private static func kept(_ folder: TemporaryArchive) throws -> [String] {
    try FileSystem.list(folder.root + "/.stillfeed/harvest").map(\.name).filter {
      $0.utf8.starts(with: "h-".utf8)
    }
  }

  /// An archive with everything that a harvest holds.
  private static func archive(_ dice: inout Dice) throws -> TemporaryArchive {
    let folder = try TemporaryArchive([
      "Content/media/cat.png": "not really",
      "Content/channels/t/channel.yml": "view: topics\nfields:\n  wer: author\n",
      "Content/channels/c/channel.yml": "dates: apple\n",
      "Content/pages/about.md":
        "---\ntitle: About\nimage: gone.png\naliases: [/a/, ../b]\n---\nWords\n",
      "Content/pages/draft.html": "---\ntitle: Draft\ndraft: true\n---\n<p>x</p>\n",
      "Content/posts/broken.md": "---\ntitle: [\n---\nBody\n",
      "Content/posts/latin.md": "---\ntitle: x\n---\n",
      "Content/comments/post-3.yml": "author: Eve\nbody: hello\ndate: 2024-01-01\n",
      "Content/comments/nobody.json": #"[{"author":"Eve","body":"lost"}]"#,
    ])
    for number in 0..<90 { try post(number, &dice, in: folder) }
    try large(400, &dice, in: folder)
    return folder
  }

  private static func post(_ number: Int, _ dice: inout Dice, in folder: TemporaryArchive) throws {
    let day = "2024-0\(1 + dice.roll(9))-1\(dice.roll(10))"
    let fields = [
      "tags: [a, b\(dice.roll(5))]", "image: cat.png", "image: missing.png", "likes: 5\nshares: 2",
      "audience: friends", "draft: true", "updated: 2025-01-01", "id: own-\(number)",
      "aliases: [/old/\(number)/]", "date: nonsense", "deleted: true",
      "media: [../../x, http://a/b.png]",
      "format: odd", "parent: nobody", "avatar: cat.png",
    ]
    var matter = "title: Post \(number)\nauthor: user\(dice.roll(9))\ndate: \(day)\n"
    for _ in 0..<dice.roll(4) { matter += fields[dice.roll(fields.count)] + "\n" }
    let body = String(repeating: "Words of post \(number). ", count: dice.roll(20))
    try folder.write("Content/posts/post-\(number).md", "---\n\(matter)---\n\(body)\n")
    if dice.roll(3) == 0 {
      try folder.write(
        "Content/posts/j\(number).json",
        #"{"author":"Ada","date":\#(dice.roll(1 << 30)),"title":"J","comments":[{"author":"Eve","date":1,"#
          + #""body":"c","replies":[{"author":"Bob","date":2,"body":"r"}, 7]}]}"#
      )
    }
    if dice.roll(3) == 0 {
      try folder.write(
        "Content/comments/post-\(number).jsonl",
        #"{"author":"Eve","date":"\#(day)","body":"x"}"# + "\n{oops}\n"
      )
    }
    try folder.write(
      "Content/channels/t/m\(number).json",
      #"[{"wer":"Ada","date":\#(number),"topic":{"id":"T\#(dice.roll(9))","title":"About"},"body":"t"}]"#
    )
  }

  private static func line(_ number: Int, _ dice: inout Dice) -> String {
    let extra = [
      #","replyTo":"m\#(dice.roll(number + 1))""#, #","media":["cat.png"]"#, #","date":"x""#,
      #","replies":[{"author":"Eve","date":5,"body":"x"}]"#, #","avatar":"a\#(dice.roll(3)).png""#,
      "", "", "", #","media":["gone.png"]"#,
    ][dice.roll(9)]
    let body = String(repeating: "words ", count: dice.roll(60))
    return #"{"id":"m\#(number)","author":"user\#(dice.roll(30))","date":\#(700_000_000 + number),"#
      + #""body":"\#(body)"\#(extra)}"# + "\n"
  }

  private static func large(_ count: Int, _ dice: inout Dice, in folder: TemporaryArchive) throws {
    var text = ""
    for number in 0..<count { text += line(number, &dice) }
    while text.utf8.count < 120 << 10 { text += line(count + text.utf8.count, &dice) }
    try folder.write("Content/channels/c/large.jsonl", text)
  }

  /// A change as people and programs make them.
  private static func change(_ dice: inout Dice, in folder: TemporaryArchive) throws -> String {
    let large = "Content/channels/c/large.jsonl"
    let path = folder.root + "/" + large
    switch dice.roll(8) {
    case 0:
      try post(dice.roll(90), &dice, in: folder)
      return "a post changed"
    case 1:
      try post(100 + dice.roll(90), &dice, in: folder)
      return "a post added"
    case 2:
      unlink(folder.root + "/Content/posts/post-\(dice.roll(90)).md")
      return "a post removed"
    case 3:
      try folder.write(large, bytes: FileSystem.read(path) + Array(line(9000, &dice).utf8))
      return "a message appended"
    case 4:
      var bytes = try FileSystem.read(path)
      let place = try #require(bytes[(bytes.count / 2)...].firstIndex(of: 0x0A)) + 1
      bytes.insert(contentsOf: Array(line(9001, &dice).utf8), at: place)
      try folder.write(large, bytes: bytes + Array(line(9002, &dice).utf8))
      return "a message in the middle, and one appended"
    case 5:
      let name = ["gone.png", "missing.png"][dice.roll(2)]
      let medium = "\(folder.root)/Content/media/\(name)"
      if FileSystem.status(medium) == nil {
        try folder.write("Content/media/\(name)", "now there")
      } else {
        unlink(medium)
      }
      return "a medium came or went"
    case 6:
      let zone = ["UTC", "Asia/Taipei", "America/New_York"][dice.roll(3)]
      try folder.write("stillfeed.yml", "timeZone: \(zone)\n")
      return "another time zone"
    default:
      let reading = ["apple", "iso"][dice.roll(2)]
      try folder.write("Content/channels/c/channel.yml", "dates: \(reading)\n")
      return "dates read otherwise"
    }
  }

  @Test("After any change as without", arguments: [1, 2, 3] as [UInt64])
  func changes(_ seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let folder = try Self.archive(&dice)
    try await Self.expectEqual(folder, "at first")
    for _ in 0..<16 {
      let what = try Self.change(&dice, in: folder)
      try await Self.expectEqual(folder, what)
      if dice.roll(3) == 0 { try await Self.expectEqual(folder, "nothing changed") }
    }
    let size = try Self.kept(folder).reduce(0) {
      try $0 + FileSystem.read("\(folder.root)/.stillfeed/harvest/\($1)").count
    }
    // No rest of what was: as many files as portions, no more bytes than the content and its index.
    #expect(size < 600 << 10)
  }

  @Test("A file is used where nothing changed, and only in the place where it was made")
  func isUsed() async throws {
    var dice = Dice(state: 7)
    let folder = try Self.archive(&dice)
    _ = try await Self.read(folder, cached: true)
    for name in try Self.kept(folder) {
      try forge("\(folder.root)/.stillfeed/harvest/\(name)") { bytes in
        for place in bytes.indices.dropLast(4)
        where bytes[place...].starts(with: "user1".utf8) {
          bytes[place + 4] = UInt8(ascii: "X")
        }
      }
    }
    let forged = try await Self.read(folder, cached: true)
    #expect(forged.archive.people.contains { $0.id == "userX" })
    #expect(!forged.archive.people.contains { $0.id == "user1" })
    // A second folder of the same content, the state copied with it.
    let copy = try TemporaryArchive([:])
    try copy.copy(folder.root + "/Content", to: "Content")
    try copy.copy(folder.root + "/.stillfeed/harvest", to: ".stillfeed/harvest")
    let found = try await Self.read(copy, cached: true)
    #expect(!found.archive.people.contains { $0.id == "userX" })
    #expect(found.archive.people.contains { $0.id == "user1" })
  }

  @Test("Files that were changed just now are read again")
  func racy() async throws {
    let folder = try TemporaryArchive(["Content/posts/a.md": "---\ndate: 2024-01-01\n---\n"])
    _ = try await Self.read(folder, cached: true, raciness: 2_000_000_000)
    #expect(try Self.kept(folder) == [])
    _ = try await Self.read(folder, cached: true)
    #expect(try Self.kept(folder).count == 1)
  }

  @Test("Damaged files cost a reading")
  func damage() async throws {
    var dice = Dice(state: 11)
    let folder = try Self.archive(&dice)
    _ = try await Self.read(folder, cached: true)
    let plain = try await Self.read(folder, cached: false)
    for round in 0..<12 {
      for name in try Self.kept(folder) {
        let path = "\(folder.root)/.stillfeed/harvest/\(name)"
        var bytes = try FileSystem.read(path)
        switch (round + dice.roll(4)) % 4 {
        case 0: bytes[dice.roll(bytes.count)] ^= UInt8(1 << dice.roll(8))
        case 1: bytes.removeLast(1 + dice.roll(bytes.count))
        case 2: bytes.append(0)
        default: continue
        }
        try FileSystem.write(bytes, to: path)
      }
      let found = try await Self.read(folder, cached: true)
      #expect(found.archive.differences(from: plain.archive) == [])
      #expect(found.diagnostics == plain.diagnostics)
    }
  }

  @Test("Crafted files with right checksums are read without harm")
  func crafted() async throws {
    var dice = Dice(state: 13)
    let folder = try Self.archive(&dice)
    _ = try await Self.read(folder, cached: true)
    var originals = try Self.kept(folder).map {
      (name: $0, bytes: try FileSystem.read("\(folder.root)/.stillfeed/harvest/\($0)"))
    }
    // Names and headers are of this place; the same rolls for the same bodies in every run.
    originals.sort { $0.bytes[16...].lexicographicallyPrecedes($1.bytes[16...]) }
    for _ in 0..<50 {
      for (name, original) in originals {
        let path = "\(folder.root)/.stillfeed/harvest/\(name)"
        try FileSystem.write(original, to: path)
        try forge(path) { bytes in
          for _ in 0...dice.roll(3) {
            let place = dice.roll(bytes.count)
            switch dice.roll(4) {
            case 0: bytes[place] ^= UInt8(1 << dice.roll(8))
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][dice.roll(5)]
            case 2: bytes.remove(at: place)
            default: bytes.insert(UInt8(dice.roll(256)), at: place)
            }
            if bytes.isEmpty { bytes = [0] }
          }
        }
      }
      let found = try await Self.read(folder, cached: true)
      #expect(found.archive.files.count > 90)
    }
  }

  /// Changes what stands behind the header and makes the checksum right, as somebody could who knew
  /// all that goes into it.
  private func forge(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    let bytes = try FileSystem.read(path)
    var body = Array(bytes[16...])
    change(&body)
    let key = bytes.withUnsafeBufferPointer { bytes in
      var cursor = CacheCursor(bytes)
      return cursor.fixed()
    }
    var file = ByteBuffer()
    file.append(fixed: key)
    file.append(fixed: Fingerprint.of(body.span, seed: key))
    file.append(body)
    try FileSystem.write(file.array, to: path)
  }
}
