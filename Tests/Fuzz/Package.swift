// swift-tools-version: 6.2
import PackageDescription

// The parsers once more, built for libFuzzer with the address sanitizer: `make fuzz`. A package of its own, so
// that no flag of it reaches the real build; the sources are links to the real ones.
let fuzzed: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing", "-parse-as-library"]),
]
let checked: [CXXSetting] = [
  .unsafeFlags(["-O1", "-g", "-fsanitize=fuzzer-no-link,address", "-fno-omit-frame-pointer"])
]

func library(_ name: String, needs: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: needs, swiftSettings: fuzzed)
}

let package = Package(
  name: "fuzz",
  targets: [
    .systemLibrary(name: "CCmark", pkgConfig: "libcmark"),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1"),
    .systemLibrary(name: "CGumbo", pkgConfig: "gumbo"),
    .systemLibrary(name: "CAllocator"),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash"),
    .systemLibrary(name: "CUTF8Proc"),
    .target(
      name: "CSimdJSON",
      cxxSettings: checked,
      linkerSettings: [.linkedLibrary("simdjson")]
    ),
    .target(name: "CTOML", cxxSettings: checked),
    .target(name: "CTheme"),
    library("Bytes", needs: ["CAllocator", "CXXHash", "CUTF8Proc"]),
    library("JSON", needs: ["Bytes", "CSimdJSON"]),
    library("Mustache", needs: ["Bytes"]),
    library("Markup", needs: ["Bytes", "CCmark", "CGumbo"]),
    library("Archive", needs: ["Bytes", "JSON", "CYAML", "CTOML"]),
    library("Site", needs: ["Archive", "Bytes", "CTheme", "JSON", "Markup", "Mustache"]),
    .executableTarget(
      name: "fuzz",
      dependencies: ["Archive", "Bytes", "JSON", "Markup", "Mustache", "Site"],
      swiftSettings: fuzzed,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
    ),
  ],
  cxxLanguageStandard: .cxx17
)
