/// Bodies that are nothing but a few emoji, which are shown larger.
enum EmojiOnly {
  /// The longest such body, in bytes and in emoji.
  private static let bytes = 160
  private static let count = 8

  /// Whether `body` holds one to eight emoji, blanks and line ends aside.
  static func holds(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = body.first, first >= 0xC2 || 0x30...0x39 ~= first, body.count <= bytes
    else { return false }
    var emoji = 0
    var isJoined = false
    var regional = 0
    var index = 0
    while index < body.count {
      let (value, length) = UTF8Scan.scalar(in: body, at: index)
      index += length
      switch value {
      case 0x20, 10, 13: isJoined = false
      case 0x200D: isJoined = true
      case 0xFE0F, 0x20E3, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F:
        if emoji == 0 { return false }
      case 0x1F1E6...0x1F1FF:
        regional += 1
        if regional % 2 == 1 { emoji += 1 }
      default:
        guard isEmoji(value, next: index, in: body) else { return false }
        if !isJoined { emoji += 1 }
        isJoined = false
      }
      if emoji > count { return false }
    }
    return emoji > 0 && regional % 2 == 0
  }

  /// Whether a scalar is shown as an emoji by itself, or because a variation selector or keycap
  /// follows.
  private static func isEmoji(
    _ value: UInt32,
    next: Int,
    in body: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let properties = Unicode.Scalar(value)?.properties else { return false }
    if properties.isEmojiPresentation { return true }
    guard properties.isEmoji, next < body.count else { return false }
    let following = UTF8Scan.scalar(in: body, at: next).value
    return following == 0xFE0F || following == 0x20E3
  }
}
