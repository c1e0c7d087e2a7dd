import CUTF8Proc

/// Names of output files made from ids, the same on every system.
///
/// A name is NFC, at most 200 bytes, no path and no reserved name on any common file system. A name
/// that differs from its id by more than normalisation ends in a hash of the id, so that ids which
/// were altered to the same text stay apart. ``FileNames`` sees to it that names differ where case
/// or normalisation is folded.
public enum PathName {
  /// The most bytes that a name has.
  public static let maximumLength = 200

  /// Ids are looked at up to here; the hash covers the rest.
  private static let examinedLength = 1024

  /// The name for an id: the id itself where it can stand.
  public static func fileName(for id: Span<UInt8>) -> [UInt8] {
    if isPlain(id) { return id.array }
    let (base, isAltered) = base(for: id)
    return isAltered ? suffixed(base, id, attempt: 0) : base
  }

  /// The name for an id whose plain name another id has taken: with a hash suffix.
  ///
  /// `attempt` over 0 gives further names, with longer hashes.
  public static func suffixedFileName(for id: Span<UInt8>, attempt: Int = 0) -> [UInt8] {
    suffixed(base(for: id).name, id, attempt: attempt)
  }

  /// The key under which two names are one file where case or normalisation is folded.
  public static func collisionKey(of name: Span<UInt8>) -> [UInt8] { UnicodeText.caseFolded(name) }

  /// Whether the id is short ASCII of unreserved characters that can stand as it is: most are.
  private static func isPlain(_ id: Span<UInt8>) -> Bool {
    guard !id.isEmpty, id.count <= maximumLength, id[0] != UInt8(ascii: ".") else { return false }
    for index in id.indices where !URLText.isUnreserved(id[index]) { return false }
    return id[id.count - 1] != UInt8(ascii: ".") && !isReserved(id)
  }

  private static func base(for id: Span<UInt8>) -> (name: [UInt8], isAltered: Bool) {
    var isAltered = id.count > examinedLength || !UnicodeText.isValidUTF8(id)
    let start = id.extracting(first: UnicodeText.length(of: id, cutTo: examinedLength))
    let normal = UnicodeText.nfc(start)
    var name: [UInt8] = []
    name.reserveCapacity(normal.count)
    // What must not stand becomes one hyphen for each run, so that no neighbours meet and compose.
    var isInRun = false
    for scalar in String(decoding: normal, as: UTF8.self).unicodeScalars {
      if mayStand(scalar) {
        name.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        isInRun = false
      } else {
        if !isInRun { name.append(UInt8(ascii: "-")) }
        isInRun = true
        isAltered = true
      }
    }
    if trim(&name) { isAltered = true }
    if name.count > maximumLength {
      name = UnicodeText.truncate(name.span, to: maximumLength)
      trim(&name)
      isAltered = true
    }
    if name.isEmpty || isReserved(name.span) { isAltered = true }
    return (name, isAltered)
  }

  private static func suffixed(_ base: [UInt8], _ id: Span<UInt8>, attempt: Int) -> [UInt8] {
    var suffix = ByteBuffer(capacity: 24)
    suffix.append("-")
    let hash = Fingerprint.of(id, seed: UInt64(truncatingIfNeeded: max(attempt, 0)))
    suffix.append(hexadecimal: hash, digits: attempt <= 0 ? 8 : 16)
    var name = UnicodeText.truncate(base.span, to: maximumLength - suffix.count - 1)
    trim(&name)
    if name.isEmpty { name = Array("id".utf8) }
    name += suffix.array
    // `con.x` is reserved with any ending: a character before it makes it another name.
    if isReserved(name.span) { name.insert(UInt8(ascii: "_"), at: 0) }
    return name
  }

  /// Takes points and blanks off both ends: hidden files, `..`, and what Windows drops.
  @discardableResult
  private static func trim(_ name: inout [UInt8]) -> Bool {
    let count = name.count
    while let last = name.last, isPointOrBlank(last) { name.removeLast() }
    name.removeFirst(name.prefix(while: isPointOrBlank).count)
    return name.count != count
  }

  private static func isPointOrBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: " ")
  }

  /// Not separators, what Windows forbids, controls, line ends, marks that turn the writing
  /// direction, noncharacters.
  private static func mayStand(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x22, 0x2A, 0x2F, 0x3A, 0x3C, 0x3E, 0x3F, 0x5C, 0x7C, 0x7F..<0xA0: false
    case 0x20..<0x7F: true
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFB:
      false
    case 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }

  /// Whether Windows takes the name, with any extension, for a device.
  private static func isReserved(_ name: Span<UInt8>) -> Bool {
    var end = 0
    while end < name.count, name[end] != UInt8(ascii: ".") { end += 1 }
    while end > 0, name[end - 1] == UInt8(ascii: " ") { end -= 1 }
    // The longest are `CONOUT$` and `COM¹` with its two-byte digit.
    guard (3...7).contains(end), "cpanlCPANL".utf8.contains(name[0]) else { return false }
    var stem: [UInt8] = []
    for index in 0..<end { stem.append(UnicodeText.lowercased(name[index])) }
    if deviceNames.contains(stem) { return true }
    guard stem.starts(with: Array("com".utf8)) || stem.starts(with: Array("lpt".utf8)) else {
      return false
    }
    let rest = Array(stem.dropFirst(3))
    if rest.count == 1 { return rest[0] >= UInt8(ascii: "0") && rest[0] <= UInt8(ascii: "9") }
    return ["¹", "²", "³"].contains { Array($0.utf8) == rest }
  }

  private static let deviceNames: [[UInt8]] =
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"].map { Array($0.utf8) }
}

/// Gives distinct names to distinct ids of one folder, in the order in which they come.
public struct FileNames: Sendable {
  /// The name that an id was given.
  public struct Name: Hashable, Sendable {
    /// UTF-8, NFC.
    public let bytes: [UInt8]
    /// Whether an earlier id holds the plain name, which is worth a warning.
    public let wasTaken: Bool

    /// The name as text.
    public var string: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Hashes of the keys of taken names.
  ///
  /// That two keys share one is no harm: the later gets a suffix.
  private var taken: Set<UInt64> = []

  /// Starts with every name free.
  public init() {}

  /// Keeps a name from being given, such as `page` where numbered pages stand.
  public mutating func reserve(_ name: String) {
    taken.insert(Self.key(of: Array(name.utf8).span))
  }

  /// The name for an id that has none yet; ask once for each id.
  public mutating func name(for id: Span<UInt8>) -> Name {
    let plain = PathName.fileName(for: id)
    if taken.insert(Self.key(of: plain.span)).inserted {
      return Name(bytes: plain, wasTaken: false)
    }
    var attempt = 0
    while true {
      let name = PathName.suffixedFileName(for: id, attempt: attempt)
      if taken.insert(Self.key(of: name.span)).inserted { return Name(bytes: name, wasTaken: true) }
      attempt += 1
    }
  }

  /// The name for an id that has none yet; ask once for each id.
  public mutating func name(for id: String) -> Name { name(for: Array(id.utf8).span) }

  private static func key(of name: Span<UInt8>) -> UInt64 {
    Fingerprint.of(PathName.collisionKey(of: name).span)
  }
}
