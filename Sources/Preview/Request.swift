import Glibc

/// What a request says that matters here.
struct Request: Sendable {
  var method: String
  /// As it came.
  var target: [UInt8]
  var isHTTP10 = false
  var hosts: [[UInt8]] = []
  var ifNoneMatch: [UInt8]?
  var ifRange: [UInt8]?
  var range: [UInt8]?
  var lastEventID: [UInt8]?
  var fetchSite: [UInt8]?
  var contentLengths = 0
  var transferEncodings = 0

  init(method: String, target: [UInt8]) {
    self.method = method
    self.target = target
  }

  /// Takes a field in; a field that occurs twice counts by its first value, `Host` by all.
  mutating func add(_ name: [UInt8], _ value: [UInt8]) {
    switch String(decoding: name.map { ($0 &- 65) < 26 ? $0 | 0x20 : $0 }, as: UTF8.self) {
    case "host": hosts.append(value)
    case "if-none-match":
      ifNoneMatch = ifNoneMatch.map { $0 + [UInt8(ascii: ",")] + value } ?? value
    case "if-range": ifRange = ifRange ?? value
    case "range": range = range ?? value
    case "last-event-id": lastEventID = lastEventID ?? value
    case "sec-fetch-site": fetchSite = fetchSite ?? value
    case "content-length": contentLengths += 1
    case "transfer-encoding": transferEncodings += 1
    default: break
    }
  }
}

/// What is answered.
struct Answer: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// The bytes of an open file.
    case file(OpenFile, Range<Int>)
    /// A stream of events from a version of the site on: nil if the page doesn't know its version.
    case events(since: Int?)
  }

  var status: Int
  var headers: [(name: String, value: String)] = []
  var body: Body = .bytes([])
  /// Whether the connection must not be used again.
  var closes = false
}

/// Keeps a file open as long as an answer needs it.
final class OpenFile: Sendable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }
}

extension OpenFile {
  /// The first `size` bytes; nil if there are fewer or they can't be read.
  func read(_ size: Int) -> [UInt8]? {
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { memory, filled in
      while done < size {
        let got = pread(number, memory.baseAddress.map { $0 + done }, size - done, done)
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        done += got
      }
      filled = done
    }
    return done == size ? bytes : nil
  }
}
