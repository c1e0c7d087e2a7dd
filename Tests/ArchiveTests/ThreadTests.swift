import Bytes
import Testing

@testable import Archive

/// The graphs of Fixtures/hostile/structure/threads.json, made as it says.
@Suite("Threads")
struct ThreadTests {
  struct Graph: Sendable, CustomTestStringConvertible {
    var name: String
    var messages: Int
    var parent: @Sendable (Int) -> String?
    var topLevel: Int
    var missing = 0
    var cuts = 0
    var height = 1
    var testDescription: String { name }
  }

  static let graphs = [
    Graph(
      name: "chain",
      messages: 5000,
      parent: { "m\($0 - 1)" },
      topLevel: 1,
      missing: 1,
      height: 4999
    ),
    Graph(name: "self reply", messages: 1, parent: { "m\($0)" }, topLevel: 1, cuts: 1, height: 0),
    Graph(name: "two-cycle", messages: 2, parent: { "m\(1 - $0)" }, topLevel: 1, cuts: 1),
    Graph(
      name: "ring",
      messages: 1000,
      parent: { "m\(($0 + 1) % 1000)" },
      topLevel: 1,
      cuts: 1,
      height: 999
    ),
    Graph(
      name: "ring with tail",
      messages: 1000,
      parent: { $0 == 0 ? "m500" : "m\($0 - 1)" },
      topLevel: 1,
      cuts: 1,
      height: 999
    ),
    Graph(name: "star", messages: 1000, parent: { $0 == 0 ? nil : "m0" }, topLevel: 1),
    Graph(
      name: "orphans",
      messages: 100,
      parent: { "gone\($0)" },
      topLevel: 100,
      missing: 100,
      height: 0
    ),
    Graph(
      name: "forward parents",
      messages: 1000,
      parent: { "m\($0 + 1)" },
      topLevel: 1,
      missing: 1,
      height: 999
    ),
  ]

  private func lines(_ graph: Graph) -> String {
    (0..<graph.messages).map { number in
      let parent = graph.parent(number).map { #","replyTo":"\#($0)""# } ?? ""
      return
        #"{"id":"m\#(number)","author":"a\#(number % 7)","date":\#(1_704_067_200 + number)\#(parent)}"#
    }.joined(separator: "\n")
  }

  @Test(arguments: graphs)
  func everyMessageStandsOnce(_ graph: Graph) async throws {
    let folder = try TemporaryArchive(["Content/channels/c/all.jsonl": lines(graph)])
    let (archive, diagnostics) = try await folder.read()
    #expect(archive.entries.count == graph.messages)
    let thread = Thread(of: archive.channels[0].messages, in: archive.entries)
    #expect(Set(thread.nodes.map(\.entry)).count == graph.messages)
    #expect(thread.nodes.filter { $0.depth == 0 }.count == graph.topLevel)
    #expect(
      thread.replies().map { thread.nodes[$0].depth } == Array(repeating: 0, count: graph.topLevel)
    )
    #expect(thread.height == graph.height)
    let flags = archive.entries.map(\.flags)
    #expect(flags.filter { $0.contains(.missingParent) }.count == graph.missing)
    #expect(flags.filter { $0.contains(.cutCycle) }.count == graph.cuts)
    #expect(diagnostics.filter { $0.severity == .warning }.count == graph.missing + graph.cuts)
    if graph.cuts == 1 {
      // The oldest of the ring is the one at the top.
      #expect(thread.nodes[0].entry == EntryID(0))
    }
    for (position, node) in thread.nodes.enumerated() {
      let parent = archive.entries[node.entry.index].parent
      #expect((parent == .none) == (node.depth == 0))
      #expect(position + Int(node.size) <= thread.nodes.count)
      for reply in thread.replies(to: position) {
        #expect(archive.entries[thread.nodes[reply].entry.index].parent == node.entry)
      }
    }
  }

  private func chain(_ count: Int) -> Archive {
    var archive = Archive()
    archive.entries.reserveCapacity(count)
    for index in 0..<count {
      var entry = Entry(kind: .message)
      entry.parent = index == 0 ? .none : EntryID(index - 1)
      archive.entries.append(entry)
    }
    return archive
  }

  @Test("A chain of a million replies")
  func longChain() {
    let archive = chain(1_000_000)
    let thread = Thread(of: 0..<1_000_000, in: archive.entries)
    #expect(thread.height == 999_999)
    #expect(thread.nodes.first?.size == 1_000_000)
    #expect(thread.nodes.last?.size == 1)
  }

  @Test("Siblings oldest first, newest first, or by likes")
  func orders() {
    var archive = Archive()
    for (parent, likes) in [(-1, 1), (-1, 5), (0, 2), (0, 7), (-1, 5)] {
      var entry = Entry(kind: .comment)
      entry.parent = parent < 0 ? .none : EntryID(parent)
      entry.likes = UInt32(likes)
      archive.entries.append(entry)
    }
    func order(_ order: Configuration.CommentOrder) -> [Int] {
      Thread(of: 0..<5, in: archive.entries, order: order).nodes.map(\.entry.index)
    }
    #expect(order(.oldest) == [0, 2, 3, 1, 4])
    #expect(order(.newest) == [4, 1, 0, 3, 2])
    #expect(order(.likes) == [1, 4, 0, 3, 2])
    let some = Thread(of: [EntryID(0), EntryID(3), EntryID(4)], in: archive.entries)
    #expect(some.nodes.map(\.depth) == [0, 1, 0])
    #expect(some.nodes.map(\.replies) == [1, 0, 0])
  }
}
