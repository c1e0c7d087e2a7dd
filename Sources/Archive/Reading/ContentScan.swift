import Bytes

/// What stands in the content folder, sorted by path: nothing is opened yet.
struct ContentScan: Sendable {
  /// A channel's folder.
  struct ChannelFolder: Sendable {
    var name: String
    /// Path of its `channel.yml` from the archive's root; empty without one.
    var configuration: String
  }

  var sources: [Source] = []
  /// The paths of all sources, by `FileID`.
  var paths: [String] = []
  /// Names of `comments/NAME.json` and `comments/NAME/`.
  var commentFolders: [String] = []
  var channels: [ChannelFolder] = []
  /// `people.yml` and the like.
  var peopleFiles: [String] = []
  var staticFiles: [String] = []
  var media: [MediaIndex.File] = []
  var diagnostics: [Diagnostic] = []

  private let root: String
  private let listings: FolderListings

  /// - Parameters:
  ///   - root: The archive's folder; one without `Content` is an archive without entries.
  ///   - listings: Folders that were just looked at.
  /// - Throws: Where `Content` can't be listed.
  init(root: String, listings: FolderListings = [:]) throws(FileError) {
    self.root = root
    self.listings = listings
    guard try FileSystem.existing(path("Content"))?.kind == .directory else { return }
    var top = listings[path("Content")] ?? []
    if top.isEmpty { top = try FileSystem.list(path("Content")) }
    for entry in top {
      switch entry.kind {
      case .directory where !entry.name.utf8.starts(with: ".".utf8): folder(entry.name)
      case .directory: break
      case .file: topLevelFile(entry.name)
      case .link, .other, .unreadableName: report(entry, in: "Content")
      }
    }
    media.sort { precedes($0.path, $1.path) }
    staticFiles.sort { precedes($0, $1) }
    nameOutputs()
  }

  private func path(_ relative: String) -> String { "\(root)/\(relative)" }

  private mutating func folder(_ name: String) {
    let path = "Content/\(name)"
    switch name {
    case "posts": walk(path) { $0.post($1, $2) }
    case "comments": commentsFolder(path)
    case "channels": channelsFolder(path)
    case "pages": walk(path) { $0.page($1, $2) }
    case "people": walk(path) { $0.person($1, $2) }
    case "static":
      walk(path, hidden: true) { scan, path, _ in
        scan.staticFiles.append(String(path.utf8.dropFirst("Content/static/".utf8.count)) ?? path)
      }
    default: walk(path) { scan, path, _ in scan.medium(path) }
    }
  }

  private mutating func topLevelFile(_ name: String) {
    let path = "Content/\(name)"
    switch name {
    case "people.yml", "people.yaml", "people.json": peopleFiles.append(path)
    default:
      if isIgnored(name) { return }
      if let format = format(of: name), format != .html, format != .yaml {
        diagnostics.append(.misplaced(path))
      } else {
        medium(path)
      }
    }
  }

  private mutating func post(_ path: String, _ entry: DirectoryEntry) {
    switch format(of: entry.name) {
    case .markdown, .json, .lines, .html: add(path, entry, .posts)
    case .yaml, nil: medium(path)
    }
  }

  private mutating func page(_ path: String, _ entry: DirectoryEntry) {
    switch format(of: entry.name) {
    case .markdown, .html: add(path, entry, .pages)
    case .json, .lines, .yaml, nil: medium(path)
    }
  }

  private mutating func person(_ path: String, _ entry: DirectoryEntry) {
    switch format(of: entry.name) {
    case .markdown, .yaml, .json: peopleFiles.append(path)
    case .lines, .html, nil: medium(path)
    }
  }

