import Archive
import Bytes
import Markup
import Mustache

extension PageRenderer {
  /// A page of `Content/pages`.
  mutating func fillStandalone(_ index: Int) throws {
    let context = context
    let page = context.archive.pages[index]
    writeFrame(
      Frame(
        kind: "page",
        flag: .isPage,
        heading: page.title,
        route: Routes.standalone(page)
      )
    )
    let file = context.archive.files[page.record.file.index]
    let body = try FileDescriptor(reading: context.root + "/" + file.path)
      .read(count: page.body.count, at: page.body.lowerBound)
    links.root = root
    links.file = page.record.file
    let options = MarkdownOptions(headingShift: 1)
    scratch.removeAll()
    switch page.format {
    case .markdown:
      lastOutcome = markdown.render(body.span, options: options, links: links, into: &scratch)
    case .plain:
      lastOutcome = markdown.renderPlain(body.span, options: options, links: links, into: &scratch)
    case .html:
      lastOutcome = sanitizer.render(body.span, options: options, links: links, into: &scratch)
    }
    data.set(.body, contentsOf: scratch)
    if !page.updated.isUndated { writeTime(.updated, page.updated, style: .date) }
  }

  /// `404.html`.
  mutating func fillMissing() {
    writeFrame(
      Frame(
        kind: "missing",
        flag: .isMissing,
        heading: context.labels.strings.text("missingTitle"),
        route: "404.html"
      )
    )
  }

  /// A page at an old path that leads to the new one.
  mutating func fillRedirect(to target: String) {
    let context = context
    data.set(.root, root)
    data.set(.kind, "redirect" as StaticString)
    data.flag(.isRedirect)
    data.set(.title, context.configuration.displayTitle)
    data.set(.heading, context.configuration.displayTitle)
    data.writeURL(.url) { context.links.append(target, into: &$0) }
    if !context.baseURL.isEmpty {
      data.write(.canonical) {
        $0.append(text: context.baseURL)
        context.links.append(target, into: &$0)
      }
    }
  }
}
