import Testing

@testable import Archive

@Suite("Natural order")
struct NaturalOrderTests {
  private func precedes(_ left: String, _ right: String) -> Bool {
    Array(left.utf8).withUnsafeBufferPointer { left in
      Array(right.utf8).withUnsafeBufferPointer { precedesNaturally(left, $0) }
    }
  }

  private static let ascending = [
    "", "0", "00", "001", "01", "1", "2", "09", "9", "10", "10a", "11", "100",
    "18446744073709551615", "18446744073709551616", "M2", "M10", "a", "a-1", "a0", "a01", "a1",
    "a1-2", "a1-10", "a1b9",
    "a1b10", "a2", "ab", "b9c10", "b10c9", "post", "post2", "post10", "é9", "é10", "時9", "時10",
  ]

  @Test("Numbers count by their value; the order is total")
  func total() {
    for (place, left) in Self.ascending.enumerated() {
      for (other, right) in Self.ascending.enumerated() {
        #expect(precedes(left, right) == (place < other), "\(left) \(right)")
      }
    }
  }
}
