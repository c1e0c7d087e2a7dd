import Archive
import Bytes

/// Reads an archive under its configuration and the command line's wishes.
public struct ArchiveSource: Sendable {
  private let options: BuildOptions

  /// Prepares reading.
  public init(_ options: BuildOptions) { self.options = options }

  /// Reads configuration and content.
  ///
  /// - Parameters:
  ///   - jobs: How many files are read at once.
  ///   - keeps: Whether what was read is kept for the next time, where there is a state folder.
  ///   - listings: What stands in the content's folders, as far as that was just looked at.
  /// - Returns: The archive, and what is wrong with it.
  /// - Throws: `FileError` where the content folder can't be listed, `BuildFailure` where the
  ///   configuration can't be used.
  public func read(
    jobs: Int,
    keeps: Bool = false,
    listings: FolderListings = [:]
  ) async throws -> (archive: Archive, diagnostics: [Diagnostic]) {
    var (configuration, diagnostics) = Configuration.read(root: options.root)
    if diagnostics.contains(where: { $0.severity == .error }) {
      throw BuildFailure.refused(diagnostics)
    }
    if let baseURL = options.baseURL {
      configuration.baseURL = baseURL.isEmpty || baseURL.hasSuffix("/") ? baseURL : baseURL + "/"
    }
    if let links = options.links { configuration.links = links }
    if let audience = options.audience { configuration.audience = audience }
    if options.includesDrafts { configuration.includesDrafts = true }
    if try !FileSystem.directoryExists(options.root + "/Content") {
      diagnostics.append(
        Diagnostic(
          .note,
          headline: "There is no folder 'Content' in '\(options.root)': the archive is empty",
          suggestion: "'stillfeed init' makes an archive; '-C DIR' names one"
        )
      )
    }
    let reader = ContentReader(
      root: options.root,
      configuration: configuration,
      workers: jobs,
      cache: ContentCache(in: StateFolder(root: options.root).path, isWritable: keeps),
      listings: listings
    )
    let (archive, found) = try await reader.read()
    diagnostics += found
    return (archive, diagnostics)
  }
}
