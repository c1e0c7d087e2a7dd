import Glibc

/// What libFuzzer calls with each input: the environment's STILLFEED_FUZZ names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  guard let target = chosen else {
    say("STILLFEED_FUZZ must be one of: \(Target.allCases.map(\.rawValue))")
    exit(2)
  }
  target.run(input)
  return 0
}

private let chosen = getenv("STILLFEED_FUZZ").flatMap { Target(rawValue: String(cString: $0)) }

/// SwiftPM has programs begin here; libFuzzer's own `main` is never called.
@_cdecl("fuzz_main")
public func fuzzMain(
  _ count: CInt,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  if let folder = getenv("STILLFEED_FUZZ_SEEDS") {
    do {
      try writeSeeds(to: String(cString: folder))
    } catch {
      say("\(error)")
      return 2
    }
    return 0
  }
  var (count, arguments) = (count, arguments)
  return runDriver(&count, &arguments, fuzzOneInput)
}

/// `LLVMFuzzerRunDriver` of compiler-rt's FuzzerInterface.h.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// One parser each.
enum Target: String, CaseIterable {
  case json, strings, frontmatter, markdown, html, dates, mustache, records, harvest, manifest

  func run(_ input: UnsafeBufferPointer<UInt8>) {
    switch self {
    case .json: fuzzJSON(input)
    case .strings: fuzzStrings(input)
    case .frontmatter: fuzzFrontMatter(input)
    case .markdown: fuzzMarkdown(input)
    case .html: fuzzHTML(input)
    case .dates: fuzzDates(input)
    case .mustache: fuzzMustache(input)
    case .records: fuzzRecords(input)
    case .harvest: fuzzHarvest(input)
    case .manifest: fuzzManifest(input)
    }
  }
}

/// Ends the process, for libFuzzer to keep the input.
func must(_ holds: Bool, _ what: StaticString) {
  if !holds {
    say("must hold: \(what)")
    abort()
  }
}

private func say(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = write(2, bytes, bytes.count)
}
