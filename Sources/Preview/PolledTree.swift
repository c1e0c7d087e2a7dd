import Bytes

/// Files looked at now and then: where nobody tells of changes, as on network mounts.
struct PolledTree {
  private struct Seen: Equatable {
    let inode: UInt64
    let size: Int
    let modified: Int64
    let changed: Int64

    init(_ status: FileStatus) {
      inode = status.inode
      size = status.size
      modified = status.modified
      changed = status.changed
    }
  }

  private let plan: WatchPlan
  private var seen: [Path: Seen] = [:]

  init(_ plan: WatchPlan) {
    self.plan = plan
    seen = look()
  }

  /// Looks again and tells what differs.
  mutating func read() -> Changes {
    let now = look()
    var changes = Changes()
    for (path, file) in now where seen[path] != file { changes.insert(path.text) }
    for path in seen.keys where now[path] == nil { changes.insert(path.text) }
    seen = now
    return changes
  }

  private func look() -> [Path: Seen] {
    var found: [Path: Seen] = [:]
    var folders: [String] = []
    for name in plan.names {
      let status = FileSystem.statusFollowingLinks(plan.fullPath(name))
      if status?.kind == .directory { folders.append(name) }
      if let status, status.kind == .file { found[Path(Array(name.utf8))] = Seen(status) }
    }
    while let folder = folders.popLast() {
      if plan.isOutput(plan.fullPath(folder)) { continue }
      for entry in (try? FileSystem.list(plan.fullPath(folder))) ?? []
      where !WatchPlan.ignores(entry.name) {
        let path = "\(folder)/\(entry.name)"
        switch entry.kind {
        case .directory: folders.append(path)
        case .file, .link:
          guard let status = FileSystem.statusFollowingLinks(plan.fullPath(path)) else { continue }
          found[Path(Array(path.utf8))] = Seen(status)
        case .other, .unreadableName: break
        }
      }
    }
    return found
  }
}

extension Path {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
