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
  ///   - entryCount: How many entries lists show after the name.
  ///   - extra: Writes further members.
  mutating func writeAuthor(
    _ key: Key?,
    _ person: PersonID,
    rareAvatar: String = "",
    entryCount: Int? = nil,
    extra: (inout TemplateData) -> Void = { _ in }
  ) {
    let face = face(of: person)
    data.beginObject(key?.id)
    data.setMembers(of: face.members)
    if !rareAvatar.isEmpty { used.note(.medium(rareAvatar, beside: "Content")) }
    if let file = face.avatar {
      used.insert(file)
    } else if !face.isAnonymous, let file = avatarFile(rareAvatar) {
      // A picture beside the entry would show who is hidden.
      used.insert(file)
      let output = context.archive.media.files[file].output
      data.writeURL(.avatar) { context.links.append(output, into: &$0) }
    }
    if let entryCount {
      let context = context
      data.write(.countLabel) { context.labels.entries.append(entryCount, into: &$0) }
    }
    extra(&data)
    data.endObject()
  }

  /// How a person is shown; remembered, since authors come again and again.
  mutating func face(of person: PersonID) -> Face {
    if let known = faces[person] { return known }
    let face = Face(of: person, in: context, avatar: avatarFile(avatar(of: person)))
    faces.remember(face)
    return face
  }

  private func avatar(of person: PersonID) -> String {
    if person == .none || context.archive.people.hiding(of: person) != .nothing { return "" }
    return context.archive.people.avatar(of: person)
  }

  private func avatarFile(_ written: String) -> Int? {
    if written.isEmpty { return nil }
    guard case .file(let file) = context.archive.media.resolve(written, beside: "Content") else {
      return nil
    }
    return file
  }

  /// The name under which a person is shown.
  func displayName(of person: PersonID) -> String { context.displayName(of: person) }
}

extension RenderContext {
  /// The name under which a person is shown.
  func displayName(of person: PersonID) -> String {
    if person == .none || archive.people.hiding(of: person) != .nothing {
      return labels.anonymous
    }
    return archive.people.displayName(of: person)
  }

  /// Appends the name under which a person is shown.
  func appendDisplayName(of person: PersonID, into output: inout ByteBuffer) {
    if person == .none || archive.people.hiding(of: person) != .nothing {
      output.append(text: labels.anonymous)
    } else {
      archive.people.appendDisplayName(of: person, into: &output)
    }
  }
}

/// The faces that a worker remembers, each at the place of its person; an archive may have a million
/// authors.
struct Faces {
  private static let places = 4096

  private var faces: [Face?] = []

  subscript(person: PersonID) -> Face? {
    if faces.isEmpty { return nil }
    let face = faces[person.index & (Self.places - 1)]
    return face?.person == person ? face : nil
  }

  mutating func remember(_ face: Face) {
    if faces.isEmpty { faces = Array(repeating: nil, count: Self.places) }
    faces[face.person.index & (Self.places - 1)] = face
  }
}

/// How a person is shown wherever the name stands.
///
/// A class, so that handing it on copies nothing.
final class Face {
  let person: PersonID
  let isAnonymous: Bool
  /// In the archive's media.
  let avatar: Int?
  /// What all objects of the person hold.
  let members: TemplateData

  init(of person: PersonID, in context: RenderContext, avatar: Int?) {
    self.person = person
    self.avatar = avatar
    isAnonymous = person == .none || context.archive.people.hiding(of: person) != .nothing
    var members = TemplateData(values: 16, bytes: 96)
    members.beginObject()
    let name = context.displayName(of: person)
    members.set(.name, name)
    if isAnonymous {
      members.set(.initials, "?")
      members.set(.hue, 0)
      members.flag(.anonymous)
    } else {
      let value = context.archive.people[person.index]
      members.set(.initials, Initials.of(name))
      members.set(.hue, Hue.of(value.id))
      members.flag(.isSelf, value.isSelf)
      if context.plan.hasPage(person) {
        members.writeURL(.url) { context.append(.person(person.index), into: &$0) }
      }
    }
    if let avatar {
      let output = context.archive.media.files[avatar].output
      members.writeURL(.avatar) { context.links.append(output, into: &$0) }
    }
    members.endObject()
    members.notePlainTexts()
    self.members = members
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