  private mutating func commentsFolder(_ folder: String) {
    for entry in list(folder) {
      let kind = entry.kind
      let path = String(folder: folder, name: entry.name)
      switch kind {
      case .directory where !isIgnored(entry.name):
        let target = Target.comments(commentFolders.count)
        commentFolders.append(entry.name)
        walk(path) { scan, path, entry in
          switch scan.format(of: entry.name) {
          case .markdown, .yaml, .json, .lines: scan.add(path, entry, target)
          case .html, nil: scan.medium(path)
          }
        }
      case .directory: break
      case .file where !isIgnored(entry.name):
        switch format(of: entry.name) {
        case .json, .lines, .markdown, .yaml:
          let target = Target.comments(commentFolders.count)
          commentFolders.append(stem(entry.name))
          add(path, entry, target)
        case .html, nil: medium(path)
        }
      case .file: break
      case .link, .other, .unreadableName: report(entry, in: folder)
      }
    }
  }

  private mutating func channelsFolder(_ folder: String) {
    for entry in list(folder) {
      let path = String(folder: folder, name: entry.name)
      switch entry.kind {
      case .directory where !isIgnored(entry.name): channel(entry.name, path)
      case .directory: break
      case .file where !isIgnored(entry.name):
        if format(of: entry.name) != nil {
          diagnostics.append(.noChannel(path))
        } else {
          medium(path)
        }
      case .file: break
      case .link, .other, .unreadableName: report(entry, in: folder)
      }
    }
  }

  private mutating func channel(_ name: String, _ folder: String) {
    let number = channels.count
    var configuration = ""
    var hasMessages = false
    walk(folder) { scan, path, entry in
      let name = entry.name
      let isTop = !path.utf8.dropFirst(folder.utf8.count + 1).contains(UInt8(ascii: "/"))
      if isTop, name == "channel.yml" || name == "channel.yaml" {
        configuration = path
        return
      }
      switch scan.format(of: name) {
      case .markdown where isTop, .json where isTop, .lines where isTop:
        hasMessages = true
        scan.add(path, entry, .channel(number))
      case .markdown, .json, .lines, .html, .yaml, nil: scan.medium(path)
      }
    }
    if hasMessages || !configuration.isEmpty {
      channels.append(ChannelFolder(name: name, configuration: configuration))
    }
  }

  private mutating func add(_ path: String, _ entry: DirectoryEntry, _ target: Target) {
    guard let format = format(of: entry.name) else { return }
    var source = Source(file: FileID(paths.count), path: path, format: format, target: target)
    source.status = entry.status
    sources.append(source)
    paths.append(path)
  }

  private mutating func medium(_ path: String) {
    do throws(FileError) {
      let status = try FileSystem.existing(self.path(path), followsLinks: false)
      guard let status, status.kind == .file else { return }
      var file = MediaIndex.File(
        path: path,
        output: "",
        size: UInt64(clamping: status.size),
        modified: status.modified
      )
      file.changed = status.changed
      file.inode = status.inode
      file.isActive = try isActive(path, size: file.size)
      media.append(file)
    } catch {
      diagnostics.append(.unreadable(path, error))
    }
  }

  private func isActive(_ path: String, size: UInt64) throws(FileError) -> Bool {
    let danger = ActiveContent.danger(ofName: path.utf8)
    switch danger {
    case .none: return false
    case .always: return true
    case .vector, .document:
      guard size <= ActiveContent.inspectedBytes else { return true }
      let bytes = try FileSystem.read(self.path(path), followsLinks: false)
      return danger == .vector
        ? !ActiveContent.isInertVector(bytes) : !ActiveContent.isInertDocument(bytes)
    }
  }
}

extension ContentScan {
  /// Visits the files below a folder in byte order of their names, folder by folder.
  private mutating func walk(
    _ folder: String,
    hidden: Bool = false,
    _ visit: (inout ContentScan, _ path: String, DirectoryEntry) -> Void
  ) {
    var folders = [folder]
    while let folder = folders.popLast() {
      var deeper: [String] = []
      for entry in list(folder) {
        let isHidden = hidden ? isTemporary(entry.name) : isIgnored(entry.name)
        let kind = entry.kind
        switch kind {
        case .file: if !isHidden { visit(&self, String(folder: folder, name: entry.name), entry) }
        case .directory: if !isHidden { deeper.append("\(folder)/\(entry.name)") }
        case .link, .other, .unreadableName: report(entry, in: folder)
        }
      }
      folders.append(contentsOf: deeper.reversed())
    }
  }

