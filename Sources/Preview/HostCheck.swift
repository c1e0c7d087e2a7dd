/// Which names in a request's `Host` field mean this server.
///
/// A page of another site can make a browser ask this server under its own name (DNS rebinding); asked
/// by another name, the server says nothing.
struct HostCheck: Sendable {
  /// Names and addresses that are fine besides the loopback's, in lower case.
  let names: Set<[UInt8]>
  /// Whether any literal address is fine: the owner has opened the server to a network.
  let acceptsAddresses: Bool

  /// `names` are this machine's and the one that was asked for.
  init(names: [String], acceptsAddresses: Bool) {
    self.names = Set(names.map { Array($0.utf8).map(Self.lowercased) })
    self.acceptsAddresses = acceptsAddresses
  }

  /// Whether a `Host` field's value names this server; its port doesn't matter.
  func accepts(_ value: [UInt8]) -> Bool {
    guard let name = Self.name(of: value), !name.isEmpty else { return false }
    if name == Array("localhost".utf8) || name == Array("[::1]".utf8) || names.contains(name) {
      return true
    }
    if let address = Self.address(name) { return acceptsAddresses || address.first == 127 }
    return acceptsAddresses && name.first == UInt8(ascii: "[")
  }

  /// The host without its port, in lower case; nil if it is not `host` or `host:digits`.
  private static func name(of value: [UInt8]) -> [UInt8]? {
    var end = value.endIndex
    let isBracketed = value.first == UInt8(ascii: "[")
    let isInside: (UInt8) -> Bool = { isBracketed && $0 == UInt8(ascii: ":") }
    if isBracketed {
      guard let close = value.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = close + 1
    } else if let colon = value.firstIndex(of: UInt8(ascii: ":")) {
      end = colon
    }
    var port = value[end...]
    if !port.isEmpty {
      guard port.removeFirst() == UInt8(ascii: ":"), port.count <= 5,
        port.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
    }
    let name = value[..<end].map(lowercased)
    let rest = isBracketed ? name[1..<(name.count - 1)] : name[...]
    guard rest.allSatisfy({ isNameByte($0) || isInside($0) }) else { return nil }
    return name
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The four numbers of a dotted address.
  private static func address(_ name: [UInt8]) -> [Int]? {
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
      guard (1...3).contains(part.count), let value = Int(String(decoding: part, as: UTF8.self)),
        part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), value < 256
      else { return nil }
      return value
    }
    return parts.count == 4 && numbers.count == 4 ? numbers : nil
  }
}
