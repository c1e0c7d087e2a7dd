import Bytes

extension MediaIndex {
  /// A number for what a path in a content file finds: another where anything that an entry's index
  /// shows of it is another.
  func signature(of written: String, beside folder: String) -> UInt64 {
    switch resolve(written, beside: folder) {
    case .file(let number):
      Fingerprint.mix(Fingerprint.of(files[number].path), files[number].isActive ? 1 : 2)
    case .missing: 3
    case .refused: 4
    }
  }
}

extension Harvest {
  /// Notes that a path was looked up among the media.
  mutating func note(_ written: String, _ file: FileContext) {
    if MediaReading.isRemote(written) { return }
    mediaUses.append(
      MediaUse(
        file: fileNumber,
        written: written,
        signature: file.media.signature(of: written, beside: file.folder)
      )
    )
  }

  func encodeMedia(into output: inout ByteBuffer) {
    output.append(number: mediaUses.count)
    for use in mediaUses {
      output.append(number: use.file)
      output.append(fixed: use.signature)
      output.append(counted: use.written)
    }
  }

  /// Whether all media are still what they were when a harvest was kept.
  static func findsSameMedia(
    _ input: inout CacheCursor,
    _ place: HarvestPlace,
    _ media: MediaIndex
  ) -> Bool {
    var (folder, number) = ("", -1)
    for _ in 0..<input.count() {
      let file = input.number(upTo: place.sources.count - 1)
      let signature = input.fixed()
      let written = input.countedText()
      if input.isBroken { return false }
      if file != number { (folder, number) = (place.source(file).folder, file) }
      if media.signature(of: written, beside: folder) != signature { return false }
    }
    return !input.isBroken && input.isAtEnd
  }
}
