import Bytes

/// Keeps attachments from running scripts on the site's origin.
///
/// A static host serves a file by its extension, so an HTML or SVG file that somebody sent to a chat
/// would run its scripts with the site's own rights once it is opened. Such files get `.txt` after
/// their name, which every host serves as text; pages offer them under their own name.
enum ActiveContent {
  enum Danger {
    case none
    /// Whatever it holds.
    case always
    /// An SVG file, unless it is only a picture.
    case vector
    /// An XML document of another kind, unless it holds nothing that browsers act upon.
    case document
  }

  /// What hosts may do with a file, by its extension.
  static func danger(ofName name: some BidirectionalCollection<UInt8>) -> Danger {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return .none }
    let bytes = name[name.index(after: dot)...]
    if bytes.count > 12 { return .none }
    let lowered = bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    switch String(decoding: lowered, as: UTF8.self) {
    case "html", "htm", "xhtml", "xht", "shtml", "shtm", "mht", "mhtml", "hta", "htc", "xml", "xsl",
      "xslt", "svgz", "js", "mjs", "cjs", "wasm":
      return .always
    // What a host with a scripting language would run itself.
    case "php", "php3", "php4", "php5", "php7", "phps", "phtml", "phar", "cgi", "asp", "aspx",
      "jsp", "jspx":
      return .always
    case "svg": return .vector
    case "gpx", "kml", "rss", "atom", "rdf", "owl", "xsd", "dtd", "mathml", "mml", "wsdl", "dae",
      "xlf", "ttml", "opf", "ncx", "xspf", "xul", "smil", "opml", "tcx":
      return .document
    default: return .none
    }
  }

  /// Files longer than this are not inspected, and count as dangerous.
  static let inspectedBytes = 4 << 20

  /// Whether opening an SVG file shows a picture and does nothing else.
  ///
  /// No script, no event handler, no foreign markup, nothing from another address. In doubt it isn't.
  static func isInertVector(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      if !isPlainXML(bytes) || holds("1999/xhtml", bytes) || holds("javascript:", bytes)
        || holds("@import", bytes) || holds("xml:base", bytes) || bytes.contains(0x5C)
      {
        return false
      }
      // A character reference may hide the words above inside a style sheet.
      if holds("<style", bytes) || holds(":style", bytes), holds("&#", bytes) { return false }
      return !hasActiveTag(bytes) && !hasOutsideReference(bytes)
    }
  }

  /// Whether browsers find nothing to act upon in an XML document that is no SVG.
  static func isInertDocument(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      isPlainXML(bytes) && !holds("1999/xhtml", bytes) && !holds("2000/svg", bytes)
        && !holds("math/mathml", bytes) && !holds("&#", bytes)
    }
  }

  /// XML in an encoding that extends ASCII, without entities or style sheets of its own.
  private static func isPlainXML(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.isEmpty || bytes.count > inspectedBytes { return false }
    if bytes.contains(0) || bytes[0] >= 0xFE || holds("<?xml-", bytes) || holds("<!entity", bytes) {
      return false
    }
    for place in places(of: "encoding", bytes).prefix(4) where place < 100 {
      let value = bytes[place...].drop { !isQuote($0) }.dropFirst().prefix { !isQuote($0) }
      let name = String(decoding: value.prefix(16).map { lower($0) }, as: UTF8.self)
      if !["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1"].contains(name) { return false }
    }
    // A document type with declarations of its own.
    return !places(of: "<!doctype", bytes).contains { place in
      bytes[place...].prefix { $0 != UInt8(ascii: ">") }.contains(UInt8(ascii: "["))
    }
  }

  private static let activeElements: Set<String> = [
    "script", "foreignobject", "iframe", "embed", "object", "handler", "listener", "html", "body",
    "link", "meta", "base", "audio", "video", "a",
  ]

  /// Whether a tag may act: by its element, by an attribute `on…`, by an animation of a link, or
  /// by a character reference in which any of these may hide.
  private static func hasActiveTag(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = bytes.startIndex
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = UnsafeBufferPointer(rebasing: bytes[open...])
      if let end = skipped(rest) {
        index = open + end
        continue
      }
      let tag = UnsafeBufferPointer(rebasing: rest[..<tagEnd(rest)])
      index = open + tag.count
      let name = tag.dropFirst().prefix {
        !isBlank($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">")
      }
      let local = name.split(separator: UInt8(ascii: ":")).last.map(Array.init) ?? []
      let element = String(decoding: local.prefix(20).map { lower($0) }, as: UTF8.self)
      if activeElements.contains(element) || holds("&#", tag) || hasHandler(tag) { return true }
      if element.hasPrefix("animate") || element == "set" || element == "discard",
        holds("href", tag)
      {
        return true
      }
    }
    return false
  }

  /// The end of a comment or CDATA section that begins here, as XML has it.
  private static func skipped(_ rest: UnsafeBufferPointer<UInt8>) -> Int? {
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>")] as [(StaticString, StaticString)]
    where rest.starts(with: bytes(of: start)) {
      return find(end, rest, from: start.utf8CodeUnitCount).map { $0 + end.utf8CodeUnitCount }
        ?? rest.count
    }
    return nil
  }

  /// The end of a tag that begins here; a `>` inside quotes does not end it.
  private static func tagEnd(_ rest: UnsafeBufferPointer<UInt8>) -> Int {
    var quote: UInt8 = 0
    for index in 1..<rest.count {
      let byte = rest[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if isQuote(byte) {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return rest.count
  }

  private static func hasHandler(_ tag: UnsafeBufferPointer<UInt8>) -> Bool {
    places(of: "on", tag).contains { place in
      guard place > 0 else { return false }
      let before = tag[place - 1]
      guard isBlank(before) || isQuote(before) || before == UInt8(ascii: "/") else { return false }
      let name = tag[place...].prefix { 0x61...0x7A ~= lower($0) }
      return name.count > 2
        && tag[name.endIndex...].first { !isBlank($0) } == UInt8(ascii: "=")
    }
  }

  /// Whether `href` or `url(` names anything but a part of the file or a picture inside it.
  private static func hasOutsideReference(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for (word, opener) in [("href", UInt8(ascii: "=")), ("url", UInt8(ascii: "("))]
      as [(StaticString, UInt8)]
    {
      for place in places(of: word, bytes) {
        var rest = bytes[(place + word.utf8CodeUnitCount)...].drop(while: isBlank)
        guard rest.first == opener else { continue }
        rest = rest.dropFirst().drop { isBlank($0) || isQuote($0) }
        if rest.first == UInt8(ascii: "#") { continue }
        let start = String(decoding: rest.prefix(16).map { lower($0) }, as: UTF8.self)
        let pictures = ["png", "jpeg", "jpg", "gif", "webp"]
        if !pictures.contains(where: { start.hasPrefix("data:image/\($0)") }) { return true }
      }
    }
    return false
  }
}

// MARK: - Bytes without regard to case

extension ActiveContent {
  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func bytes(of word: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
  }

  private static func holds(_ word: StaticString, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    find(word, text, from: 0) != nil
  }

  /// Where a word in lower case stands, in any case.
  private static func find(
    _ word: StaticString,
    _ text: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> Int? {
    let word = bytes(of: word)
    var index = start
    while index + word.count <= text.count {
      var matched = 0
      while matched < word.count, lower(text[index + matched]) == lower(word[matched]) {
        matched += 1
      }
      if matched == word.count { return index }
      index += 1
    }
    return nil
  }

  private static func places(
    of word: StaticString,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> [Int] {
    var places: [Int] = []
    var start = 0
    while let place = find(word, text, from: start) {
      places.append(place)
      start = place + word.utf8CodeUnitCount
    }
    return places
  }
}
