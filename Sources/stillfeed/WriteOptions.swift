import Archive
import Bytes
import JSON

/// What `add`, `edit` and `delete` have in common.
enum WriteOptions {
  static let dryRun = Option(name: "dry-run", help: "print the change as a diff, and write nothing")

  static func writer(_ arguments: Arguments, _ console: Console) throws -> ArchiveWriter {
    let root = arguments.value("root") ?? "."
    guard try FileSystem.directoryExists(root) else {
      throw UsageError(message: "There is no folder '\(root)'")
    }
    return ArchiveWriter(
      root: root,
      now: try now(),
      isDryRun: arguments.has("dry-run"),
      onWait: { console.say("Waiting for another run that is changing the archive") }
    )
  }

  /// The wall clock, or SOURCE_DATE_EPOCH (reproducible-builds.org) where it is set.
  private static func now() throws(UsageError) -> Timestamp {
    guard let text = Console.environment("SOURCE_DATE_EPOCH"), !text.isEmpty else { return .now() }
    guard let seconds = Int64(text) else {
      throw UsageError(message: "SOURCE_DATE_EPOCH must be seconds since 1970, not '\(text)'")
    }
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let time = Timestamp(milliseconds: milliseconds)
    guard !overflow, time.isInRange else {
      throw UsageError(message: "SOURCE_DATE_EPOCH must lie in the years 1 to 9999")
    }
    return time
  }

  static func audience(_ arguments: Arguments) -> Audience? {
    Audience.allCases.first { $0.word == arguments.value("audience") }
  }

  /// Says what was done in one line, or prints it as JSON; a dry run prints the difference.
  static func show(_ report: WriteReport, _ arguments: Arguments, _ console: Console) throws {
    let isDryRun = arguments.has("dry-run")
    if arguments.has("json") {
      try console.print(json(of: report, isDryRun: isDryRun))
      return
    }
    for note in report.notes { console.say(console.painted("note:", "1;36") + " " + note) }
    if isDryRun {
      let diff = report.changes.map { UnifiedDiff.text(of: $0) }.joined()
      if !diff.isEmpty { try StandardStream.output.write(diff) }
      if report.changes.isEmpty { console.say(report.summary) }
      return
    }
    console.say(report.summary)
  }

  private static func json(of report: WriteReport, isDryRun: Bool) -> String {
    var output = ByteBuffer()
    output.append(text: "{\"action\":\"\(report.action)\",\"ref\":")
    output.appendJSON(string: report.reference)
    output.append(",\"path\":")
    output.appendJSON(string: report.path)
    output.append(",\"changed\":")
    output.appendJSON(flag: !report.changes.isEmpty)
    output.append(",\"fields\":")
    append(report.fields, to: &output)
    output.append(",\"summary\":")
    output.appendJSON(string: report.summary)
    output.append(",\"notes\":")
    append(report.notes, to: &output)
    output.append(",\"dryRun\":")
    output.appendJSON(flag: isDryRun)
    if isDryRun {
      output.append(",\"diff\":")
      output.appendJSON(string: report.changes.map { UnifiedDiff.text(of: $0) }.joined())
    }
    output.append("}")
    return output.string
  }

  private static func append(_ texts: [String], to output: inout ByteBuffer) {
    output.append("[")
    for (index, text) in texts.enumerated() {
      if index > 0 { output.append(",") }
      output.appendJSON(string: text)
    }
    output.append("]")
  }
}
