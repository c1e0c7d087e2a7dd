import Bytes
import Testing

@Suite
struct NameSuggestionTests {
  static let names = ["post", "posts", "page", "layout", "Europe/Berlin", "head"]

  @Test(arguments: [
    ("pst", "post"), ("POST", "post"), ("opst", "post"), ("layuot", "layout"),
    ("berlin", "Europe/Berlin"),
    ("hed", "head"), ("xyzzy", nil), ("", nil), ("quite another word", nil),
  ])
  func findsTheNearest(name: String, expected: String?) {
    #expect(NameSuggestion.nearest(to: name, among: Self.names) == expected)
  }

  @Test
  func takesTheEarlierOfEquals() {
    #expect(NameSuggestion.nearest(to: "bat", among: ["cat", "rat"]) == "cat")
    #expect(NameSuggestion.nearest(to: "a", among: []) == nil)
  }
}
