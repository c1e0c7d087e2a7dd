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
}
