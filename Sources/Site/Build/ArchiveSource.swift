import Archive

/// Reads an archive under its configuration and the command line's wishes.
public struct ArchiveSource: Sendable {
  private let options: BuildOptions

  /// Prepares reading.
  public init(_ options: BuildOptions) { self.options = options }

  /// Reads configuration and content.
  ///
  /// - Parameter jobs: How many files are read at once.
  /// - Returns: The archive, and what is wrong with it.
  /// - Throws: `FileError` where the content folder can't be listed, `BuildFailure` where the
  ///   configuration can't be used.
  public func read(jobs: Int) async throws -> (archive: Archive, diagnostics: [Diagnostic]) {
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
    let reader = ContentReader(root: options.root, configuration: configuration, workers: jobs)
    let (archive, found) = try await reader.read()
    diagnostics += found
    return (archive, diagnostics)
  }
}
