import Archive
import Bytes

/// A build of which nothing has to be made: what was read is as it was, and so is what was written.
struct UnchangedBuild {
  /// What the last build reported, if this one would do the same; nil otherwise.
  static func report(_ options: BuildOptions, _ inputs: InputState) -> BuildReport? {
    let path = AbsolutePath.of(options.output)
    let state = StateFolder(root: options.root, shard: options.shard)
    guard inputs.key != 0, isComplete(state.pending(ofOutput: path)),
      Manifest.inputs(in: state.manifest(ofOutput: path)) == inputs.key,
      let manifest = Manifest(readingFrom: state.manifest(ofOutput: path)),
      manifest.inputs == inputs.key, let folder = try? Folder(opening: path),
      hasCopy(state, path)
    else { return nil }
    for file in manifest.files where folder.verified(file.path, file.state) == nil { return nil }
    var report = BuildReport()
    report.entries = manifest.summary.entries
    report.pages = manifest.summary.pages
    report.reused = report.pages
    report.files = manifest.files.count
    report.bytes = manifest.files.bytes
    report.largestPage = (manifest.summary.largestPath, manifest.summary.largestBytes)
    report.diagnostics = manifest.summary.diagnostics.map { manifest.diagnostics[Int($0)] }
    return report
  }

  /// Whether both copies of the manifest are the same; a whole build makes a lost one good again, so
  /// that two damages, one after the other, don't add up.
  private static func hasCopy(_ state: StateFolder, _ output: String) -> Bool {
    guard let manifest = try? FileSystem.read(state.manifest(ofOutput: output)),
      let copy = try? FileSystem.read(state.copy(ofOutput: output))
    else { return false }
    return manifest == copy
  }

  /// Whether no build into the folder is running or was broken off.
  private static func isComplete(_ pending: String) -> Bool {
    do throws(FileError) { return try FileSystem.existing(pending) == nil } catch { return false }
  }
}
