import Glibc

/// A client that sends just the bytes it is given, and believes nothing.
final class RawClient {
  let socket: Int32

  init?(port: UInt16) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let socket = socket
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { return nil }
  }

  deinit { close(socket) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let sent = bytes[done...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent <= 0 { return false }
      done += sent
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// What comes within `seconds`, until `isEnough` or the server closes; nil for a reset.
  func receive(
    seconds: Double = 5,
    until isEnough: ([UInt8]) -> Bool = { _ in false }
  ) -> (bytes: [UInt8], isClosed: Bool) {
    var received: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65536)
    let end = ContinuousClock.now + .seconds(seconds)
    while !isEnough(received) {
      let left = (end - ContinuousClock.now) / .milliseconds(1)
      if left <= 0 { return (received, false) }
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(left.rounded(.up))) > 0 else { return (received, false) }
      let got = recv(socket, &block, block.count, 0)
      if got <= 0 { return (received, true) }
      received += block[..<got]
    }
    return (received, false)
  }
}

/// An answer, taken apart.
struct RawAnswer {
  var status = 0
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []

  /// Reads one answer whose body ends with the connection or its `Content-Length`.
  init?(_ bytes: [UInt8]) {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else {
      return nil
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    self.status = status
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields.append((parts[0].lowercased(), String((parts.last ?? "").drop { $0 == " " })))
    }
    body = Array(bytes[(end + 4)...])
  }

  subscript(name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

  var text: String { String(decoding: body, as: UTF8.self) }
}
