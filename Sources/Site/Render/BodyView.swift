import Archive
import Bytes
import Markup
import Mustache

extension PageRenderer {
  /// Writes the body of an entry as HTML, unless it has none.
  mutating func writeBody(_ id: EntryID, at index: Int, _ placement: EntryPlacement) {
    var isCut = false
    if let prepared = preparedBody, prepared.entry == id {
      preparedBody = nil
      swap(&scratch, &bodyAhead)
      isCut = prepared.isCut
    } else if !takeKeptBody(of: id, at: index, placement) {
      isCut = makeBody(of: id, at: index, placement)
    }
    if scratch.isEmpty { return }
    data.set(.body, contentsOf: scratch)
    data.flag(.bigEmoji, lastOutcome.isEmojiOnly)
    data.flag(.truncated, isCut)
  }

  /// Renders the body of a page's own entry before others ask for its beginning, which then need not
  /// be read on its own; `writeBody` takes it over, before any other body.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - index: Its position in the batch that `details` has read.
  ///   - placement: Where it stands.
  ///   - textLimit: Characters of `ownText`, where the page needs it.
  mutating func prepareBody(
    of id: EntryID,
    at index: Int,
    _ placement: EntryPlacement,
    textLimit: Int?
  ) {
    let entry = context.archive.entries[id.index]
    if entry.flags.contains(.deleted) || takeKeptBody(of: id, at: index, placement) { return }
    let isCut = makeBody(of: id, at: index, placement)
    if let textLimit, !isCut, entry.format == .markdown {
      _ = BodyWriting.excerptOfRendered(
        details,
        at: index,
        limit: textLimit,
        &markdown,
        into: &ownText
      )
    }
    swap(&scratch, &bodyAhead)
    preparedBody = (id, isCut)
  }

  /// Puts the body of a post into `scratch`, if an earlier page left it.
  private mutating func takeKeptBody(
    of id: EntryID,
    at index: Int,
    _ placement: EntryPlacement
  ) -> Bool {
    scratch.removeAll()
    guard context.archive.entries[id.index].kind == .post,
      placement.bodyLimit.map({ details.body(index).count <= $0 }) ?? true,
      let body = context.texts.body(of: id)
    else { return false }
    scratch.append(body.bytes)
    // A body that is kept holds no heading.
    lastOutcome = MarkupOutcome()
    lastOutcome.isEmojiOnly = body.isBigEmoji
    return true
  }

  /// Renders the body of an entry into `scratch`, and keeps what other pages show of it; returns
  /// whether it was cut.
  private mutating func makeBody(
    of id: EntryID,
    at index: Int,
    _ placement: EntryPlacement
  ) -> Bool {
    let entry = context.archive.entries[id.index]
    scratch.removeAll()
    let asked = (used.lookupCount, diagnostics.count)
    let isCut = renderBody(entry, at: index, placement, root: root)
    if !isCut { keepExcerpt(ofRendered: entry, id, at: index) }
    if entry.kind == .post, !isCut, asked == (used.lookupCount, diagnostics.count),
      !lastOutcome.hasHeadings, context.texts.wantsBody(of: id, in: textRoom)
    {
      let kept = textRoom.keep(scratch.bytes, isBigEmoji: lastOutcome.isEmojiOnly)
      context.texts.hold(body: kept, of: id)
    }
    return isCut
  }

  /// Appends the body of an entry to `scratch`; returns whether it was cut.
  ///
  /// `root` stands before addresses of the site: the way to its root, or the base URL.
  mutating func renderBody(
    _ entry: Entry,
    at index: Int,
    _ placement: EntryPlacement,
    root: String
  ) -> Bool {
    links.root = root
    links.file = entry.record.file
    let isCut = BodyWriting.write(
      entry.format,
      details,
      at: index,
      placement,
      links: links,
      &markdown,
      &sanitizer,
      outcome: &lastOutcome,
      into: &scratch
    )
    if lastOutcome.unresolvedLinks > 0 || !lastOutcome.isRendered { noteUnresolved(entry) }
    return isCut
  }

