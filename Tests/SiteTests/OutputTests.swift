import Bytes
import Glibc
import Testing

@testable import Site

@Suite("The output folder and what is remembered of it")
struct OutputTests {
  private static let files = [
    "Content/posts/one.md": "---\ndate: 2024-01-01\naliases: [old/deep/one/]\n---\nOne\n",
    "Content/posts/two.md": "---\ndate: 2024-01-02\n---\nTwo\n",
  ]

  @Test("a second build of the same writes nothing and removes nothing")
  func again() async throws {
    let site = try TemporarySite(Self.files)
    let first = try await site.build()
    let inode = FileSystem.status(first.path + "/index.html")?.inode
    let second = try await site.build()
    #expect(first.report.written == first.report.files)
    #expect(first.report.files == first.files.count)
    #expect(first.report.bytes == first.files.values.reduce(0) { $0 + $1.count })
    #expect(second.report.written == 0)
    #expect(second.report.removed == 0)
    #expect(first.files == second.files)
    #expect(FileSystem.status(first.path + "/index.html")?.inode == inode)
  }

  @Test("what is no longer planned goes, with its empty folders; what others put there stays")
  func sweep() async throws {
    let site = try TemporarySite(Self.files)
    let first = try await site.build()
    for path in ["foreign.txt", "posts/one/foreign.txt", "posts/own/index.html", ".git/HEAD"] {
      try Files.write(Array("foreign".utf8), to: "\(first.path)/\(path)")
    }
    symlink("/", first.path + "/posts/link")
    try site.remove("Content/posts/one.md")
    let second = try await site.build()
    #expect(second.files["posts/one/index.html"] == nil)
    #expect(!FileSystem.isDirectory(first.path + "/old"))
    #expect(second.report.removed == 2)
    for path in ["foreign.txt", "posts/one/foreign.txt", "posts/own/index.html", ".git/HEAD"] {
      #expect(second.text(path) == "foreign", "\(path)")
    }
    #expect(FileSystem.status(first.path + "/posts/link")?.kind == .link)
  }

  @Test("a build into a folder full of foreign files takes none of them away")
  func foreign() async throws {
    let site = try TemporarySite(Self.files)
    let output = site.folder + "/Site"
    for path in ["index.html", "posts/zero/index.html", "notes.txt"] {
      try Files.write(Array("foreign".utf8), to: "\(output)/\(path)")
    }
    let built = try await site.build()
    #expect(built.report.removed == 0)
    #expect(built.text("notes.txt") == "foreign")
    #expect(built.text("posts/zero/index.html") == "foreign")
    #expect(built.text("index.html").contains("<html"))
  }

  @Test("no link in the output leads a write out of it")
  func links() async throws {
    let site = try TemporarySite(Self.files)
    let victim = site.folder + "/victim"
    try Files.write(Array("safe".utf8), to: victim + "/index.html")
    let output = site.folder + "/Site"
    try FileSystem.makeDirectories(output)
    symlink(victim, output + "/posts")
    symlink(victim + "/index.html", output + "/index.html")
    await #expect(throws: FileError.self) { try await site.build() }
    #expect(try Files.list(victim) == ["index.html"])
    #expect(try Files.text(victim + "/index.html") == "safe")
  }

  @Test("one damaged copy of the memory costs nothing", arguments: 0...5, [false, true])
  func damage(_ kind: Int, isCopy: Bool) async throws {
    let site = try TemporarySite(Self.files)
    let first = try await site.build()
    let state = StateFolder(root: site.root)
    let path = isCopy ? state.copy(ofOutput: first.path) : state.manifest(ofOutput: first.path)
    // A build that has nothing to make puts it right, too, before the other one is damaged.
    try damage(
      isCopy ? state.manifest(ofOutput: first.path) : state.copy(ofOutput: first.path),
      kind
    )
    _ = try await site.build()
    try damage(path, kind)
    try site.remove("Content/posts/one.md")
    let second = try await site.build()
    #expect(second.report.removed > 0)
    #expect(second.files["posts/one/index.html"] == nil)
    let both = [state.manifest(ofOutput: first.path), state.copy(ofOutput: first.path)]
    #expect(try FileSystem.read(both[0]) == FileSystem.read(both[1]))
  }

  @Test("a lost or damaged memory costs nothing but what it would have removed", arguments: 0...5)
  func damage(_ kind: Int) async throws {
    let site = try TemporarySite(Self.files)
    let first = try await site.build()
    let state = StateFolder(root: site.root)
    try damage(state.manifest(ofOutput: first.path), kind)
    try damage(state.copy(ofOutput: first.path), kind)
    try site.remove("Content/posts/one.md")
    let second = try await site.build()
    #expect(second.report.removed == 0)
    #expect(second.files["posts/one/index.html"] != nil)
    // From now on it remembers again.
    try site.remove("Content/posts/two.md")
    let third = try await site.build()
    #expect(third.files["posts/two/index.html"] == nil)
  }

  private func damage(_ path: String, _ kind: Int) throws {
    var bytes = try FileSystem.read(path)
    switch kind {
    case 0: try FileSystem.removeFile(path)
    case 1: try Files.write(Array(bytes.dropLast()), to: path)
    case 2:
      bytes[bytes.count / 2] ^= 1
      try Files.write(bytes, to: path)
    case 3: try Files.write([], to: path)
    case 4: try Files.write(Array(repeating: UInt8(0xFF), count: 300), to: path)
    default: try Files.write(Array("stillfeed manifest 1\n".utf8), to: path)
    }
  }

