import Bytes
import Testing

/// Long inputs are hashed by another function of the library than pieces are, which mustn't show.
@Test
func fingerprintsAreThoseOfTheirPieces() {
  var bytes: [UInt8] = []
  for length in Array(0...1100) + [4096, 65_537] {
    while bytes.count < length { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 37)) }
    var running = RunningFingerprint()
    running.add(bytes.span.extracting(first: length / 3))
    running.add(bytes.span.extracting(length / 3..<length))
    #expect(Fingerprint.of(bytes.span.extracting(first: length)) == running.value, "\(length)")
  }
  // What stands in manifests and caches.
  #expect(Fingerprint.of(bytes.span.extracting(first: 1000)) == 0xEB57_EDFE_005B_5CA3)
  #expect(Fingerprint.of(bytes.span.extracting(first: 1000), seed: 7) == 0xB9A8_EDFA_690B_B56A)
}
