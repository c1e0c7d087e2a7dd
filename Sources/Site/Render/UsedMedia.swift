/// Which files of the content folder a worker's pages show, so that these and no others are copied.
final class UsedMedia {
  private(set) var files: [Bool]
  /// Whether an address inside the site was written since this was last made false.
  var wroteAddress = false

  init(count: Int) { files = Array(repeating: false, count: count) }

  func insert(_ file: Int) { files[file] = true }
}
