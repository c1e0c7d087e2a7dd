import Testing

@testable import Archive

@Suite("Runs of entries")
struct EntryRunTests {
  @Test("each entry stands in its run, in the order of placing")
  func placing() {
    let uses = [(7, 2), (3, 0), (9, 2), (4, 0), (1, 2)]
    var runs = EntryRuns(count: 4)
    for (_, run) in uses { runs.count(run) }
    runs.allocate()
    for (entry, run) in uses { runs.place(EntryID(entry), in: run) }
    #expect((0..<4).map { runs.run($0).map(\.index) } == [[3, 4], [], [7, 9, 1], []])
    runs.sort(by: <)
    #expect(runs.run(2).map(\.index) == [1, 7, 9])
    #expect(runs.run(0).last == EntryID(4) && runs.run(1).first == nil)
    #expect(Array(runs.run(2)[1..<3]).map(\.index) == [7, 9])
    #expect(EntryRun().isEmpty)
  }
}
