import Bytes

/// A template as it was read.
public struct TemplateSource: Sendable {
  /// What `{{>name}}` says: the path below the templates folder without `.mustache`.
  public var name: String
  /// The file to name in errors.
  public var path: String
  /// The content: UTF-8, with or without a byte order mark, at most 16 MiB.
  public var bytes: [UInt8]

  /// Makes a source.
  public init(name: String, path: String, bytes: [UInt8]) {
    self.name = name
    self.path = path
    self.bytes = bytes
  }
}

/// One template of a `TemplateSet`.
public struct TemplateID: Hashable, Sendable {
  let rawValue: UInt32
}

/// Templates compiled together into one flat program, in which all static names are resolved.
///
/// A built-in template goes by its name unless a template of the archive has the same one, and by
/// `builtin/NAME` always. So an archive's `feed` can change one block and keep the rest:
/// `{{<builtin/feed}}{{$header}}…{{/header}}{{/builtin/feed}}`.
public struct TemplateSet: Sendable {
  /// The prefix that always reaches a built-in template.
  public static let builtInPrefix = "builtin/"

  /// How many mistakes one set reports; the rest would bury them.
  static let mostErrors = 200

  private static let largestSource = 16 << 20
  private static let largestSet = 1 << 30
  /// Counts up whenever the engine writes other bytes for the same template and data.
  private static let version: UInt64 = 1

  let program: Program
  let templateNames: TemplateNames
  let units: [(name: String, path: String)]
  private let fingerprints: [UInt64]

  /// Every name that reaches a template, in byte order.
  public var names: [String] { templateNames.all.map { String(decoding: $0, as: UTF8.self) } }

  /// Compiles templates.
  ///
  /// - Parameters:
  ///   - sources: The archive's templates.
  ///   - builtIn: The built-in theme's.
  ///   - documented: The names of variables that exist, for strict mode; nil allows all. A dotted
  ///     name is checked part by part. `extra.*` allows anything after `extra` and inside its
  ///     sections.
  ///   - keys: Takes up the names that templates use.
  ///   - errors: Mistakes are appended, in the order of template names. The set is usable all the
  ///     same: a missing partial shows nothing, an unclosed section ends with its template.
  public init(
    _ sources: [TemplateSource],
    builtIn: [TemplateSource] = [],
    documented: [String]? = nil,
    keys: inout KeyTable,
    errors: inout [TemplateError]
  ) {
    let units = Self.gather(sources, builtIn: builtIn, errors: &errors)
    var targets: [[UInt8]: UInt32] = [:]
    for (index, unit) in units.enumerated() { targets[Array(unit.name.utf8)] = UInt32(index) }
    for source in builtIn {
      let plain = Array(source.name.utf8)
      if targets[plain] == nil {
        targets[plain] = targets[Array((Self.builtInPrefix + source.name).utf8)]
      }
    }
    templateNames = TemplateNames(targets)
    var compiler = Compiler(
      names: templateNames,
      documented: documented.map(DocumentedNames.init),
      keys: keys
    )
    for (index, unit) in units.enumerated() { compiler.compile(unit, index: UInt32(index)) }
    keys = compiler.keys
    errors += compiler.errors
    var program = Inliner.inlined(compiler.program)
    program.literals += [UInt8](repeating: 0, count: ByteBuffer.longestStep)
    self.program = program
    fingerprints = Self.fingerprints(of: units, compiler)
    self.units = units.map { ($0.name, $0.path) }
  }

  /// The template that a name means.
  public func template(named name: String) -> TemplateID? {
    name.withBytes { templateNames.index(of: Span(_unsafeElements: $0)) }.map(TemplateID.init)
  }

  /// A hash of the template and of every partial and parent it can reach, the same on every run.
  public func fingerprint(of template: TemplateID) -> UInt64 {
    fingerprints[Int(template.rawValue)]
  }

  /// The templates in byte order of the names that reach exactly them.
  private static func gather(
    _ sources: [TemplateSource],
    builtIn: [TemplateSource],
    errors: inout [TemplateError]
  ) -> [TemplateUnit] {
    var units: [[UInt8]: TemplateUnit] = [:]
    var total = 0
    let all =
      sources.map { (name: $0.name, source: $0) }
      + builtIn.map { (name: builtInPrefix + $0.name, source: $0) }
    for (position, entry) in all.enumerated() {
      var bytes = entry.source.bytes
      if bytes.count > largestSource || bytes.count > largestSet - total {
        errors.append(.tooLarge(entry.source))
        bytes = []
      }
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      if String(validating: bytes, as: UTF8.self) == nil {
        errors.append(.notUTF8(entry.source))
      }
      total += bytes.count
      let key = Array(entry.name.utf8)
      if position < sources.count, entry.name.utf8.starts(with: builtInPrefix.utf8) {
        errors.append(.reservedName(entry.source))
      } else if units[key] != nil {
        errors.append(.sameName(entry.source))
      } else {
        units[key] = TemplateUnit(name: entry.name, path: entry.source.path, bytes: bytes)
      }
    }
    let sorted = units.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return sorted.map(\.value)
  }

  private static func fingerprints(of units: [TemplateUnit], _ compiler: Compiler) -> [UInt64] {
    let own = units.map { unit in
      Fingerprint.mix(Fingerprint.of(unit.name), Fingerprint.of(unit.bytes.span))
    }
    return units.indices.map { start in
      var isReached = Array(repeating: false, count: units.count)
      isReached[start] = true
      var pending = [start]
      while let unit = pending.popLast() {
        // A name from the data can mean any template.
        let next =
          compiler.isDynamic[unit] ? Array(units.indices) : compiler.reached[unit].map(Int.init)
        for target in next where !isReached[target] {
          isReached[target] = true
          pending.append(target)
        }
      }
      let first = Fingerprint.mix(version, own[start])
      return units.indices.reduce(first) { isReached[$1] ? Fingerprint.mix($0, own[$1]) : $0 }
    }
  }
}

extension TemplateError {
  private init(_ source: TemplateSource, _ headline: String, suggestion: String?) {
    self.init(
      template: source.name,
      path: source.path,
      line: 1,
      column: 1,
      headline: headline,
      suggestion: suggestion
    )
  }

  fileprivate static func tooLarge(_ source: TemplateSource) -> Self {
    Self(source, "Template '\(source.name)' is larger than 16 MiB", suggestion: nil)
  }

  fileprivate static func notUTF8(_ source: TemplateSource) -> Self {
    Self(
      source,
      "Template '\(source.name)' isn't UTF-8 text",
      suggestion: "save it as UTF-8"
    )
  }

  fileprivate static func reservedName(_ source: TemplateSource) -> Self {
    Self(
      source,
      "Names beginning with 'builtin/' are kept for the built-in theme",
      suggestion: "move the file out of the folder 'builtin'"
    )
  }

  fileprivate static func sameName(_ source: TemplateSource) -> Self {
    Self(source, "Two templates are named '\(source.name)'", suggestion: "rename one of them")
  }
}
