import Testing

@testable import JSON

/// A document as a tree, written in one of several styles: what edits are compared with.
indirect enum Tree: Equatable {
  case scalar(String)
  case array([Tree])
  case object([(key: String, value: Tree)])

  static func == (left: Tree, right: Tree) -> Bool {
    left.text(Style(pretty: false)) == right.text(Style(pretty: false))
  }

  struct Style {
    var pretty: Bool
    var unit = "  "
    var colon = ":"
    var comma = ","
    var lineEnd = "\n"
  }

  static func random(_ random: inout Random, depth: Int) -> Tree {
    let scalars = ["1", "-2.50", "true", "null", "\"\"", #""a\"]}\\""#, #""é\u00e9""#, "1e3"]
    switch depth == 0 ? 0 : Int.random(in: 0..<4, using: &random) {
    case 0, 1: return .scalar(scalars[Int.random(in: 0..<scalars.count, using: &random)])
    case 2:
      return .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(&random, depth: depth - 1) }
      )
    default: return object(&random, depth: depth)
    }
  }

  static func object(_ random: inout Random, depth: Int) -> Tree {
    let keys = ["a", "b{", "c\\\"", "d"].shuffled(using: &random)
    return .object(
      keys.prefix(Int.random(in: 0...4, using: &random)).map {
        ($0, .random(&random, depth: depth - 1))
      }
    )
  }

  func text(_ style: Style, indent: String = "") -> String {
    func list(_ open: String, _ items: [String], _ close: String) -> String {
      if items.isEmpty { return open + close }
      guard style.pretty else { return open + items.joined(separator: style.comma) + close }
      let line = style.lineEnd + indent + style.unit
      return open + line + items.joined(separator: "," + line) + style.lineEnd + indent + close
    }
    let inner = indent + style.unit
    switch self {
    case .scalar(let text): return text
    case .array(let items): return list("[", items.map { $0.text(style, indent: inner) }, "]")
    case .object(let members):
      return list(
        "{",
        members.map { "\"\($0.key)\"" + style.colon + $0.value.text(style, indent: inner) },
        "}"
      )
    }
  }

  /// A random place in the tree.
  func path(_ random: inout Random) -> [JSONStep] {
    switch self {
    case .array(let items) where !items.isEmpty && Int.random(in: 0..<3, using: &random) > 0:
      let index = Int.random(in: 0..<items.count, using: &random)
      return [.element(index)] + items[index].path(&random)
    case .object(let members) where !members.isEmpty && Int.random(in: 0..<3, using: &random) > 0:
      let member = members[Int.random(in: 0..<members.count, using: &random)]
      return [.member(Self.unescaped(member.key))] + member.value.path(&random)
    default: return []
    }
  }

  static func unescaped(_ key: String) -> String { key == "c\\\"" ? "c\"" : key }

  /// The tree with the value at `path` changed; nil removes it.
  func changing(_ path: ArraySlice<JSONStep>, _ change: (Tree) -> Tree?) -> Tree? {
    guard let step = path.first else { return change(self) }
    switch (self, step) {
    case (.array(var items), .element(let index)):
      if let item = items[index].changing(path.dropFirst(), change) {
        items[index] = item
      } else {
        items.remove(at: index)
      }
      return .array(items)
    case (.object(var members), .member(let name)):
      let index = members.firstIndex { Array(Self.unescaped($0.key).utf8) == name } ?? 0
      if let value = members[index].value.changing(path.dropFirst(), change) {
        members[index].value = value
      } else {
        members.remove(at: index)
      }
      return .object(members)
    default: return nil
    }
  }
}

@Suite
struct EditorPropertyTests {
  func parsed(_ bytes: [UInt8]) throws -> String {
    var parser = JSONParser()
    return rewritten(try parser.parse(bytes.span))
  }

