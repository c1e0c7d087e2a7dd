import Bytes
import Glibc
import Testing

@testable import Preview

/// A folder that is gone after the test.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/stillfeed-preview-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
  }

  deinit { Self.remove(path) }

  static func remove(_ path: String) {
    for entry in (try? FileSystem.list(path, followsLinks: false)) ?? [] {
      if entry.kind == .directory {
        chmod("\(path)/\(entry.name)", 0o700)
        remove("\(path)/\(entry.name)")
      } else {
        unlink("\(path)/\(entry.name)")
      }
    }
    rmdir(path)
  }

  func write(_ text: String, to name: String) throws {
    let full = "\(path)/\(name)"
    if let slash = full.lastIndex(of: "/") {
      try FileSystem.makeDirectories(String(full[..<slash]))
    }
    try FileSystem.write(Array(text.utf8).span, to: full)
  }
}

/// A running preview of a small site beside a canary.
final class TestSite {
  static let canary = "CANARY-3f9c"
  static let page = "<!doctype html><title>t</title><body><main id=\"main\">Front</main></body>\n"

  let folder = TemporaryFolder()
  let server: PreviewServer

  init(
    basePath: String = "/",
    reloadsPages: Bool = true,
    limits: PreviewLimits = PreviewLimits(),
    files: [String: String] = [:]
  ) throws {
    try folder.write(Self.canary, to: "canary.txt")
    try folder.write(Self.canary, to: "out-evil/canary.txt")
    try folder.write(Self.page, to: "site/index.html")
    try folder.write(Self.page, to: "site/posts/rain/index.html")
    try folder.write("404 <a href=\"/\">home</a>", to: "site/404.html")
    for (name, text) in files { try folder.write(text, to: "site/" + name) }
    var configuration = PreviewConfiguration(
      site: folder.path + "/site",
      cache: folder.path + "/cache"
    )
    configuration.basePath = basePath
    configuration.port = 0
    configuration.reloadsPages = reloadsPages
    configuration.limits = limits
    server = try PreviewServer(configuration)
    try server.start()
    try server.publish()
  }

  deinit { server.stop() }

  /// The answer to a request of these lines, on a connection of its own.
  func ask(
    _ target: String,
    _ fields: [String] = [],
    method: String = "GET",
    host: String? = "127.0.0.1"
  ) -> RawAnswer? {
    let host = host.map { ["Host: \($0)"] } ?? []
    let lines = ["\(method) \(target) HTTP/1.1"] + host + ["Connection: close"] + fields
    return ask(raw: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }

  func ask(raw: [UInt8], seconds: Double = 5) -> RawAnswer? {
    guard let client = RawClient(port: server.port) else { return nil }
    client.send(raw)
    return RawAnswer(client.receive(seconds: seconds).bytes)
  }
}
