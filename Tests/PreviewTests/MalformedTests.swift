import Testing

@testable import Preview

/// What is no proper HTTP is answered with an error or closed, and the server lives on.
@Suite
struct MalformedTests {
  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "GET /\r\n\r\n", "GET\r\n\r\n", "/ HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n",
    "GET / HTTP/9.9\r\nHost: evil\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "a", count: 40_000) + "\r\n\r\n",
    "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
  ])
  func isAnsweredWithAnError(text: String) throws {
    var limits = PreviewLimits()
    limits.requestSeconds = 0.5
    let site = try TestSite(limits: limits)
    let client = try #require(RawClient(port: site.server.port))
    client.send(text)
    let (bytes, isClosed) = client.receive(seconds: 3)
    #expect(isClosed)
    if let answer = RawAnswer(bytes) { #expect((400..<506).contains(answer.status)) }
    #expect(site.ask("/")?.status == 200)
  }

  @Test
  func mutatedRequestsDoNoHarm() throws {
    var limits = PreviewLimits()
    limits.requestSeconds = 0.2
    let site = try TestSite(limits: limits, files: ["a.txt": "0123456789"])
    let seeds = [
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "GET /a.txt HTTP/1.1\r\nHost: localhost\r\nRange: bytes=1-2\r\nConnection: close\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    ]
    // A fixed sequence (Knuth's MMIX generator), so that a failure can be had again.
    var seed: UInt64 = 7
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    for round in 0..<300 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0...random(4) {
        let place = random(bytes.count)
        switch random(4) {
        case 0: bytes[place] = UInt8(random(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(random(256)), at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(random(40)), at: place)
        }
      }
      let client = try #require(RawClient(port: site.server.port))
      client.send(bytes)
      #expect(client.receive(seconds: 3).isClosed, "round \(round)")
    }
    #expect(site.ask("/")?.status == 200)
  }
}
