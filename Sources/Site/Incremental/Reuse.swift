import Archive
import Bytes

/// Which pages of the last build stand as they are.
struct Reuse: Sendable {
  /// A page that needs no rendering.
  struct Page: Sendable {
    var state: OutputState
    var trace: PageTrace?
    var diagnostics: [Diagnostic]
  }

  /// By page; nil for those to be rendered.
  private(set) var pages: [Page?]
  /// Positions in `Plan.pages`, ascending.
  private(set) var rendered: [Int]

  /// Compares keys and answers with those of the last build, and looks whether the files are still
  /// there as they were left.
  init(
    _ context: RenderContext,
    keys: [UInt64?],
    output: OutputWriter,
    shard: Shard?,
    jobs: Int
  ) async {
    let plan = context.plan
    let isMine = { (index: Int) in shard?.holds(plan.pages[index].path) ?? true }
    guard let previous = output.previous, !previous.files.isEmpty else {
      // Nothing stands: everything is rendered.
      pages = Array(repeating: nil, count: plan.pages.count)
      rendered = plan.pages.indices.filter(isMine)
      return
    }
    let isSame = previous.lookups.map { $0.question.answer(in: context) == $0.answer }
    let files = Self.counterparts(of: plan.pages, in: previous.files)
    let pages: [Page?] = await EntryKeys.concurrently(plan.pages.count, jobs: jobs) {
      range,
      pages in
      for index in range {
        pages.append(
          files[index].flatMap {
            Self.page(previous.files[$0], keys[index], previous, isSame, context, output)
          }
        )
      }
    }
    self.pages = pages
    rendered = pages.indices.filter { pages[$0] == nil && isMine($0) }
  }

  /// For each page the position of the file with its path; both lists are sorted.
  private static func counterparts(of pages: [Site.Page], in files: [Manifest.File]) -> [Int?] {
    var place = 0
    return pages.map { page in
      while place < files.count, files[place].path.utf8.lexicographicallyPrecedes(page.path.utf8) {
        place += 1
      }
      return place < files.count && files[place].path.utf8.elementsEqual(page.path.utf8)
        ? place : nil
    }
  }

  private static func page(
    _ file: Manifest.File,
    _ key: UInt64?,
    _ previous: Manifest,
    _ isSame: [Bool],
    _ context: RenderContext,
    _ output: OutputWriter
  ) -> Page? {
    guard let key, key == file.key, file.key != 0 else { return nil }
    var page = Page(state: file.state, trace: nil, diagnostics: [])
    if file.note >= 0 {
      let note = previous.notes[Int(file.note)]
      guard note.lookups.allSatisfy({ isSame[Int($0)] }) else { return nil }
      var trace = PageTrace()
      trace.lookups = note.lookups.map { previous.lookups[Int($0)].question }
      for medium in note.media {
        guard let file = context.archive.media.index(ofPath: previous.media[Int(medium)]) else {
          return nil
        }
        trace.media.append(file)
      }
      page.trace = trace
      page.diagnostics = note.diagnostics.map { previous.diagnostics[Int($0)] }
    }
    guard let state = output.verified(file) else { return nil }
    page.state = state
    return page
  }
}
