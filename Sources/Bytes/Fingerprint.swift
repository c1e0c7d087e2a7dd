import CXXHash

/// Hashes of bytes that stay the same from run to run (XXH3, 64 bits), unlike `Hasher`.
public enum Fingerprint {
  /// The XXH3 hash of `bytes`.
  public static func of(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
    bytes.withUnsafeBufferPointer { of($0, seed: seed) }
  }

  /// The XXH3 hash of `bytes`.
  @inline(__always)
  public static func of(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64 = 0) -> UInt64 {
    cxxhash_64(bytes.baseAddress, bytes.count, seed)
  }

  /// The XXH3 hash of text as UTF-8.
  public static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
    text.withBytes { of($0, seed: seed) }
  }

  /// Folds `value` into `hash`, order mattering.
  @inline(__always)
  public static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    var mixed = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 32
    return mixed &* 0xD6E8_FEB8_6659_FD93
  }
}

/// The hash of bytes that come piece by piece: the same as of all at once.
public struct RunningFingerprint: ~Copyable {
  private let state: OpaquePointer?

  /// Of nothing so far.
  public init() {
    state = XXH3_createState()
    XXH3_64bits_reset(state)
  }

  deinit { XXH3_freeState(state) }

  /// Goes on with some bytes.
  public mutating func add(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { _ = XXH3_64bits_update(state, $0.baseAddress, $0.count) }
  }

  /// The hash of all bytes so far.
  public var value: UInt64 { XXH3_64bits_digest(state) }
}

extension ByteBuffer {
  /// Appends the low `digits * 4` bits of a fingerprint as lower-case hexadecimal.
  public mutating func append(hexadecimal value: UInt64, digits: Int = 16) {
    for position in stride(from: (digits - 1) * 4, through: 0, by: -4) {
      let nibble = UInt8(truncatingIfNeeded: value >> UInt64(position)) & 15
      append(nibble < 10 ? nibble + UInt8(ascii: "0") : nibble - 10 + UInt8(ascii: "a"))
    }
  }
}
