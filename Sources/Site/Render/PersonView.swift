import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Writes the author object of an entry.
  ///
  /// - Parameters:
  ///   - key: Nil inside an array.
  ///   - person: `.none` for nobody.
  ///   - rareAvatar: A picture that stands beside the entry, for authors without their own.
  ///   - count: What lists show after the name.
  ///   - extra: Writes further members.
  mutating func writeAuthor(
    _ key: Key?,
    _ person: PersonID,
    rareAvatar: String = "",
    count: (PluralPattern, Int)? = nil,
    extra: (inout TemplateData) -> Void = { _ in }
  ) {
    let context = context
    data.beginObject(key?.id)
    if person == .none || context.archive.people[person.index].hiding != .nothing {
      data.set(.name, context.labels.strings.text("anonymous"))
      data.set(.initials, "?")
      data.set(.hue, 0)
      data.flag(.anonymous)
    } else {
      let value = context.archive.people[person.index]
      data.set(.name, value.displayName)
      data.set(.initials, Initials.of(value.displayName))
      data.set(.hue, Hue.of(value.id))
      data.flag(.isSelf, value.isSelf)
      if context.plan.hasPage(person) {
        data.write(.url) { context.links.append(Routes.person(value), into: &$0) }
      }
      let avatar = value.avatar.isEmpty ? rareAvatar : value.avatar
      if !avatar.isEmpty, let file = avatarFile(avatar) {
        used.insert(file)
        let output = context.archive.media.files[file].output
        data.write(.avatar) { context.links.append(output, into: &$0) }
      }
    }
    if let (pattern, number) = count {
      data.write(.countLabel) { pattern.append(number, into: &$0) }
    }
    extra(&data)
    data.endObject()
  }

  /// The file of an avatar as it is written; remembered, since it is asked for at every entry.
  private mutating func avatarFile(_ written: String) -> Int? {
    if let known = avatars[written] { return known }
    var file: Int?
    if case .file(let index) = context.archive.media.resolve(written, beside: "Content") {
      file = index
    }
    avatars[written] = .some(file)
    return file
  }

  /// The name under which a person is shown.
  func displayName(of person: PersonID) -> String {
    let context = context
    if person == .none || context.archive.people[person.index].hiding != .nothing {
      return context.labels.strings.text("anonymous")
    }
    return context.archive.people[person.index].displayName
  }
}

/// One of 24 colour classes, the same for a person on every page.
enum Hue {
  static func of(_ id: String) -> Int { Int(truncatingIfNeeded: Fingerprint.of(id) % 24) }
}

/// One or two letters that stand for a picture.
enum Initials {
  /// The first letters of the first and the last word; of a name in Han, kana or hangul the first
  /// character (as such avatars are drawn).
  static func of(_ name: String) -> String {
    let words = name.split(whereSeparator: { $0.isWhitespace || $0 == "-" || $0 == "_" })
    guard let first = words.first(where: { $0.contains(where: \.isLetter) }) ?? words.first else {
      return "?"
    }
    let initial = first.first(where: \.isLetter) ?? first.first ?? "?"
    guard let scalar = initial.unicodeScalars.first, scalar.value < 0x1100 else {
      return limited(initial)
    }
    guard words.count > 1, let last = words.last?.first(where: \.isLetter),
      let scalar = last.unicodeScalars.first, scalar.value < 0x1100
    else { return limited(initial).uppercased() }
    return (limited(initial) + limited(last)).uppercased()
  }

  /// A character without its tail of combining marks, which hostile names pile up.
  private static func limited(_ character: Character) -> String {
    String(String.UnicodeScalarView(character.unicodeScalars.prefix(8)))
  }
}