  private mutating func list(_ folder: String) -> [DirectoryEntry] {
    if let known = listings[path(folder)] {
      makeRoom(for: known.count)
      return known
    }
    do throws(FileError) {
      return try FileSystem.list(path(folder), followsLinks: false)
    } catch {
      diagnostics.append(.unreadable(folder, error, isFolder: true))
      return []
    }
  }

  /// Makes room at once for more sources than there are; fewer come by doubling, as ever, or many
  /// folders would have all sources copied for each.
  private mutating func makeRoom(for count: Int) {
    guard count > max(1024, sources.count) else { return }
    sources.reserveCapacity(sources.count + count)
    paths.reserveCapacity(paths.count + count)
  }

  private mutating func report(_ entry: DirectoryEntry, in folder: String) {
    let reason: String
    switch entry.kind {
    case .link: reason = "a symbolic link, which is not followed"
    case .unreadableName: reason = "a file whose name isn't UTF-8"
    case .other: reason = "no ordinary file"
    case .file, .directory: return
    }
    if isIgnored(entry.name), entry.kind != .unreadableName { return }
    diagnostics.append(
      Diagnostic(
        .warning,
        path: "\(folder)/\(entry.name)",
        headline: "This is \(reason); it is left out"
      )
    )
  }

  /// Hidden files, editors' backups, section files of Hugo and data files of Eleventy.
  private func isIgnored(_ name: String) -> Bool {
    let (first, last) = name.withBytes { ($0.first, $0.last) }
    return switch first {
    case UInt8(ascii: "."): true
    case UInt8(ascii: "_") where name == "_index.md" || name == "_index.markdown": true
    default: last == UInt8(ascii: "~") || last == UInt8(ascii: "n") && isEleventyData(name)
    }
  }

  private func isEleventyData(_ name: String) -> Bool {
    name.withBytes { $0.suffix(14).elementsEqual(".11tydata.json".utf8) }
  }

  private func isTemporary(_ name: String) -> Bool {
    name.utf8.starts(with: ".stillfeed-tmp-".utf8)
  }

  private func format(of name: String) -> Source.Format? {
    name.withBytes { bytes in
      guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
      let end = UnsafeBufferPointer(rebasing: bytes[(dot + 1)...])
      return Self.formats.first { $0.matches(end) }?.format
    }
  }

  /// A format and the end of the names of its files, in small letters.
  private struct Ending {
    let text: StaticString
    let format: Source.Format

    /// Whether a name ends so, in letters of any case.
    func matches(_ end: UnsafeBufferPointer<UInt8>) -> Bool {
      let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      return end.count == text.count
        && zip(end, text).allSatisfy { ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1 }
    }
  }

  private static let formats = [
    Ending(text: "md", format: .markdown), Ending(text: "json", format: .json),
    Ending(text: "jsonl", format: .lines), Ending(text: "markdown", format: .markdown),
    Ending(text: "yml", format: .yaml), Ending(text: "yaml", format: .yaml),
    Ending(text: "html", format: .html), Ending(text: "htm", format: .html),
    Ending(text: "ndjson", format: .lines),
  ]

  private func stem(_ name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
    return String(name[..<dot])
  }
}

extension Diagnostic {
  fileprivate static func misplaced(_ path: String) -> Self {
    Self(
      .warning,
      path: path,
      headline: "This file isn't read: it stands in no folder of entries",
      suggestion: "Move it into Content/posts, Content/pages or a folder of Content/channels"
    )
  }

  fileprivate static func noChannel(_ path: String) -> Self {
    Self(
      .warning,
      path: path,
      headline: "This file isn't read: it stands in no channel",
      suggestion: "Make a folder named like the channel and move it there"
    )
  }
}