  @Test("a memory that names files outside the output removes none of them")
  func forged() async throws {
    let site = try TemporarySite(Self.files)
    let first = try await site.build()
    try Files.write(Array("safe".utf8), to: site.folder + "/victim")
    let paths = ["../victim", site.folder + "/victim", "posts/../../victim", "", "/", "posts"]
    let manifest = StateFolder(root: site.root).manifest(ofOutput: first.path)
    try Manifest(paths: paths).write(to: manifest)
    _ = try? await site.build()
    #expect(try Files.text(site.folder + "/victim") == "safe")
    #expect(FileSystem.status(first.path + "/posts/two/index.html") != nil)
  }

  @Test("a manifest reads back as it was written, and not otherwise")
  func manifest() throws {
    let site = try TemporarySite()
    let path = site.folder + "/manifest"
    for paths in [[], ["a"], ["", "posts/雨/index.html", String(repeating: "x", count: 5000)]] {
      try Manifest(paths: paths).write(to: path)
      #expect(Manifest(readingFrom: path)?.paths == paths)
      let bytes = try FileSystem.read(path)
      for length in 0..<bytes.count where length < 100 || length > bytes.count - 20 {
        try Files.write(Array(bytes[..<length]), to: path)
        #expect(Manifest(readingFrom: path) == nil)
      }
      for index in bytes.indices where index < 60 || index > bytes.count - 20 {
        var damaged = bytes
        damaged[index] ^= 0x40
        try Files.write(damaged, to: path)
        #expect(Manifest(readingFrom: path) == nil)
      }
    }
    #expect(Manifest(readingFrom: site.folder + "/none") == nil)
    #expect(Manifest(readingFrom: site.folder) == nil)
  }

  @Test("whatever a manifest claims, it reads back as it is read, and its numbers do no harm")
  func claims() throws {
    var manifest = Manifest(paths: ["a", "b", "c"])
    // Found by fuzzing: sizes whose sum is no number.
    for index in 0..<3 { manifest.files[index].state.size = .max - index }
    manifest.summary.largestBytes = .max
    manifest.summary.entries = .max
    var bytes: [UInt8] = []
    manifest.encode { piece in piece.withUnsafeBufferPointer { bytes += $0 } }
    let read = try #require(Manifest(decoding: bytes))
    #expect(read.files == manifest.files)
    #expect(read.files.bytes == .max)
    // As many files as four bytes can say, and none of them there: told at once.
    bytes = Manifest.magic + [UInt8](repeating: 0, count: 8) + [255, 255, 255, 255]
    let hash = Fingerprint.of(bytes.span)
    let sealed = bytes + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
    let time = ContinuousClock().measure { #expect(Manifest(decoding: sealed) == nil) }
    #expect(time < .milliseconds(500))
  }

  @Test("each output folder has a memory of its own, and none is put under version control")
  func memories() async throws {
    let site = try TemporarySite(Self.files)
    let one = try await site.build("One")
    let two = try await site.build("Two")
    let state = StateFolder(root: site.root)
    #expect(state.manifest(ofOutput: one.path) != state.manifest(ofOutput: two.path))
    #expect(try Files.text(state.path + "/.gitignore") == "*\n")
    try site.remove("Content/posts/one.md")
    #expect(try await site.build("One").report.removed == 2)
    #expect(try await site.build("Two").report.removed == 2)
  }

  @Test("a build that fails leaves no site, and the next one is whole")
  func staging() async throws {
    let site = try TemporarySite(Self.files)
    try site.write("Templates/post.mustache", "{{#open}}")
    await #expect(throws: BuildFailure.self) { try await site.build() }
    #expect(FileSystem.status(site.folder + "/Site") == nil)
    try site.remove("Templates/post.mustache")
    // What a killed build left behind.
    try Files.write([1], to: site.folder + "/.Site.stillfeed-new/half/index.html")
    let built = try await site.build()
    #expect(built.files["half/index.html"] == nil)
    #expect(FileSystem.status(site.folder + "/.Site.stillfeed-new") == nil)
  }

  @Test("an output inside the archive is not read as content")
  func inside() async throws {
    let site = try TemporarySite(Self.files)
    let first = try await site.build("archive/Site")
    let second = try await site.build("archive/Site")
    #expect(first.files == second.files)
    #expect(second.report.written == 0)
  }

  @Test(
    "what would write over the archive itself is refused",
    arguments: ["", "/Content", "/Content/posts", "/Templates", "/.stillfeed", "/.."]
  )
  func overItself(_ place: String) async throws {
    let site = try TemporarySite(Self.files)
    try site.write("Templates/assets/custom.css", "x {}")
    let before = try Files.readAll(site.root)
    var options = BuildOptions(root: site.root, output: site.root + place)
    options.jobs = 1
    await #expect(throws: BuildFailure.self) { try await Build(options).run() }
    #expect(try Files.readAll(site.root) == before)
  }

  @Test(arguments: [
    ("/a/b", "/a/b"), ("/a//b/", "/a/b"), ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/../b", "/b"),
    ("/a/b/../../c", "/c"), ("/", "/"),
  ])
  func absolute(_ pair: (path: String, expected: String)) {
    #expect(AbsolutePath.of(pair.path) == pair.expected)
  }

  @Test("A folder that somebody removes while a site is written is made again")
  func removedFolder() throws {
    let site = try TemporarySite()
    let writer = try OutputWriter(
      site.folder + "/out",
      state: StateFolder(root: site.root),
      planned: Manifest().files
    )
    let bytes = Array("text".utf8)
    _ = try writer.write(bytes.span, to: "a/b/1.html")
    Files.remove(site.folder + "/.out.stillfeed-new/a")
    _ = try writer.write(bytes.span, to: "a/b/2.html")
    #expect(FileSystem.status(site.folder + "/.out.stillfeed-new/a/b/2.html")?.size == 4)
    writer.discard()
  }
}
