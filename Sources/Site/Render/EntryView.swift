import Archive
import Bytes
import Markup
import Mustache

/// How an entry stands on its page.
struct EntryPlacement {
  /// The level of the entry's own heading; headings in its body begin below it.
  var headingLevel: Int
  /// Whether a heading of that level stands above the body of an entry without a title as well.
  var hasHeading = false
  var timeStyle = TimeStyle.date
  /// Line ends in Markdown are line breaks, as people type in a chat.
  var hardBreaks = false
  /// The address of the page with the entry's permalink, where the caller knows it.
  var pageURL: String?
  /// Bodies longer than this many bytes are cut at a paragraph; nil shows all.
  var bodyLimit: Int?
}

extension PageRenderer {
  /// Writes what posts, comments and messages have in common into the object that is open.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - index: Its position in the batch that `details` has read.
  ///   - placement: Where it stands.
  mutating func writeCommon(_ id: EntryID, at index: Int, _ placement: EntryPlacement) {
    let context = context
    let entry = context.archive.entries[id.index]
    data.write(.id) { context.append(entry.id, into: &$0) }
    if entry.kind != .post {
      data.write(.anchor) {
        $0.append(entry.kind.anchorPrefix)
        context.append(entry.name, into: &$0)
      }
      data.writeURL(.fragment) { context.appendFragment(of: entry, into: &$0) }
    }
    if let pageURL = placement.pageURL {
      data.writeURL(.url) {
        $0.append(text: pageURL)
        context.appendFragment(of: entry, into: &$0)
      }
    } else {
      writePermalink(.url, of: id)
    }
    if entry.flags.contains(.deleted) {
      data.flag(.deleted)
      writeTime(.date, entry.date, style: placement.timeStyle)
      return
    }
    let rare = details.rare(index)
    writeAuthor(.author, entry.author, rareAvatar: rare?.avatar ?? "")
    writeTime(.date, entry.date, style: placement.timeStyle)
    if entry.flags.contains(.edited) {
      data.flag(.edited)
      data.set(.editedLabel, context.labels.edited)
      writeTime(.updated, entry.updated, style: .dateTime)
    }
    data.flag(.pinned, entry.flags.contains(.pinned))
    data.flag(.draft, entry.flags.contains(.draft))
    if entry.flags.contains(.sensitive) {
      let warning = rare?.sensitive ?? ""
      data.set(.sensitive, warning.isEmpty ? context.labels.sensitive : warning)
    }
    writeBody(id, at: index, placement)
    writeCounts(entry, context)
    if let rare { writeRare(rare, of: entry) }
    let title =
      entry.kind == .post
      ? context.archive.posts[Int(entry.container)].title : rare?.title ?? ""
    data.set(.title, title)
    if lastOutcome.hasHeadings, !placement.hasHeading, title.isEmpty {
      data.set(.bodyHeading, displayName(of: entry.author))
    }
  }

  private mutating func writeCounts(_ entry: Entry, _ context: RenderContext) {
    if entry.likes > 0 || entry.flags.contains(.liked) {
      let likes = max(Int(entry.likes), 1)
      data.set(.likes, likes)
      data.write(.likesLabel) { context.labels.likes.append(likes, into: &$0) }
      data.flag(.liked, entry.flags.contains(.liked))
    }
    if entry.shares > 0 {
      data.set(.shares, Int(entry.shares))
      data.write(.sharesLabel) { context.labels.shares.append(Int(entry.shares), into: &$0) }
    }
  }

  private mutating func writeRare(_ rare: RareFields, of entry: Entry) {
    if !rare.media.isEmpty {
      noteLookups(rare.media, of: entry)
      writeMedia(rare.media)
    }
    if !rare.reactions.isEmpty { writeReactions(rare.reactions) }
    if !rare.sourceURL.isEmpty {
      data.set(.sourceHref, rare.sourceURL)
      let platform = rare.sourcePlatform.isEmpty ? rare.sourceURL : rare.sourcePlatform
      data.set(.sourceLabel, context.labels.strings.pattern("originalOn").filled(with: platform))
    }
    if entry.kind != .post, !rare.tags.isEmpty { writeTags(named: rare.tags) }
    writeExtra(rare.extra)
  }

  /// Notes that the page depends on what the paths of media lead to.
  func noteLookups(_ media: [Medium], of entry: Entry) {
    if media.isEmpty { return }
    let folder = context.archive.files[entry.record.file.index].folder
    for medium in media { used.note(.medium(medium.written, beside: folder)) }
  }

  private mutating func writeReactions(_ reactions: [Reaction]) {
    let context = context
    data.beginObject(.reactions)
    data.beginArray(.items)
    for reaction in reactions {
      data.beginObject()
      data.set(.name, reaction.name)
      data.set(.count, reaction.count)
      let names = reaction.by.prefix(20).map { name in
        context.archive.names.person(named: name).map { displayName(of: $0) } ?? name
      }
      let list = names.joined(separator: context.labels.strings.text("listSeparator"))
      data.set(
        .label,
        list.isEmpty ? "\(reaction.name) \(reaction.count)" : "\(reaction.name) \(list)"
      )
      data.flag(
        .mine,
        reaction.by.contains {
          context.archive.names.person(named: $0).map { context.archive.people.isSelf($0) } ?? false
        }
      )
      data.endObject()
    }
    data.endArray()
    data.endObject()
  }

  /// Writes the tags of an entry by their names, as the archive spells them.
  mutating func writeTags(named names: [String]) {
    var seen: Set<Int> = []
    let found = names.compactMap { context.tags.position(of: $0) }
    writeTags(found.filter { seen.insert($0).inserted })
  }

  /// Writes tags by their positions in the archive.
  mutating func writeTags(_ indices: some Collection<Int>) {
    if indices.isEmpty { return }
    let context = context
    data.beginObject(.tags)
    data.beginArray(.items)
    for index in indices {
      data.beginObject()
      data.set(.name, context.archive.tags[index].title)
      data.writeURL(.url) { context.append(.tag(index), into: &$0) }
      data.endObject()
    }
    data.endArray()
    data.endObject()
  }

  /// Writes the address of an entry: its page and, if it has one, its anchor.
  mutating func writePermalink(_ key: Key, of id: EntryID) {
    let context = context
    data.writeURL(key) { context.appendPermalink(of: id, into: &$0) }
  }
}
