import Bytes
import Glibc
import Testing

@testable import Preview

/// Targets that lead out of other servers' folders, sent as they are.
@Suite
struct HostilePathsTests {
  static let targets: [[UInt8]] = {
    let path = #filePath.replacing(
      "PreviewTests/HostilePathsTests.swift",
      with: "Fixtures/hostile/http-paths.txt"
    )
    let bytes = (try? FileSystem.read(path)) ?? []
    return bytes.split(separator: 10).map { unescaped(Array($0)) }
  }()

  /// The code points of a JSON string, each one byte.
  static func unescaped(_ literal: [UInt8]) -> [UInt8] {
    var scalars = String(decoding: literal, as: UTF8.self).unicodeScalars.dropFirst().dropLast()
    var bytes: [UInt8] = []
    while let scalar = scalars.popFirst() {
      guard scalar == "\\", let escaped = scalars.popFirst() else {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        continue
      }
      switch escaped {
      case "u":
        bytes.append(UInt8(String(String.UnicodeScalarView(scalars.prefix(4))), radix: 16) ?? 0)
        scalars = scalars.dropFirst(4)
      case "n": bytes.append(10)
      case "r": bytes.append(13)
      case "t": bytes.append(9)
      default: bytes.append(UInt8(truncatingIfNeeded: escaped.value))
      }
    }
    return bytes
  }

  @Test
  func theListIsThere() {
    #expect(Self.targets.count == 181)
    #expect(Self.targets.contains { $0.contains(0) })
  }

  /// A site with links out of it, a pipe, a loop and a folder without rights.
  private func hostileSite(basePath: String = "/") throws -> TestSite {
    let site = try TestSite(
      basePath: basePath,
      files: ["dir-no-x/x": TestSite.canary, ".git/HEAD": TestSite.canary, ".env": TestSite.canary]
    )
    let folder = site.folder.path + "/site"
    symlink("/etc", folder + "/link-to-etc")
    symlink("..", folder + "/link-to-parent")
    symlink("../canary.txt", folder + "/canary.txt")
    symlink("link-loop", folder + "/link-loop")
    symlink("../out-evil", folder + "/outside-link")
    mkfifo(folder + "/fifo", 0o644)
    unlink(folder + "/dir-no-x/x")
    try site.server.publish()
    return site
  }

  @Test(arguments: ["/", "/sub/"])
  func theCanaryStaysHidden(basePath: String) throws {
    let site = try hostileSite(basePath: basePath)
    let prefix = Array(basePath.utf8.dropLast())
    for target in Self.targets {
      for start in prefix.isEmpty ? [[]] : [[], prefix] {
        let raw =
          Array("GET ".utf8) + start + target
          + Array(" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
        let client = try #require(RawClient(port: site.server.port))
        client.send(raw)
        let (bytes, isClosed) = client.receive()
        let name = String(decoding: target.prefix(80), as: UTF8.self)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(isClosed, "\(name) is left hanging")
        #expect(!text.contains(TestSite.canary) && !text.contains("root:"), "\(name)")
        guard let answer = RawAnswer(bytes) else {
          #expect(target.count > 8000, "\(name) gets no answer")
          continue
        }
        #expect([200, 301, 400, 404, 414, 421, 431].contains(answer.status), "\(name)")
        if let location = answer["Location"] {
          let next = location.utf8.dropFirst().first
          #expect(location.hasPrefix(basePath) && next != UInt8(ascii: "/"), "\(name)")
          #expect(!location.utf8.contains(UInt8(ascii: "\\")), "\(name)")
        }
        #expect(answer["X-Injected"] == nil, "\(name)")
      }
    }
    #expect(site.ask(basePath)?.status == 200)
  }

  @Test
  func linksAndHiddenFilesAreNoPartOfTheSite() throws {
    let site = try hostileSite()
    for path in [
      "/link-to-etc/passwd", "/link-to-parent/canary.txt", "/canary.txt",
      "/outside-link/canary.txt",
      "/fifo", "/.git/HEAD", "/.env", "/.nojekyll",
    ] {
      #expect(site.ask(path)?.status == 404, "\(path)")
    }
  }
}
