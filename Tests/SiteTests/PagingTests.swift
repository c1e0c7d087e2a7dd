import Testing

@testable import Site

@Suite("Pages that never move")
struct PagingTests {
  @Test(arguments: [
    (0, 0, 0..<0), (1, 0, 0..<1), (19, 0, 0..<19), (20, 0, 0..<20), (39, 0, 0..<39),
    (40, 1, 20..<40), (45, 1, 20..<45), (59, 1, 20..<59), (60, 2, 40..<60),
  ])
  func front(_ pair: (count: Int, numbered: Int, front: Range<Int>)) {
    let paging = Paging(count: pair.count, size: 20)
    #expect(paging.numbered == pair.numbered)
    #expect(paging.front == pair.front)
  }

  @Test
  func everyItemStandsOnceAndStaysThere() {
    var places: [Int: Int] = [:]
    for count in 0...200 {
      let paging = Paging(count: count, size: 7)
      var shown = (0..<paging.numbered).flatMap { paging.range(of: $0 + 1) }
      shown += paging.front
      #expect(shown == Array(0..<count))
      for index in 0..<count {
        guard let number = paging.number(holding: index) else { continue }
        #expect(places[index] ?? number == number)
        places[index] = number
      }
    }
  }

  @Test
  func parts() {
    #expect(Parts(count: 0, size: 5).total == 1)
    #expect(Parts(count: 0, size: 5).range(of: 1).isEmpty)
    #expect(Parts(count: 11, size: 5).total == 3)
    #expect(Parts(count: 11, size: 5).range(of: 3) == 10..<11)
    #expect(Parts(count: 11, size: 5).part(holding: 10) == 3)
  }

  @Test
  func firstIndexAgreesWithASearch() {
    for length in 0...40 {
      for edge in 1...max(1, length) {
        let found = Bucket.firstIndex(in: 0..<length) { $0 >= edge }
        #expect(found == min(edge, length))
      }
    }
  }

  /// A part ends where the next entry would be too much, and what was cut stays when more arrives.
  @Test
  func heavyListsAreCutByWeight() {
    let parts = Parts(count: 7, size: 5, starts: [0, 2, 3])
    #expect(parts.total == 3)
    #expect((1...3).map { parts.range(of: $0) } == [0..<2, 2..<3, 3..<7])
    #expect((0..<7).map { parts.part(holding: $0) } == [1, 1, 2, 3, 3, 3, 3])
  }

  @Test
  func longTextsAreCutOnCards() {
    let long = Array(String(repeating: "很長的文章 ", count: 2000).utf8)
    let end = Paragraphs.cut(long.span, near: 1000)
    #expect(end > 1000 && end <= 2000)
    #expect(String(validating: long[..<end], as: UTF8.self) != nil)
    let unbroken = Array(String(repeating: "長", count: 2000).utf8)
    let place = Paragraphs.cut(unbroken.span, near: 1000)
    #expect(place > 1900 && place <= 2000)
    #expect(String(validating: unbroken[..<place], as: UTF8.self) != nil)
    let short = Array("Two words.".utf8)
    #expect(Paragraphs.cut(short.span, near: 1000) == short.count)
  }
}
