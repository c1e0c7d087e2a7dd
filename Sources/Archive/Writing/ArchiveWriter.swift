import Bytes
import Glibc
import JSON

/// What a change came to.
public struct WriteReport: Sendable {
  /// `add`, `edit` or `delete`.
  public var action: String
  /// The reference of what was added, changed or deleted.
  public var reference: String
  /// The file it stands in, from the archive's root.
  public var path: String
  /// What was done, in one sentence.
  public var summary: String
  /// The fields that were changed, as the file calls them.
  public var fields: [String] = []
  /// What the person who asked should know.
  public var notes: [String] = []
  /// The files before and after; none where there was nothing to change.
  public var changes: [FileChange] = []
}

/// Adds to, changes and deletes from an archive's content folder.
///
/// A change is read, made and written under one lock, so that of two at once neither is lost; a
/// lock is never left behind by a process that dies. Each file goes from its old to its new state
/// in one step that is on the disk when the call returns. A file that another program changes in
/// between is read again.
public struct ArchiveWriter: Sendable {
  let root: String
  let store: ContentStore
  /// The time of what is added and changed.
  let now: Timestamp
  let isDryRun: Bool
  private let onWait: @Sendable () -> Void

  /// How long another process may take, in milliseconds.
  private static let patience = 30_000
  private static let attempts = 8

  /// - Parameters:
  ///   - root: The archive's folder.
  ///   - now: The time that new entries and changes get.
  ///   - isDryRun: Whether changes are only worked out; nothing at all is written then.
  ///   - onWait: Called when another process holds the lock for more than half a second.
  public init(
    root: String,
    now: Timestamp,
    isDryRun: Bool = false,
    onWait: @escaping @Sendable () -> Void = {}
  ) {
    self.root = root
    store = ContentStore(root: root)
    self.now = now
    self.isDryRun = isDryRun
    self.onWait = onWait
  }

  /// The archive as it is, with all that anybody may see.
  func read() async throws -> Archive {
    let (configuration, problems) = Configuration.read(root: root)
    if let problem = problems.first(where: { $0.severity == .error }) {
      throw WritingError("\(problem.path): \(problem.headline)", suggestion: problem.suggestion)
    }
    let reader = ContentReader(
      root: root,
      configuration: configuration,
      workers: 2,
      cache: ContentCache(in: "\(root)/.stillfeed", isWritable: !isDryRun)
    )
    var (archive, diagnostics) = try await reader.read(audience: .private, drafts: true)
    if diagnostics.contains(where: \.isUnread) {
      // The system may give on a second reading what it didn't give at first.
      (archive, diagnostics) = try await reader.read(audience: .private, drafts: true)
    }
    // A change must not be worked out from a part of the archive.
    if let problem = diagnostics.first(where: \.isUnread) {
      throw WritingError("\(problem.path): \(problem.headline); nothing was written")
    }
    return archive
  }

  /// Works out a change from what is there, and makes it unless this is a dry run.
  func perform(_ work: (Archive) throws -> WriteReport) async throws -> WriteReport {
    if isDryRun {
      for _ in 0..<Self.attempts {
        do { return try work(try await read()) } catch is Stale { continue }
      }
      throw Self.restless
    }
    let lock = try takeLock()
    defer { lock.release() }
    for _ in 0..<Self.attempts {
      do {
        let report = try work(try await read())
        try store.commit(report.changes)
        return report
      } catch is Stale {
        continue
      }
    }
    throw Self.restless
  }

  private static var restless: WritingError {
    WritingError(
      "Another program keeps changing the file; nothing was written",
      suggestion: "Try again when it is done"
    )
  }

  private func takeLock() throws -> HeldLock {
    let folder = "\(root)/.stillfeed"
    try FileSystem.makeDirectories(folder)
    guard try FileSystem.existing(folder, followsLinks: false)?.kind == .directory else {
      throw FileError(path: folder, operation: "open", code: ENOTDIR)
    }
    let lock = try FileLock.take("\(folder)/lock", patience: Self.patience, onWait: onWait)
    guard let lock else {
      throw WritingError(
        "Another run is changing the archive and holds '\(folder)/lock'; nothing was written",
        suggestion: "Try again when it is done"
      )
    }
    return HeldLock(lock)
  }

  /// The entry of a reference.
  func entry(_ reference: String, in archive: Archive) throws -> EntryID {
    if let entry = archive.entry(for: reference) { return entry }
    throw WritingError(
      "There is no entry '\(Diagnostic.shown(reference))'",
      suggestion: archive.nearestReference(to: reference).map { "did you mean '\($0)'?" }
        ?? "'stillfeed list' prints the references"
    )
  }

  /// The record of an entry, ready to be changed.
  func editor(
    of id: EntryID,
    in archive: Archive
  ) throws -> (editor: RecordEditor, old: [UInt8], status: FileStatus) {
    let entry = archive.entries[id.index]
    let (bytes, status) = try store.read(entry.record.file, of: archive)
    let end = Int(entry.record.offset) + Int(entry.record.length)
    guard end <= bytes.count else { throw Stale() }
    let hash = Fingerprint.of(bytes.span.extracting(Int(entry.record.offset)..<end))
    let ordinal = entry.record.ordinal
    guard (ordinal == 0 ? hash : Fingerprint.mix(hash, UInt64(ordinal))) == entry.fingerprint else {
      throw Stale()
    }
    let path = archive.files[entry.record.file.index].path
    let editor = try RecordEditor(bytes, path: path, of: entry, archive.fieldTable(of: entry))
    return (editor, bytes, status)
  }

  /// Calls `body`, and names the file in what goes wrong.
  func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SpliceError {
      throw WritingError.unsplicable(path, error.reason)
    } catch let error as JSONEditError {
      throw WritingError.unsplicable(path, SpliceError(error).reason)
    }
  }
}

/// A lock that a `defer` can release.
private final class HeldLock {
  private var lock: FileLock?

  init(_ lock: consuming FileLock) { self.lock = consume lock }

  func release() { lock = nil }
}

extension Archive {
  /// The reference most like one that isn't there, among the first few thousand.
  fileprivate func nearestReference(to reference: String) -> String? {
    let container = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
    let names =
      posts.prefix(2000).map { "posts/\($0.slug)" } + channels.map { "channels/\($0.name)" }
    let isKnown = names.contains { $0.utf8.elementsEqual(container) }
    guard isKnown else { return NameSuggestion.nearest(to: reference, among: names) }
    let range =
      posts.first { "posts/\($0.slug)".utf8.elementsEqual(container) }?.comments
      ?? channels.first { "channels/\($0.name)".utf8.elementsEqual(container) }?.messages ?? 0..<0
    let inside = range.prefix(2000).map { self.reference(of: EntryID($0)) }
    return NameSuggestion.nearest(to: reference, among: inside)
  }
}