  /// Any edit of any document in any style does to the value what it does to the tree, and a
  /// document that is written in one style throughout stays so.
  @Test(arguments: 0..<8)
  func editsFollowTheTree(_ seed: Int) throws {
    var random = Random(state: UInt64(seed))
    for _ in 0..<400 {
      var style = Tree.Style(pretty: Bool.random(using: &random))
      style.colon = [":", ": ", " : "][Int.random(in: 0..<(style.pretty ? 3 : 2), using: &random)]
      style.comma = style.colon == ":" ? "," : ", "
      style.unit = ["  ", "\t", "    "][Int.random(in: 0..<3, using: &random)]
      style.lineEnd = Bool.random(using: &random) ? "\n" : "\r\n"
      let tree = Tree.object(&random, depth: 4)
      let text = tree.text(style)
      let path = tree.path(&random)
      let value = Tree.random(&random, depth: 2)
      let plain = Array(value.text(Tree.Style(pretty: false)).utf8)
      var editor = JSONEditor(Array(text.utf8))
      var expected: Tree?
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try editor.set(plain, at: path)
        expected = tree.changing(path[...]) { _ in value }
      case 1 where !path.isEmpty:
        try editor.remove(path)
        expected = tree.changing(path[...]) { _ in nil }
      case 2:
        do {
          try editor.set(plain, at: path + [.member("new")])
          expected = tree.changing(path[...]) {
            if case .object(let members) = $0 { .object(members + [("new", value)]) } else { $0 }
          }
        } catch {
          #expect(error == .wrongKind)
          expected = tree
        }
      default:
        do {
          try editor.append(plain, to: path.isEmpty ? [.record(0)] : path)
          expected = tree.changing(path[...]) {
            if case .array(let items) = $0 { .array(items + [value]) } else { $0 }
          }
        } catch {
          #expect(error == .wrongKind)
          expected = tree
        }
      }
      let wanted = try #require(expected)
      #expect(try parsed(editor.bytes) == parsed(Array(wanted.text(style).utf8)), "\(text) \(path)")
      // What is added is written as the rest, to the byte.
      if text.contains(":") {
        #expect(String(decoding: editor.bytes, as: UTF8.self) == wanted.text(style))
      }
    }
  }

  /// Records come and go in files of every layout, with broken ones between them.
  @Test(arguments: 0..<3)
  func recordsComeAndGo(_ layout: Int) throws {
    var random = Random(state: 9)
    for _ in 0..<300 {
      var records = (0..<Int.random(in: 1...5, using: &random)).map { "{\"n\":\($0)}" }
      func file() -> [UInt8] {
        switch layout {
        case 0: Array((records.joined(separator: "\n") + "\n").utf8)
        case 1: Array("[\(records.joined(separator: ","))]".utf8)
        default: Array("[\n\(records.joined(separator: ",\n"))\n]\n".utf8)
        }
      }
      var editor = JSONEditor(file())
      for turn in 0..<4 where !records.isEmpty {
        let index = Int.random(in: 0..<records.count, using: &random)
        let new = "{\"n\":\(turn + 10)}"
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where records.count > 1:
          try editor.remove([.record(index)])
          records.remove(at: index)
        case 1:
          try editor.insert(Array(new.utf8), at: [.record(index)])
          records.insert(new, at: index)
        case 2:
          try editor.set(Array(new.utf8), at: [.record(index)])
          records[index] = new
        default:
          try editor.append(Array(new.utf8))
          records.append(new)
        }
        #expect(
          String(decoding: editor.bytes, as: UTF8.self) == String(decoding: file(), as: UTF8.self)
        )
      }
    }
  }

  /// A damaged file is edited or refused, never more: what is outside the edit stays.
  @Test(arguments: 0..<6)
  func damagedFilesAreSafe(_ layout: Int) {
    var random = Random(state: UInt64(layout) + 300)
    let steps: [JSONStep] = [
      .record(0), .record(2), .record(9), .offset(0), .offset(3), .member("a"), .member("n"),
      .element(0), .element(1), .record(-1), .element(-1), .offset(99_999),
    ]
    var made = 0
    for _ in 0..<600 {
      let records = SplitterPropertyTests.records(&random, count: 0...4)
      var bytes = Array(SplitterPropertyTests.file(records, layout: layout).utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = Array("{}[],:\"\\ \n/".utf8)[Int.random(in: 0..<11, using: &random)]
      }
      let path = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        steps[Int.random(in: 0..<steps.count, using: &random)]
      }
      var editor = JSONEditor(bytes, format: layout == 3 ? .lines : .automatic)
      let value = Array("{\"x\":[1]}".utf8)
      let edit: JSONEdit?
      switch Int.random(in: 0..<5, using: &random) {
      case 0: edit = try? editor.set(value, at: path)
      case 1: edit = try? editor.remove(path)
      case 2: edit = try? editor.insert(value, at: path)
      case 3: edit = try? editor.append(value, to: path)
      default: edit = try? editor.appendLine(value)
      }
      var expected = bytes
      if let edit {
        made += 1
        expected.replaceSubrange(edit.range, with: edit.replacement)
      }
      #expect(editor.bytes == expected)
    }
    #expect(made > 60)
  }
}