  private mutating func noteUnresolved(_ entry: Entry) {
    let path = context.archive.files[entry.record.file.index].path
    let name = context.archive.string(entry.id)
    let unresolved = entry.format == .html ? sanitizer.unresolved : markdown.unresolved
    for destination in unresolved {
      let text = String(decoding: destination.prefix(200), as: UTF8.self)
      diagnostics.append(
        Diagnostic(
          .warning,
          path: path,
          headline: "'\(name)' links to '\(text)', which the archive doesn't hold"
        )
      )
    }
    if !lastOutcome.isRendered {
      diagnostics.append(
        Diagnostic(
          .warning,
          path: path,
          headline:
            "The body of '\(name)' is shown as plain text, for its markup is too deep or long"
        )
      )
    }
  }

  /// The beginning of a body as one line of plain text, at most `limit` characters.
  mutating func excerpt(of entry: EntryID, at index: Int, limit: Int) -> String {
    scratch.removeAll()
    appendExcerpt(of: entry, at: index, limit: limit)
    return scratch.string
  }

  /// Appends the beginning of a body to `scratch` as one line of plain text.
  mutating func appendExcerpt(of id: EntryID, at index: Int, limit: Int) {
    if limit <= EntryTexts.excerptLimit, let kept = context.texts.excerpt(of: id) {
      if limit == EntryTexts.excerptLimit { return scratch.append(kept.bytes) }
      return Excerpt.append(kept.bytes.span, limit: limit, into: &scratch)
    }
    if limit < EntryTexts.excerptLimit {
      // A short one is always cut from the long one: the same whether that was held or not.
      var beginning = ByteBuffer(capacity: 1024)
      swap(&beginning, &scratch)
      appendExcerpt(of: id, at: index, limit: EntryTexts.excerptLimit)
      swap(&beginning, &scratch)
      Excerpt.append(beginning.bytes, limit: limit, into: &scratch)
      return
    }
    let entry = context.archive.entries[id.index]
    let start = scratch.count
    BodyWriting.excerpt(
      entry.format,
      details,
      at: index,
      limit: limit,
      &markdown,
      &sanitizer,
      into: &scratch
    )
    if limit == EntryTexts.excerptLimit, isShownOften(entry), context.texts.wants(id, in: textRoom)
    {
      let kept = textRoom.keep(scratch.bytes.extracting(start..<scratch.count))
      context.texts.hold(excerpt: kept, of: id)
    }
  }

  /// Keeps the beginning of a body that was rendered last: to read it anew would cost more.
  private mutating func keepExcerpt(ofRendered entry: Entry, _ id: EntryID, at index: Int) {
    guard entry.format == .markdown, isShownOften(entry), context.texts.wants(id, in: textRoom)
    else { return }
    excerptText.removeAll()
    if BodyWriting.excerptOfRendered(
      details,
      at: index,
      limit: EntryTexts.excerptLimit,
      &markdown,
      into: &excerptText
    ) {
      context.texts.hold(excerpt: textRoom.keep(excerptText.bytes), of: id)
    }
  }

  /// Whether the beginning of an entry's text is shown on more than one page: not so in a chat.
  private func isShownOften(_ entry: Entry) -> Bool {
    entry.kind != .message || entry.topic != .max
  }
}

