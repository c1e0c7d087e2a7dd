// swift-tools-version: 6.2
import PackageDescription

// One C library, one module: see docs/dependencies.md for what each saves and who may import it.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
  // The runtime is linked statically, so that one file runs on any machine of this architecture.
  .unsafeFlags(["-static-stdlib"]),
  // The small functions of Bytes and Mustache are called from everywhere.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]
let staticRuntime: [LinkerSetting] = [.unsafeFlags(["-static-stdlib"])]

func library(_ name: String, needs: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: needs, swiftSettings: strict)
}

func tests(of name: String, needs: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name)] + needs,
    path: "Tests/\(name)Tests",
    swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
  )
}

func systemLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "stillfeed",
  products: [.executable(name: "stillfeed", targets: ["stillfeed"])],
  targets: [
    systemLibrary("CCmark", pkgConfig: "libcmark", apt: "libcmark-dev"),
    systemLibrary("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    systemLibrary("CGumbo", pkgConfig: "gumbo", apt: "libgumbo-dev"),
    systemLibrary("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev"),
    // The settings of the C library's allocator, which the system's own module leaves out.
    .systemLibrary(name: "CAllocator"),
    // No pkg-config: its flags hold one that SwiftPM warns about, and the module map links it.
    .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .target(
      name: "CSimdJSON",
      cxxSettings: [.unsafeFlags(["-O3"])],
      linkerSettings: [.linkedLibrary("simdjson")]
    ),
    .target(name: "CTOML", cxxSettings: [.unsafeFlags(["-O2"])]),
    .target(name: "CTheme"),
    .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),

    library("Bytes", needs: ["CAllocator", "CXXHash", "CUTF8Proc"]),
    library("JSON", needs: ["Bytes", "CSimdJSON"]),
    library("Mustache", needs: ["Bytes"]),
    library("Markup", needs: ["Bytes", "CCmark", "CGumbo"]),
    library("Archive", needs: ["Bytes", "JSON", "CYAML", "CTOML"]),
    library("Site", needs: ["Archive", "Bytes", "CTheme", "JSON", "Markup", "Mustache"]),
    library("Preview", needs: ["Bytes", "CMicroHTTPD"]),
    .executableTarget(
      name: "stillfeed",
      dependencies: ["Archive", "Bytes", "JSON", "Preview", "Site"],
      swiftSettings: strict,
      linkerSettings: staticRuntime
    ),
    // Times the hot paths; see Benchmarks/run.sh.
    .executableTarget(
      name: "micro",
      dependencies: ["Bytes", "JSON", "Markup", "Mustache"],
      path: "Benchmarks/Micro",
      swiftSettings: strict,
      linkerSettings: staticRuntime
    ),

    tests(of: "Bytes"),
    tests(of: "JSON", needs: ["Bytes"]),
    tests(of: "Mustache", needs: ["Bytes", "JSON"]),
    tests(of: "Markup", needs: ["Bytes", "JSON"]),
    tests(of: "Archive", needs: ["Bytes"]),
    tests(of: "Site", needs: ["Archive", "Bytes", "JSON"]),
    // What the sources hold to: imports, Foundation, marks that end the process.
    .testTarget(
      name: "HouseTests",
      dependencies: ["Bytes"],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    ),
    tests(of: "Preview", needs: ["Bytes"]),
  ],
  cxxLanguageStandard: .cxx17
)
