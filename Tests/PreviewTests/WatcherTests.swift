import Bytes
import Glibc
import Testing

@testable import Preview

/// Files changed as people and editors do it.
@Suite
struct WatcherTests {
  final class Watched {
    let folder = TemporaryFolder()
    let watcher: Watcher

    init(polls: Bool) throws {
      try folder.write("a", to: "Content/posts/a.md")
      try folder.write("t", to: "stillfeed.yml")
      try folder.write("o", to: "Content/out/index.html")
      var plan = WatchPlan(
        root: folder.path,
        names: ["stillfeed.yml", "Content", "Templates"],
        output: folder.path + "/Content/out"
      )
      plan.polls = polls
      plan.pollSeconds = 0.05
      watcher = Watcher(plan)
    }

    deinit { watcher.stop() }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func append(_ text: String, to name: String) {
      let file = open(path(name), O_WRONLY | O_APPEND | O_CREAT, 0o644)
      _ = Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      close(file)
    }

    /// What is told until all of `names` were, or two seconds have passed.
    func changes(until names: Set<String>) -> Set<String> {
      var told: Set<String> = []
      let end = ContinuousClock.now + .seconds(2)
      while !told.isSuperset(of: names), ContinuousClock.now < end {
        told.formUnion(watcher.take().paths)
        usleep(10_000)
      }
      return told
    }

    /// What is told within a time in which anything would be.
    func changes(for seconds: Double) -> Set<String> {
      usleep(UInt32(seconds * 1e6))
      return watcher.take().paths
    }
  }

  @Test(arguments: [false, true])
  func writesAreTold(polls: Bool) throws {
    let watched = try Watched(polls: polls)
    #expect(watched.watcher.polls == polls)
    watched.append("b", to: "Content/posts/a.md")
    #expect(watched.changes(until: ["Content/posts/a.md"]) == ["Content/posts/a.md"])
    watched.append("b", to: "stillfeed.yml")
    #expect(watched.changes(until: ["stillfeed.yml"]) == ["stillfeed.yml"])
    unlink(watched.path("Content/posts/a.md"))
    #expect(watched.changes(until: ["Content/posts/a.md"]) == ["Content/posts/a.md"])
  }

  @Test(arguments: [false, true])
  func savesByRenameAreTold(polls: Bool) throws {
    let watched = try Watched(polls: polls)
    // sed -i, and our own writer.
    try FileSystem.write(Array("x".utf8).span, to: watched.path("Content/posts/a.md"))
    #expect(watched.changes(until: ["Content/posts/a.md"]) == ["Content/posts/a.md"])
    // Vim: the old file becomes a backup, and a new one takes its name.
    rename(watched.path("Content/posts/a.md"), watched.path("Content/posts/a.md~"))
    watched.append("y", to: "Content/posts/a.md")
    #expect(watched.changes(until: ["Content/posts/a.md"]) == ["Content/posts/a.md"])
    watched.append("z", to: "stillfeed.yml.new")
    rename(watched.path("stillfeed.yml.new"), watched.path("stillfeed.yml"))
    #expect(watched.changes(until: ["stillfeed.yml"]) == ["stillfeed.yml"])
  }

  @Test(arguments: [false, true])
  func newFoldersAreWatchedWithWhatIsInThem(polls: Bool) throws {
    let watched = try Watched(polls: polls)
    try watched.folder.write("m", to: "elsewhere/x/y/m.jsonl")
    rename(watched.path("elsewhere"), watched.path("Content/channels"))
    let file = "Content/channels/x/y/m.jsonl"
    #expect(watched.changes(until: [file]).contains(file))
    watched.append("more", to: file)
    #expect(watched.changes(until: [file]).contains(file))
    try watched.folder.write("t", to: "Templates/deep/post.mustache")
    let template = "Templates/deep/post.mustache"
    #expect(watched.changes(until: [template]).contains(template))
    watched.append("more", to: template)
    #expect(watched.changes(until: [template]).contains(template))
  }

  @Test(arguments: [false, true])
  func movedFoldersAreTold(polls: Bool) throws {
    let watched = try Watched(polls: polls)
    rename(watched.path("Content/posts"), watched.path("Content/notes"))
    #expect(watched.changes(until: ["Content/notes/a.md"]).contains("Content/notes/a.md"))
    _ = watched.changes(for: 0.2)
    watched.append("b", to: "Content/notes/a.md")
    #expect(watched.changes(until: ["Content/notes/a.md"]) == ["Content/notes/a.md"])
    rename(watched.path("Content/notes"), watched.path("gone"))
    #expect(!watched.changes(for: 0.3).isEmpty)
    watched.append("b", to: "gone/a.md")
    #expect(watched.changes(for: 0.3).isEmpty)
    rename(watched.path("gone"), watched.path("Content/posts"))
    #expect(watched.changes(until: ["Content/posts/a.md"]).contains("Content/posts/a.md"))
  }

  @Test(arguments: [false, true])
  func whatIsNobodysContentIsNotTold(polls: Bool) throws {
    let watched = try Watched(polls: polls)
    for name in [
      "Content/posts/.a.md.swp", "Content/posts/a.md~", "Content/posts/4913",
      "Content/posts/#a.md#",
      "Content/posts/.#a.md", "Content/posts/a.md.tmp", "Content/.git/index",
      "Content/out/index.html",
      "Content/out/new/index.html", ".stillfeed/state", "Site/index.html", "other.yml",
    ] {
      try watched.folder.write("x", to: name)
      watched.append("x", to: name)
    }
    #expect(watched.changes(for: 0.4).isEmpty)
    watched.append("b", to: "Content/posts/a.md")
    #expect(watched.changes(until: ["Content/posts/a.md"]) == ["Content/posts/a.md"])
  }

  @Test
  func aFullQueueMakesEverythingChanged() throws {
    let folder = TemporaryFolder()
    try folder.write("a", to: "Content/a.md")
    let plan = WatchPlan(root: folder.path, names: ["Content"], output: "/nowhere")
    var tree = try InotifyTree(plan)
    // More events than the queue takes (fs.inotify.max_queued_events, 16,384 by default), unread.
    let setting = try FileDescriptor(reading: "/proc/sys/fs/inotify/max_queued_events")
    let text = try setting.read(count: 32, at: 0)
    let most = Int(String(decoding: text, as: UTF8.self).filter(\.isNumber)) ?? 16_384
    try #require(most <= 200_000)
    for number in 0...(most / 2) {
      mkdir(folder.path + "/Content/d\(number % 500)", 0o755)
      rmdir(folder.path + "/Content/d\(number % 500)")
    }
    try folder.write("b", to: "Content/late/b.md")
    let changes = tree.read()
    #expect(changes.isEverything)
    // The folder whose event was lost is watched nevertheless.
    #expect(tree.watchedFolders.contains("Content/late"))
    try folder.write("c", to: "Content/late/c.md")
    #expect(tree.read().paths.contains("Content/late/c.md"))
  }

  @Test
  func aBurstIsToldOnce() async throws {
    let watched = try Watched(polls: false)
    for number in 0..<200 { watched.append("x", to: "Content/posts/\(number).md") }
    var signals = watched.watcher.signals.makeAsyncIterator()
    _ = await signals.next()
    #expect(watched.watcher.take().paths.count == 200)
    #expect(watched.changes(for: 0.2).isEmpty)
  }
}