/// The calls that take a body out of one part of a renderer into another.
private enum BodyWriting {
  // In place, since a call takes a copy of the reader, which is large.
  @inline(__always)
  static func write(
    _ format: BodyFormat,
    _ details: borrowing DetailsReader,
    at index: Int,
    _ placement: EntryPlacement,
    links: BodyLinks,
    _ markdown: inout MarkdownWriter,
    _ sanitizer: inout HTMLSanitizer,
    outcome: inout MarkupOutcome,
    into output: inout ByteBuffer
  ) -> Bool {
    let body = details.body(index)
    outcome = MarkupOutcome()
    if body.isEmpty { return false }
    let options = MarkdownOptions(
      headingShift: placement.headingLevel,
      hardBreaks: placement.hardBreaks
    )
    var end = body.count
    if let limit = placement.bodyLimit {
      if format == .html {
        // Its elements can't be cut apart: a long one is shown by the beginning of its text.
        if body.count > limit * 4 {
          output.append("<p>")
          var text = ByteBuffer(capacity: limit)
          sanitizer.appendPlainText(of: body, limit: limit / 4, into: &text)
          output.appendEscaped(text.bytes)
          output.append("</p>")
          return true
        }
      } else {
        end = Paragraphs.cut(body, near: limit)
      }
    }
    let shown = body.extracting(0..<end)
    switch format {
    case .markdown:
      outcome = markdown.render(shown, options: options, links: links, into: &output)
    case .plain:
      outcome = markdown.renderPlain(shown, options: options, links: links, into: &output)
    case .html:
      outcome = sanitizer.render(shown, options: options, links: links, into: &output)
    }
    return end < body.count
  }

  @inline(__always)
  static func excerptOfRendered(
    _ details: borrowing DetailsReader,
    at index: Int,
    limit: Int,
    _ markdown: inout MarkdownWriter,
    into output: inout ByteBuffer
  ) -> Bool {
    markdown.appendPlainText(ofRendered: details.body(index), limit: limit, into: &output)
  }

  static func excerpt(
    _ format: BodyFormat,
    _ details: borrowing DetailsReader,
    at index: Int,
    limit: Int,
    _ markdown: inout MarkdownWriter,
    _ sanitizer: inout HTMLSanitizer,
    into output: inout ByteBuffer
  ) {
    let body = details.body(index)
    switch format {
    case .markdown, .plain: markdown.appendPlainText(of: body, limit: limit, into: &output)
    case .html: sanitizer.appendPlainText(of: body, limit: limit, into: &output)
    }
  }
}

extension ContentFile {
  /// The folder that holds the file, without a trailing slash.
  var folder: String { path.parentFolder ?? "" }
}

/// Where a long body may be cut.
enum Paragraphs {
  /// The end of the last paragraph that ends before `limit`, or of the first one.
  ///
  /// The whole length where little would be cut, or where the cut would fall into a code block. A
  /// paragraph or a code block of more than twice the limit ends at a blank.
  static func cut(_ body: Span<UInt8>, near limit: Int) -> Int {
    if body.count <= limit + limit / 2 { return body.count }
    let end = endOfParagraph(body, near: limit)
    return end <= limit * 2 ? end : lastBlank(body, before: limit * 2)
  }

  /// The last blank before `limit`, or the last whole scalar.
  private static func lastBlank(_ body: Span<UInt8>, before limit: Int) -> Int {
    for index in stride(from: limit, to: limit - 200, by: -1) where index > 0 {
      if body[index] == 0x20 || body[index] == 0x0A { return index }
    }
    var end = limit
    while end > 0, body[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  private static func endOfParagraph(_ body: Span<UInt8>, near limit: Int) -> Int {
    var end = 0
    var fences = 0
    var index = 0
    while index < body.count {
      let isLineStart = index == 0 || body[index - 1] == 0x0A
      if isLineStart, index + 2 < body.count, body[index] == body[index + 1],
        body[index] == body[index + 2],
        body[index] == UInt8(ascii: "`") || body[index] == UInt8(ascii: "~")
      {
        fences += 1
      }
      if isLineStart, body[index] == 0x0A, fences % 2 == 0, index > 1 {
        if index > limit, end > 0 { return end }
        end = index
        if index > limit { return end }
      }
      index += 1
    }
    return body.count
  }
}
