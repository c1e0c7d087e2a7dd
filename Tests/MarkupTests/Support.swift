import Bytes
import Glibc
import JSON
import Testing

@testable import Markup

/// Files under Tests/Fixtures.
enum Fixture {
  private static let folder: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(2)
    return (parts + ["Fixtures"]).joined(separator: "/")
  }()

  static func bytes(_ path: String) throws -> [UInt8] { try FileSystem.read("\(folder)/\(path)") }

  /// Calls `body` with the parsed file.
  static func json(_ path: String, _ body: (JSONValue) throws -> Void) throws {
    let bytes = try bytes(path)
    var parser = JSONParser()
    try body(try parser.parse(bytes.span))
  }
}

/// A small seeded generator (SplitMix64), so that a failure can be run again.
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Knows a few people and files, and nothing else.
struct KnownLinks: LinkResolver {
  func href(forDestination destination: Span<UInt8>, into output: inout ByteBuffer) -> Bool {
    let text = destination.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    switch text {
    case "photo.jpg": output.append("../media/photo.jpg")
    case "https://chat.example/m/1": output.append("../channels/c/#m-1")
    default: return false
    }
    return true
  }

  func mention(_ name: Span<UInt8>, into output: inout ByteBuffer) -> Bool {
    let text = name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    guard ["alice", "小明", "bob.b", "山田-太郎"].contains(text) else { return false }
    output.append("../people/")
    output.append(name)
    output.append("/")
    return true
  }
}

/// Renders Markdown text.
func rendered(
  _ markdown: String,
  _ options: MarkdownOptions = MarkdownOptions(),
  _ links: some LinkResolver = UnchangedLinks()
) -> String {
  rendered(Array(markdown.utf8), options, links)
}

/// Renders Markdown bytes.
func rendered(
  _ markdown: [UInt8],
  _ options: MarkdownOptions = MarkdownOptions(),
  _ links: some LinkResolver = UnchangedLinks()
) -> String {
  var writer = MarkdownWriter()
  var output = ByteBuffer()
  _ = writer.render(markdown.span, options: options, links: links, into: &output)
  return output.string
}

/// The seconds of processor time that `body` takes on this thread: other processes do not count.
func processorTime(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  body()
  return now() - start
}
