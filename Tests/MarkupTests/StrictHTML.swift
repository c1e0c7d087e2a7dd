/// Reads output as strictly as XML and judges it; whatever passes, an HTML parser sees the same.
///
/// Independent of the writers: it knows the grammar of tags, the elements and attributes allowed,
/// what URLs may be (as the hostile corpus has it) and which element may stand in which.
struct StrictHTML {
  private(set) var faults: [String] = []
  private let text: [UInt8]
  private var index = 0
  private var open: [String] = []

  /// The faults of `html`.
  static func faults(of html: String) -> [String] {
    var reader = StrictHTML(html)
    reader.read()
    return reader.faults
  }

  private init(_ html: String) { text = Array(html.utf8) }

  private static let attributes: [String: Set<String>] = [
    "a": ["href", "title", "rel", "class"], "ol": ["start", "reversed"],
    "img": ["src", "alt", "title", "loading", "decoding", "width", "height"],
    "td": ["colspan", "rowspan"], "th": ["colspan", "rowspan"], "code": ["class"],
    "span": ["class"], "abbr": ["title"], "dfn": ["title"],
  ]
  private static let void: Set<String> = ["br", "hr", "img", "wbr"]
  private static let inline: Set<String> = [
    "a", "b", "strong", "i", "em", "u", "s", "del", "ins", "code", "kbd", "samp", "var", "sub",
    "sup", "small", "mark", "q", "cite", "dfn", "abbr", "bdi", "ruby", "rt", "rp", "span", "br",
    "wbr", "img",
  ]
  private static let block: Set<String> = [
    "p", "div", "blockquote", "pre", "ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption",
    "table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr",
  ]
  private static let onlyText: Set<String> = [
    "p", "pre", "dt", "caption", "h1", "h2", "h3", "h4", "h5", "h6",
  ]
  private static let parents: [String: Set<String>] = [
    "li": ["ul", "ol"], "dt": ["dl"], "dd": ["dl"], "figcaption": ["figure"],
    "caption": ["table"], "thead": ["table"], "tbody": ["table"], "tfoot": ["table"],
    "tr": ["table", "thead", "tbody", "tfoot"], "td": ["tr"], "th": ["tr"], "rt": ["ruby"],
    "rp": ["ruby"],
  ]
  private static let children: [String: Set<String>] = [
    "ul": ["li"], "ol": ["li"], "dl": ["dt", "dd"], "tr": ["td", "th"],
    "table": ["caption", "thead", "tbody", "tfoot", "tr"], "thead": ["tr"], "tbody": ["tr"],
    "tfoot": ["tr"],
  ]

  private mutating func read() {
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "<"): readTag()
      case UInt8(ascii: ">"), UInt8(ascii: "\""): fault("raw \(text[index])")
      case UInt8(ascii: "&"): readReference()
      case 0...8, 11...12, 14...31, 127: fault("control character")
      default:
        if text[index] > 0x20, let parent = open.last, Self.children[parent] != nil {
          fault("text in <\(parent)>")
        }
        index += 1
      }
    }
    if !open.isEmpty { fault("open at the end: \(open)") }
  }

  private mutating func fault(_ what: String) {
    faults.append("\(what) at \(index)")
    index += 1
  }

  private mutating func readReference() {
    let start = index
    while index < text.count, text[index] != UInt8(ascii: ";"), index - start < 8 { index += 1 }
    let name = String(decoding: text[start..<min(index, text.count)], as: UTF8.self)
    guard ["&amp", "&lt", "&gt", "&quot", "&#x27"].contains(name) else {
      fault("reference \(name)")
      return
    }
    index += 1
  }

  private mutating func readTag() {
    index += 1
    let isClosing = index < text.count && text[index] == UInt8(ascii: "/")
    if isClosing { index += 1 }
    let name = readName()
    guard Self.inline.contains(name) || Self.block.contains(name) else {
      fault("element <\(name)>")
      return
    }
    if isClosing {
      if open.popLast() != name { fault("</\(name)> does not match") }
    } else {
      judgePlace(of: name)
      readAttributes(of: name)
      if Self.void.contains(name) {
        if !eat(" /") { fault("<\(name)> without /") }
      } else {
        open.append(name)
      }
    }
    if !eat(">") { fault("<\(name)> without >") }
  }

  private mutating func judgePlace(of name: String) {
    if let parents = Self.parents[name], !parents.contains(open.last ?? "") {
      fault("<\(name)> in <\(open.last ?? "")>")
    }
    if let parent = open.last, let children = Self.children[parent], !children.contains(name) {
      fault("<\(name)> in <\(parent)>")
    }
    if Self.block.contains(name), let parent = open.last(where: { $0 != "" }) {
      if Self.onlyText.contains(parent) || Self.inline.contains(parent) {
        fault("<\(name)> in <\(parent)>")
      }
    }
    if name == "a", open.contains("a") { fault("<a> in <a>") }
    if name.hasPrefix("h"), name != "hr", open.contains("th") { fault("<\(name)> in <th>") }
  }

  private mutating func readAttributes(of element: String) {
    var seen: Set<String> = []
    while index + 1 < text.count, text[index] == 0x20, text[index + 1] != UInt8(ascii: "/") {
      index += 1
      let name = readName()
      guard eat("=\"") else {
        fault("attribute \(name) without value")
        return
      }
      let start = index
      while index < text.count, text[index] != UInt8(ascii: "\"") {
        if text[index] == UInt8(ascii: "<") || text[index] == UInt8(ascii: ">") {
          fault("angle bracket in \(name)")
          return
        }
        if text[index] == UInt8(ascii: "&") { readReference() } else { index += 1 }
      }
      let value = Array(text[start..<min(index, text.count)])
      index += 1
      if !seen.insert(name).inserted { fault("\(name) twice") }
      if name != "dir", Self.attributes[element]?.contains(name) != true {
        fault("attribute \(name) of <\(element)>")
      }
      if name == "href" || name == "src" { judgeURL(value, isSource: name == "src") }
    }
  }

  /// Relative and not beginning with two slashes or backslashes, or of an allowed scheme.
  private mutating func judgeURL(_ value: [UInt8], isSource: Bool) {
    var url = value.filter { $0 != 9 && $0 != 10 && $0 != 13 }
    url = Array(url.drop { $0 <= 0x20 })
    let slashes = url.prefix { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    if slashes.count >= 2 { fault("host without scheme") }
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return }
    let scheme = String(decoding: url[..<colon], as: UTF8.self).lowercased()
    if scheme.utf8.contains(where: { "/?#".utf8.contains($0) }) { return }
    let isScheme = scheme.utf8.enumerated().allSatisfy { position, byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte)
        || (position > 0 && "0123456789+-.".utf8.contains(byte))
    }
    guard isScheme else { return }
    if isSource || !["http", "https", "mailto"].contains(scheme) { fault("scheme \(scheme)") }
  }

  private mutating func readName() -> String {
    let start = index
    while index < text.count,
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[index]
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index]
    {
      index += 1
    }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  private mutating func eat(_ word: String) -> Bool {
    guard text[index...].starts(with: word.utf8) else { return false }
    index += word.utf8.count
    return true
  }
}
