import Bytes
import JSON
import Mustache

extension PageRenderer {
  /// Longer texts of unknown fields are left out, in bytes.
  private static let longestExtra = 64 << 10
  /// Objects and arrays inside one another; deeper ones are left out.
  private static let deepestExtra = 16

  /// Writes an entry's unknown fields under `extra`.
  ///
  /// Of members only those are written whose names some template mentions: no other can be asked
  /// for. A field that was null is absent.
  mutating func writeExtra(_ json: String) {
    if json.isEmpty || json.utf8.count > Self.longestExtra { return }
    guard let object = try? extraParser.parse(Array(json.utf8).span), object.kind == .object
    else { return }
    let keys = context.theme.keys
    data.beginObject(.extra)
    var open: [ExtraFrame] = [.members(object.members)]
    while let frame = open.popLast() {
      switch frame {
      case .members(var members):
        guard let member = members.next() else {
          data.endObject()
          continue
        }
        open.append(.members(members))
        if let key = keys.key(named: member.key.string) { writeExtra(member.value, key, &open) }
      case .elements(var elements):
        guard let element = elements.next() else {
          data.endArray()
          continue
        }
        open.append(.elements(elements))
        writeExtra(element, nil, &open)
      }
    }
  }

  /// Writes one value, or begins it and leaves what it holds on the stack.
  private mutating func writeExtra(_ value: JSONValue, _ key: KeyID?, _ open: inout [ExtraFrame]) {
    switch value.kind {
    case .object where open.count < Self.deepestExtra:
      data.beginObject(key)
      open.append(.members(value.members))
    case .array where open.count < Self.deepestExtra:
      data.beginArray(key)
      open.append(.elements(value.elements))
    case .string: data.set(key, value.text?.string ?? "")
    case .integer:
      if let number = value.integer {
        data.set(key, Int(number))
      } else if let number = value.unsigned {
        data.set(key, "\(number)")
      }
    case .double: data.write(key) { $0.appendJSON(number: value.double ?? 0) }
    case .true: data.set(key, true)
    case .false: data.set(key, false)
    case .object, .array, .null: break
    }
  }
}

/// Values of unknown fields that are still to be written.
private enum ExtraFrame {
  case members(JSONMembers)
  case elements(JSONElements)
}
