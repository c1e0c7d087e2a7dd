@testable import Mustache

/// A template as a tree, written out as Mustache and rendered the naive way.
indirect enum TemplateTree {
  case text(String)
  case variable(String)
  case raw(String)
  case section(String, [TemplateTree])
  case inverted(String, [TemplateTree])
  case partial(String)
  case dynamic(String)
  case block(String, [TemplateTree])
  case parent(String, [(block: String, body: [TemplateTree])])

  var source: String {
    switch self {
    case .text(let text): text
    case .variable(let name): "{{\(name)}}"
    case .raw(let name): name.utf8.count > 1 ? "{{{ \(name) }}}" : "{{&\(name)}}"
    case .section(let name, let body): "{{#\(name)}}\(Self.source(body)){{/\(name)}}"
    case .inverted(let name, let body): "{{^ \(name)}}\(Self.source(body)){{/ \(name) }}"
    case .partial(let name): "{{> \(name)}}"
    case .dynamic(let name): "{{>*\(name)}}"
    case .block(let name, let body): "{{$\(name)}}\(Self.source(body)){{/\(name)}}"
    case .parent(let name, let blocks):
      "{{<\(name)}}"
        + blocks.map { " ignored {{$\($0.block)}}\(Self.source($0.body)){{/\($0.block)}}" }.joined()
        + "{{/\(name)}}"
    }
  }

  static func source(_ body: [TemplateTree]) -> String { body.map(\.source).joined() }
}

/// Renders `TemplateTree`s by plain recursion over plain values.
struct ReferenceRenderer {
  let templates: [String: [TemplateTree]]

  /// Renders under values and the blocks of the parents around, both the outermost first.
  func render(
    _ body: [TemplateTree],
    _ contexts: [JSONTree],
    _ scopes: [[(block: String, body: [TemplateTree])]] = []
  ) -> String {
    body.map { render($0, contexts, scopes) }.joined()
  }

  private func render(
    _ tree: TemplateTree,
    _ contexts: [JSONTree],
    _ scopes: [[(block: String, body: [TemplateTree])]]
  ) -> String {
    switch tree {
    case .text(let text): return text
    case .variable(let name): return escape(show(find(name, contexts)))
    case .raw(let name): return show(find(name, contexts))
    case .section(let name, let body):
      switch find(name, contexts) {
      case nil, .null?, .flag(false)?, .string("")?: return ""
      case .flag(true)?: return render(body, contexts, scopes)
      case .array(let elements)?:
        return elements.map { render(body, contexts + [$0], scopes) }.joined()
      case let value?: return render(body, contexts + [value], scopes)
      }
    case .inverted(let name, let body):
      switch find(name, contexts) {
      case nil, .null?, .flag(false)?, .string("")?, .array([])?:
        return render(body, contexts, scopes)
      default: return ""
      }
    case .partial(let name): return render(templates[name] ?? [], contexts, scopes)
    case .dynamic(let name):
      return render(templates[show(find(name, contexts))] ?? [], contexts, scopes)
    case .block(let name, let body):
      for (index, scope) in scopes.enumerated() {
        if let override = scope.last(where: { $0.block == name }) {
          return render(override.body, contexts, Array(scopes.prefix(index)))
        }
      }
      return render(body, contexts, scopes)
    case .parent(let name, let blocks):
      return render(templates[name] ?? [], contexts, scopes + [blocks])
    }
  }

  private func find(_ name: String, _ contexts: [JSONTree]) -> JSONTree? {
    if name == "." { return contexts.last }
    let parts = name.split(separator: ".").map(String.init)
    guard var value = contexts.reversed().lazy.compactMap({ $0[parts[0]] }).first else {
      return nil
    }
    for part in parts.dropFirst() {
      guard let next = value[part] else { return nil }
      value = next
    }
    return value
  }

  private func show(_ value: JSONTree?) -> String {
    switch value {
    case .string(let text)?: text
    case .number(let digits)?: digits
    case .flag(let flag)?: flag ? "true" : "false"
    case nil, .null?, .array?, .object?: ""
    }
  }

  private func escape(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: String(scalar)
      }
    }.joined()
  }
}
