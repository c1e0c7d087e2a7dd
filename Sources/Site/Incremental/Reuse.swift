import Archive
import Bytes

/// Which pages of the last build stand as they are.
struct Reuse: Sendable {
  /// What is known of those that need no rendering.
  let results: PageResults
  /// Positions in `Plan.pages` of those to be rendered, ascending.
  let rendered: [UInt32]

  /// Compares keys and answers with those of the last build, and looks whether the files are still
  /// there as they were left.
  init(
    _ context: RenderContext,
    keys: [UInt64],
    output: OutputWriter,
    shard: Shard?,
    jobs: Int
  ) async {
    let plan = context.plan
    let states = OutputStates(count: plan.pages.count)
    var results = PageResults(states: states)
    if let previous = output.previous, !previous.files.isEmpty {
      let isSame = previous.lookups.map { $0.question.answer(in: context) == $0.answer }
      let files = previous.files.counterparts(of: plan.pages)
      let found = await ParallelRuns.map(plan.pages.count, jobs: jobs) { range, remarks in
        for index in range where files[index] >= 0 {
          let file = previous.files[Int(files[index])]
          guard let page = Self.page(file, keys[index], previous, isSame, context, output) else {
            continue
          }
          states[index] = page.state
          if !page.remarks.isEmpty { remarks.append((index, page.remarks)) }
        }
      }
      results.remarks = Dictionary(found) { first, _ in first }
    }
    self.results = results
    rendered = plan.pages.indices.lazy
      .filter { !states[$0].isKnown && shard?.holds(plan.pages.path(at: $0)) ?? true }
      .map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func page(
    _ file: Manifest.File,
    _ key: UInt64,
    _ previous: Manifest,
    _ isSame: [Bool],
    _ context: RenderContext,
    _ output: OutputWriter
  ) -> (state: OutputState, remarks: PageRemarks)? {
    guard key == file.key, key != 0 else { return nil }
    var remarks = PageRemarks(trace: nil, diagnostics: [])
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
      remarks.trace = trace
      remarks.diagnostics = note.diagnostics.map { previous.diagnostics[Int($0)] }
    }
    return output.verified(file).map { ($0, remarks) }
  }
}
