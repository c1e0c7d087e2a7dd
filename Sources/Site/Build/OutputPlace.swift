import Archive
import Bytes
import Glibc

/// Where a site must not be written: over the archive it is made from.
enum OutputPlace {
  /// What is wrong with an output folder; nil where nothing is.
  static func problem(_ output: String, root: String, theme: String) -> Diagnostic? {
    let site = resolved(output)
    let archive = resolved(root)
    let kept = ["Content", theme, ".stillfeed"].map { "\(archive)/\($0)" }
    let isOver = contains(site, archive) || kept.contains { contains($0, site) }
    // The preview's own site stands in the state folder.
    if !isOver || contains("\(archive)/.stillfeed/preview", site) { return nil }
    return Diagnostic(
      .error,
      headline: "The site can't be written to '\(output)', where the archive itself stands",
      suggestion: "choose a folder of its own, like '\(root)/Site'"
    )
  }

  private static func contains(_ folder: String, _ path: String) -> Bool {
    folder == path || path.hasPrefix(folder == "/" ? folder : folder + "/")
  }

  /// The path without links where it exists, else as it is written.
  private static func resolved(_ path: String) -> String {
    let path = AbsolutePath.of(path)
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
