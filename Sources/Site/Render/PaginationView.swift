import Bytes
import Mustache

extension PageRenderer {
  /// Numbers shown on each side of the current one.
  ///
  /// Further ones would change with every new page.
  static let reach = 2

  /// Writes the navigation of a list whose front page shows the newest; nothing for a single page.
  mutating func writePagination(_ paging: Paging, current: Int?, route: (Int?) -> String) {
    guard paging.numbered > 0 else { return }
    let strings = context.labels.strings
    data.beginObject(.pagination)
    if let current {
      let newer = current < paging.numbered ? current + 1 : nil
      writeLink(.newer, route: route(newer), label: strings.text("newer"))
      writeLink(.newest, route: route(nil), label: strings.text("newest"))
    }
    let position = current ?? paging.numbered + 1
    if position > 1 {
      writeLink(.older, route: route(position - 1), label: strings.text("older"))
      writeLink(.oldest, route: route(1), label: strings.text("oldest"))
    }
    data.beginArray(.pages)
    writeNumber(nil, label: strings.text("newest"), isCurrent: current == nil, route: route)
    let top = min(paging.numbered, position + Self.reach)
    if top < paging.numbered { writeGap() }
    let bottom = max(1, position - Self.reach)
    for number in stride(from: top, through: bottom, by: -1) {
      writeNumber(number, label: String(number), isCurrent: number == current, route: route)
    }
    if bottom > 2 { writeGap() }
    if bottom > 1 { writeNumber(1, label: "1", isCurrent: false, route: route) }
    data.endArray()
    data.endObject()
  }

  /// Writes the navigation of a list that is cut from its beginning; nothing for a single part.
  mutating func writeParts(_ key: Key, _ parts: Parts, current: Int, route: (Int) -> String) {
    guard parts.total > 1 else { return }
    let strings = context.labels.strings
    data.beginObject(key)
    if current < parts.total {
      writeLink(.newer, route: route(current + 1), label: strings.text("later"))
    }
    if current > 1 {
      writeLink(.older, route: route(current - 1), label: strings.text("earlier"))
    }
    data.beginArray(.pages)
    let bottom = max(1, current - Self.reach)
    let top = min(parts.total, current + Self.reach)
    if bottom > 1 { writeNumber(1, label: "1", isCurrent: false) { route($0 ?? 1) } }
    if bottom > 2 { writeGap() }
    for number in bottom...top {
      writeNumber(number, label: String(number), isCurrent: number == current) { route($0 ?? 1) }
    }
    if top < parts.total { writeGap() }
    data.endArray()
    data.endObject()
  }

  private mutating func writeNumber(
    _ number: Int?,
    label: String,
    isCurrent: Bool,
    route: (Int?) -> String
  ) {
    let links = context.links
    let path = route(number)
    data.beginObject()
    data.set(.label, label)
    data.writeURL(.url) { links.append(path, into: &$0) }
    data.flag(.current, isCurrent)
    data.endObject()
  }

  private mutating func writeGap() {
    data.beginObject()
    data.flag(.gap)
    data.endObject()
  }
}
