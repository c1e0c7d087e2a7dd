import Glibc

/// What the command needs of the system that it runs on.
enum Surroundings {
  /// Files that a run may open at least; with much fewer the Swift runtime itself can't work.
  private static let descriptors: rlim_t = 16

  /// Why nothing can be done here; nil where all is well.
  static var problem: (headline: String, suggestion: String)? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < descriptors
    else { return nil }
    return (
      "Too many open files: this process may have \(limit.rlim_cur), and \(descriptors) are needed",
      "allow it more: ulimit -n 64"
    )
  }
}
