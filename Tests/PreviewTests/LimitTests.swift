import Glibc
import Testing

@testable import Preview

/// Bounds on connections, with figures short enough for a test.
@Suite(.serialized)
struct LimitTests {
  @Test
  func aByteNowAndThenHoldsNoConnection() throws {
    var limits = PreviewLimits()
    limits.requestSeconds = 0.6
    let site = try TestSite(limits: limits)
    let clients = (0..<50).compactMap { _ in RawClient(port: site.server.port) }
    let start = ContinuousClock.now
    var open = clients
    var text = Array("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaa".utf8)[...]
    while !open.isEmpty, ContinuousClock.now - start < .seconds(4) {
      if let byte = text.popFirst() { for client in open { client.send([byte]) } }
      #expect(site.ask("/")?.status == 200)
      open.removeAll { $0.receive(seconds: 0.001).isClosed }
      usleep(50_000)
    }
    #expect(open.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(2.5))
  }

  @Test
  func aSlowReaderIsCutOff() throws {
    var limits = PreviewLimits()
    limits.answerSeconds = 0.5
    limits.answerRate = 1 << 30
    let site = try TestSite(
      limits: limits,
      files: ["big.bin": String(repeating: "0123456789abcdef", count: 1 << 20)]
    )
    let client = try #require(RawClient(port: site.server.port))
    client.send("GET /big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
    sleep(2)
    let (bytes, isClosed) = client.receive(seconds: 3)
    #expect(isClosed)
    #expect(bytes.count < 16 << 20)
    let whole = try #require(site.ask("/big.bin"))
    #expect(whole.body.count == 16 << 20)
  }

  @Test
  func moreConnectionsThanFitDoNotShutOthersOut() throws {
    var limits = PreviewLimits()
    limits.connections = 32
    let site = try TestSite(limits: limits)
    let idle = (0..<100).compactMap { _ in RawClient(port: site.server.port) }
    #expect(idle.count == 100)
    for _ in 0..<20 { #expect(site.ask("/")?.status == 200) }
    #expect(site.server.connections.count <= 32)
  }

  @Test
  func newConnectionsAreBoundedInRate() throws {
    var limits = PreviewLimits()
    limits.connectionsPerSecond = 20
    let site = try TestSite(limits: limits)
    var answered = 0
    for _ in 0..<200 where site.ask("/") != nil { answered += 1 }
    #expect((20..<150).contains(answered))
    sleep(1)
    #expect(site.ask("/")?.status == 200)
  }

  @Test
  func connectionsLeaveNothingBehind() throws {
    var limits = PreviewLimits()
    limits.requestSeconds = 1
    let site = try TestSite(limits: limits, files: ["a.txt": "0123456789"])
    #expect(site.ask("/")?.status == 200)
    for round in 0..<200 {
      guard let client = RawClient(port: site.server.port) else { continue }
      client.send("GET /\(round % 3 == 0 ? "a.txt" : "") HTTP/1.1\r\nHost: localhost\r\n")
      if round % 10 != 0 { client.send("\r\n") }
    }
    let end = ContinuousClock.now + .seconds(5)
    while site.server.connections.count > 0, ContinuousClock.now < end { usleep(20_000) }
    #expect(site.server.connections.count == 0)
  }
}
