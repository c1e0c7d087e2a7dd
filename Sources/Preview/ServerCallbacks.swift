import Bytes
import CMicroHTTPD
import Glibc

// libmicrohttpd calls these on its own thread: plain functions, so that no actor is expected there.

func server(_ context: UnsafeMutableRawPointer?) -> PreviewServer? {
  context.map { Unmanaged<PreviewServer>.fromOpaque($0).takeUnretainedValue() }
}

/// The number that ``Connections`` gave a connection; it stands where a pointer would.
private func number(of connection: OpaquePointer?) -> Int {
  Int(bitPattern: cmicrohttpd_connection_context(connection))
}

func acceptConnection(
  context: UnsafeMutableRawPointer?,
  address: UnsafePointer<sockaddr>?,
  length: socklen_t
) -> MHD_Result {
  server(context)?.connections.admit() ?? false ? .YES : .NO
}

func noteConnection(
  context: UnsafeMutableRawPointer?,
  connection: OpaquePointer?,
  slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  code: MHD_ConnectionNotificationCode
) {
  guard let server = server(context), let slot else { return }
  if code == .CONNECTION_NOTIFY_STARTED {
    let number = server.connections.open(socket: cmicrohttpd_connection_socket(connection))
    slot.pointee = UnsafeMutableRawPointer(bitPattern: number)
  } else {
    server.connections.close(Int(bitPattern: slot.pointee))
    slot.pointee = nil
  }
}

func noteTarget(
  context: UnsafeMutableRawPointer?,
  target: UnsafePointer<CChar>?,
  connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  if let server = server(context), let target {
    server.connections.setTarget(bytes(target), of: number(of: connection))
    // The library would store each `a=b` of the query, and neither answer nor close when a long one
    // fills the connection's memory: for it the query ends here.
    if let query = strchr(target, Int32(UInt8(ascii: "?"))), query[1] != 0 { query[1] = 0 }
  }
  return nil
}

func completeRequest(
  context: UnsafeMutableRawPointer?,
  connection: OpaquePointer?,
  request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  code: MHD_RequestTerminationCode
) {
  guard let server = server(context) else { return }
  if let stream = server.connections.finished(number(of: connection)) { server.hub.remove(stream) }
}

func answerRequest(
  context: UnsafeMutableRawPointer?,
  connection: OpaquePointer?,
  url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?,
  version: UnsafePointer<CChar>?,
  body: UnsafePointer<CChar>?,
  bodySize: UnsafeMutablePointer<Int>?,
  request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let server = server(context), let method, let request else { return .NO }
  // An answer to the first call ends the connection: that is for requests with a body, which nobody
  // wants to read. Others are answered at the second call, so that further ones may follow.
  let isFirst = request.pointee == nil
  request.pointee = context
  if isFirst, !cmicrohttpd_has_body(connection) { return .YES }
  let number = number(of: connection)
  var asked = Request(
    method: String(cString: method),
    target: server.connections.takeTarget(of: number)
  )
  asked.isHTTP10 = version.map { strcmp($0, "HTTP/1.1") != 0 } ?? true
  withUnsafeMutablePointer(to: &asked) { cmicrohttpd_each_field(connection, addField, $0) }
  return server.send(server.answer(to: asked), connection, number)
}

/// Adds a header field to the request that `context` points to.
private func addField(
  context: UnsafeMutableRawPointer?,
  kind: MHD_ValueKind,
  key: UnsafePointer<CChar>?,
  value: UnsafePointer<CChar>?
) -> MHD_Result {
  if let context, let key {
    context.assumingMemoryBound(to: Request.self).pointee
      .add(bytes(key), value.map(bytes) ?? [])
  }
  return .YES
}

private func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
  Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}

/// Where a stream of events comes from, for as long as its answer lives.
private final class Stream {
  let hub: LiveHub
  let number: Int
  let connection: UInt

  init(_ hub: LiveHub, _ number: Int, _ connection: UInt) {
    self.hub = hub
    self.number = number
    self.connection = connection
  }
}

private func readStream(
  context: UnsafeMutableRawPointer?,
  position: UInt64,
  memory: UnsafeMutablePointer<CChar>?,
  count: Int
) -> Int {
  guard let context else { return -1 }
  let stream = Unmanaged<Stream>.fromOpaque(context).takeUnretainedValue()
  return stream.hub.read(
    stream.number,
    connection: stream.connection,
    into: UInt(bitPattern: memory),
    count: count
  )
}

private func endStream(context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let stream = Unmanaged<Stream>.fromOpaque(context).takeRetainedValue()
  stream.hub.remove(stream.number)
}

extension PreviewServer {
  fileprivate func send(
    _ answer: Answer,
    _ connection: OpaquePointer?,
    _ number: Int
  ) -> MHD_Result {
    let response: OpaquePointer?
    var size = 0
    switch answer.body {
    case .bytes(let bytes):
      size = bytes.count
      response = bytes.withUnsafeBytes {
        cmicrohttpd_bytes($0.baseAddress, $0.count)
      }
    case .file(let file, let range):
      size = range.count
      // The response closes the descriptor it is given.
      let descriptor = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { return .NO }
      response = MHD_create_response_from_fd_at_offset64(
        UInt64(range.count),
        descriptor,
        UInt64(range.lowerBound)
      )
      if response == nil { close(descriptor) }
    case .events(let since):
      guard let stream = hub.add(since: since) else {
        return send(responder.refusal(503, "Too many pages wait for changes"), connection, number)
      }
      let context = Unmanaged.passRetained(Stream(hub, stream, UInt(bitPattern: connection)))
      response = MHD_create_response_from_callback(
        UInt64.max,
        4096,
        readStream,
        context.toOpaque(),
        endStream
      )
      if response == nil { endStream(context: context.toOpaque()) }
      connections.streaming(number, stream: stream)
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for header in answer.headers { MHD_add_response_header(response, header.name, header.value) }
    if answer.closes { MHD_add_response_header(response, "Connection", "close") }
    if case .events = answer.body {} else { connections.answering(number, size: size) }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }
}
