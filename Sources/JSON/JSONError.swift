/// Why a record is not JSON that can be used, and where.
public struct JSONError: Error, Equatable, Sendable {
  /// What is wrong, for code that reacts to it; ``reason`` says it in words.
  public enum Kind: Equatable, Sendable {
    /// Arrays and objects nested over ``JSONParser/maximumDepth`` levels.
    case tooDeep
    /// Over 4 GiB in one document.
    case tooLarge
    /// No value at all.
    case empty
    /// The text stops inside a value.
    case endsEarly
    /// A string without its closing quote.
    case unclosedString
    /// A byte that cannot stand here.
    case unexpectedByte
    /// A comma before `]` or `}`.
    case trailingComma
    /// `//` or `/*`.
    case comment
    /// A backslash followed by something JSON does not know.
    case badEscape
    /// Half of a UTF-16 pair; ``JSONRepair`` mends it.
    case loneSurrogate
    /// A raw byte under U+0020 inside a string; ``JSONRepair`` mends it.
    case rawControl
    /// Bytes that are not UTF-8; ``JSONRepair`` mends them inside a string.
    case invalidUTF8
    /// Digits in a form JSON does not have: `01`, `+1`, `.5`, `1.`.
    case badNumber
    /// A number beyond 64 bits, or beyond a double; ``JSONRepair`` mends it.
    case numberOutOfRange
    /// A word other than `true`, `false`, `null`.
    case badWord
    /// Something after the end of the value.
    case trailingContent
    /// Refused by the parser for a reason the checker doesn't see.
    case other
  }

  /// What is wrong.
  public let kind: Kind
  /// Byte offset into the text given to the parser, where known.
  public let offset: Int?

  init(_ kind: Kind, at offset: Int? = nil) {
    self.kind = kind
    self.offset = offset
  }

  /// What is wrong, in a few words that fit after "not valid JSON: ".
  public var reason: String {
    switch kind {
    case .tooDeep: "nested over \(JSONParser.maximumDepth) levels"
    case .tooLarge: "larger than 4 GiB"
    case .empty: "no value"
    case .endsEarly: "the text ends inside a value"
    case .unclosedString: "a string has no closing quote"
    case .unexpectedByte: "a character that cannot stand here"
    case .trailingComma: "a comma before the closing bracket"
    case .comment: "JSON has no comments"
    case .badEscape: "an unknown escape after a backslash"
    case .loneSurrogate: "half of a surrogate pair"
    case .rawControl: "a raw control character in a string"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .badNumber: "a number in a form that JSON doesn't have"
    case .numberOutOfRange: "a number that doesn't fit in 64 bits"
    case .badWord: "a word other than true, false and null"
    case .trailingContent: "something after the end of the value"
    case .other: "refused by the parser"
    }
  }

  /// Whether ``JSONRepair`` can make something of it.
  public var isRepairable: Bool {
    switch kind {
    case .loneSurrogate, .rawControl, .invalidUTF8, .numberOutOfRange: true
    case .tooDeep, .tooLarge, .empty, .endsEarly, .unclosedString, .unexpectedByte,
      .trailingComma, .comment, .badEscape, .badNumber, .badWord, .trailingContent, .other:
      false
    }
  }
}
