import Glibc

/// A socket that listens, and the address that it got.
struct ListeningSocket {
  let number: Int32
  let port: UInt16
  /// As an address writes the host: `127.0.0.1`, `[::1]`.
  let host: String
  /// Whether only this machine can reach it.
  let isLoopback: Bool

  /// Ports after 8000 that are tried where none was asked for.
  private static let tries = 100

  /// Listens at `host`; without a port at 8000 or the next free one.
  init(host: String, port: UInt16?) throws(PreviewError) {
    let first = port ?? 8000
    let last = port == nil ? first + UInt16(Self.tries) : first
    var reason = ""
    for candidate in first...last {
      switch Self.listen(host, candidate) {
      case .success(let socket):
        self = socket
        return
      case .failure(let failure):
        reason = failure.reason
        if !failure.isTaken { throw PreviewError(reason) }
      }
    }
    throw PreviewError(port == nil ? "No port from \(first) to \(last) is free" : reason)
  }

  private struct Failure: Error {
    let reason: String
    var isTaken = false
  }

  private init(_ number: Int32, _ port: UInt16, _ host: String, _ isLoopback: Bool) {
    self.number = number
    self.port = port
    self.host = host
    self.isLoopback = isLoopback
  }

  private static func listen(_ host: String, _ port: UInt16) -> Result<Self, Failure> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, "\(port)", &hints, &found)
    defer { if let found { freeaddrinfo(found) } }
    guard result == 0, let info = found else {
      return .failure(Failure(reason: "'\(host)' is no address of this machine"))
    }
    let number = socket(
      info.pointee.ai_family,
      info.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
      0
    )
    guard number >= 0 else { return .failure(failure(host, port)) }
    var on: Int32 = 1
    // So that a preview can start again at once where one has just ended.
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard bind(number, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0,
      Glibc.listen(number, 1024) == 0
    else {
      let failure = failure(host, port)
      close(number)
      return .failure(failure)
    }
    return .success(named(number))
  }

  private static func failure(_ host: String, _ port: UInt16) -> Failure {
    switch errno {
    case EADDRINUSE:
      Failure(reason: "Port \(port) of \(host) is in use", isTaken: true)
    case EACCES: Failure(reason: "Port \(port) needs more rights; take one from 1024 on")
    case EADDRNOTAVAIL: Failure(reason: "'\(host)' is no address of this machine")
    default: Failure(reason: "Can't listen at \(host):\(port): \(String(cString: strerror(errno)))")
    }
  }

  /// Asks a bound socket for its address.
  private static func named(_ number: Int32) -> Self {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: 64)
    var service = [CChar](repeating: 0, count: 16)
    withUnsafeMutableBytes(of: &storage) { memory in
      guard let address = memory.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
      getsockname(number, address, &length)
      getnameinfo(
        address,
        length,
        &host,
        socklen_t(host.count),
        &service,
        socklen_t(service.count),
        NI_NUMERICHOST | NI_NUMERICSERV
      )
    }
    let name = text(host)
    let port = UInt16(text(service)) ?? 0
    let isLoopback = name == "::1" || name.utf8.starts(with: "127.".utf8)
    return Self(
      number,
      port,
      name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]" : name,
      isLoopback
    )
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
