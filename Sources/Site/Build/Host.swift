import Archive

/// A place that serves static sites, with what it takes.
///
/// Sources, as of November 2026: GitHub Pages limits and Cloudflare Pages limits of their manuals,
/// Netlify's page on site deploys, the S3 manual on index documents.
public struct Host: Sendable {
  /// As `--host` writes it.
  public let name: String
  /// As people call it.
  let title: String
  var files: Int?
  var bytes: Int?
  var bytesOfFile: Int?
  var filesOfFolder: Int?
  /// Whether a folder's address shows its index page everywhere, not only at the root.
  var servesFolders = true

  /// All that are known.
  public static let all = [
    Host(name: "github-pages", title: "GitHub Pages", bytes: 1_000_000_000),
    Host(
      name: "cloudflare-pages",
      title: "Cloudflare Pages (free plan)",
      files: 20_000,
      bytesOfFile: 25 << 20
    ),
    Host(name: "netlify", title: "Netlify", filesOfFolder: 54_000),
    Host(name: "s3", title: "S3", servesFolders: false),
  ]

  /// From this part of a limit on there is a warning: there is time yet.
  private static let nearPercent = 80

  /// What a site of these sizes meets there.
  ///
  /// - Parameters:
  ///   - site: All files that a build would write.
  ///   - links: How addresses are written.
  /// - Returns: An error for each limit that is passed, a warning for each that is near.
  func problems(with site: SiteSize, links: Configuration.Links) -> [Diagnostic] {
    var found: [Diagnostic] = []
    func compare(_ value: Int, _ limit: Int?, _ what: String, _ unit: String, _ advice: String) {
      guard let limit, value > limit / 100 * Self.nearPercent else { return }
      let isOver = value > limit
      found.append(
        Diagnostic(
          isOver ? .error : .warning,
          headline: isOver
            ? "\(title) takes \(limit) \(unit) \(what); this is \(value)"
            : "\(title) takes \(limit) \(unit) \(what); \(value) is near that",
          suggestion: advice
        )
      )
    }
    compare(
      site.files,
      files,
      "a site",
      "files",
      "'pages: month' or 'year' in channel.yml and a larger 'perPage' make fewer pages"
    )
    compare(site.bytes, bytes, "a site", "bytes", "keep large media on another host")
    compare(
      site.largestFile.bytes,
      bytesOfFile,
      "a file ('\(site.largestFile.path)')",
      "bytes",
      "leave it out, or keep it on another host"
    )
    compare(
      site.fullestFolder.files,
      filesOfFolder,
      "a folder ('\(site.fullestFolder.path)')",
      "files",
      "spread the media over folders"
    )
    if !servesFolders, links == .pretty {
      found.append(
        Diagnostic(
          .warning,
          headline: "\(title) shows an index page for a folder at the root only",
          suggestion: "build with '--links explicit', or use the website endpoint"
        )
      )
    }
    return found
  }
}

/// How large a site is, as far as hosts care.
struct SiteSize: Sendable {
  private(set) var files = 0
  private(set) var bytes = 0
  private(set) var largestFile = (path: "", bytes: 0)
  private(set) var fullestFolder = (path: "", files: 0)
  private var folders: [Substring: Int] = [:]

  /// Adds a file.
  mutating func add(_ path: String, bytes count: Int) {
    files += 1
    bytes += count
    if count > largestFile.bytes { largestFile = (path, count) }
    let folder = path.lastSlash.map { path[..<$0] } ?? ""
    folders[folder, default: 0] += 1
    let inFolder = folders[folder] ?? 0
    if inFolder > fullestFolder.files { fullestFolder = (String(folder), inFolder) }
  }
}
