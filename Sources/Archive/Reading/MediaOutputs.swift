import Bytes

extension ContentScan {
  /// Gives each medium its place below `media/`: safe names, none taken twice where case or
  /// normalisation is folded.
  mutating func nameOutputs() {
    // Hashes of folded paths: that two share one is no harm, the later gets a suffix.
    var taken: Set<UInt64> = []
    func take(_ path: [UInt8]) -> Bool {
      taken.insert(Fingerprint.of(PathName.collisionKey(of: path.span).span)).inserted
    }
    for index in media.indices {
      var parts = media[index].path.utf8.split(separator: UInt8(ascii: "/")).dropFirst()
      if parts.first?.elementsEqual("media".utf8) == true, parts.count > 1 { parts.removeFirst() }
      var names = parts.map { PathName.fileName(for: Array($0).span) }
      if let last = names.last {
        // A name that had to be changed may have got another extension.
        let isChanged = !media[index].path.utf8.reversed().starts(with: last.reversed())
        if isChanged, ActiveContent.danger(ofName: last) != .none { media[index].isActive = true }
        if media[index].isActive { names[names.count - 1] = MediaName.text(last) }
      }
      var path = Array(names.joined(separator: [UInt8(ascii: "/")]))
      if !take(path), var last = names.popLast() {
        let hash = Fingerprint.of(media[index].path)
        last = MediaName.suffixed(last, hash: hash)
        path = Array((names + [last]).joined(separator: [UInt8(ascii: "/")]))
        _ = take(path)
      }
      media[index].output = "media/" + String(decoding: path, as: UTF8.self)
    }
  }
}

enum MediaName {
  /// The name with `.txt` after it, at most 200 bytes.
  static func text(_ name: [UInt8]) -> [UInt8] {
    let suffix = Array(".txt".utf8)
    if name.count + suffix.count <= 200 { return name + suffix }
    return UnicodeText.truncate(name.span, to: 200 - suffix.count) + suffix
  }

  /// The name with a hash before its extension, at most 200 bytes.
  static func suffixed(_ name: [UInt8], hash: UInt64) -> [UInt8] {
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let room = PathName.maximumLength - 9 - (name.endIndex - dot)
    var result = ByteBuffer()
    if dot <= room || room < 1 {
      result.append(name[..<dot])
    } else {
      result.append(UnicodeText.truncate(Array(name[..<dot]).span, to: room))
    }
    result.append(UInt8(ascii: "-"))
    result.append(hexadecimal: hash, digits: 8)
    result.append(name[dot...])
    return result.array
  }
}
