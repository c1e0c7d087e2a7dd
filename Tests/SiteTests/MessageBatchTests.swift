import Archive
import Testing

@testable import Site

@Suite("A page's messages and those they answer")
struct MessageBatchTests {
  /// Each the answer to the one at the given position, -1 for none.
  private static func entries(answering parents: [Int]) -> [Entry] {
    parents.map { parent in
      var entry = Entry(kind: .message)
      entry.parent = parent < 0 ? .none : EntryID(parent)
      return entry
    }
  }

  @Test(
    "holds each once and finds each",
    arguments: [
      [], [4, 5, 6, 7], [7, 6, 5, 4], [5, 2, 7, 0], [3], [0, 1, 2, 3, 4, 5, 6, 7],
    ]
  )
  func places(_ page: [Int]) {
    let all = Self.entries(answering: [-1, 0, 0, -1, 1, 1, 7, 3])
    let messages = page.map { EntryID($0) }
    let batch = MessageBatch(messages, in: all)
    #expect(Array(batch.entries.prefix(messages.count)) == messages)
    #expect(Set(batch.entries).count == batch.entries.count)
    let answered = messages.map { all[$0.index].parent }.filter { $0 != .none }
    #expect(Set(batch.entries) == Set(messages + answered))
    for index in all.indices {
      let id = EntryID(index)
      #expect(batch.place(of: id) == batch.entries.firstIndex(of: id))
    }
    #expect(batch.place(of: .none) == nil)
  }
}
