/// Names of languages that code blocks may have in a class: `swift`, `c++`, `objective-c`, `c#`.
enum LanguageName {
  /// Whether it is at most 40 letters, digits and `+-#._`.
  static func isPlain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    !name.isEmpty && name.count <= 40
      && name.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
          UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
