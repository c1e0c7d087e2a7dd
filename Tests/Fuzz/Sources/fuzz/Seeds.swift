import Bytes

@testable import Archive
@testable import Site

/// Writes the inputs that only the program itself can make: `seeds/TARGET/…`.
///
/// Records are those of the targets `json` and `frontmatter`, each as a few sources.
func writeSeeds(to folder: String) throws(FileError) {
  let bench = Workbench.shared
  for target in ["harvest", "manifest", "records"] {
    try FileSystem.makeDirectories("\(folder)/\(target)")
  }
  func write(_ bytes: [UInt8], _ target: String) throws(FileError) {
    var name = ByteBuffer()
    name.append(text: "\(folder)/\(target)/")
    name.append(hexadecimal: Fingerprint.of(bytes.span))
    try FileSystem.write(bytes.span, to: name.string)
  }
  for bytes in harvests(bench) { try write(bytes, "harvest") }
  for manifest in manifests {
    try write(Array(manifest.encoded[Manifest.magic.count...].dropLast(8)), "manifest")
  }
  for source in bench.scan.sources.indices {
    let path = "\(bench.root)/\(bench.scan.sources[source].path)"
    for options in [0, 1, 6] as [UInt8] {
      try write([UInt8(source), options] + FileSystem.read(path), "records")
    }
  }
  for (name, formats) in [
    ("json", [Source.Format.json, .lines]), ("frontmatter", [.markdown, .html, .yaml]),
  ] {
    for entry in try FileSystem.list("\(folder)/\(name)") {
      let bytes = try FileSystem.read("\(folder)/\(name)/\(entry.name)")
      let dice = Int(truncatingIfNeeded: Fingerprint.of(bytes.span) >> 1)
      for format in formats {
        let sources = bench.scan.sources.indices.filter { bench.scan.sources[$0].format == format }
        try write([UInt8(sources[dice % sources.count]), UInt8(dice % 8)] + bytes, "records")
      }
    }
  }
}

private func harvests(_ bench: Workbench) -> [[UInt8]] {
  var seeds: [[UInt8]] = []
  var harvest = Harvest()
  harvest.notesMedia = true
  var reader = FileReader(root: bench.root, budget: TextBudget())
  for source in bench.scan.sources.indices {
    harvest.fileNumber = source
    reader.read(bench.context(of: source), into: &harvest)
  }
  var output = ByteBuffer()
  output.append(UInt8(1))
  must(harvest.encode(bench.run, into: &output), "the seed can be kept")
  harvest.encodeMedia(into: &output)
  seeds.append(output.array)
  let (place, part) = bench.part
  if let part {
    harvest = Harvest()
    harvest.notesMedia = true
    harvest.part = Harvest.Part(isFirst: true)
    must(reader.load(part, bench.scan.sources[part.source]), "the seed can be read")
    reader.readLoaded(part, of: bench.context(of: part.source), into: &harvest)
    output.removeAll()
    output.append(UInt8(2))
    must(harvest.encode(place, into: &output), "the seed can be kept")
    harvest.encodeMedia(into: &output)
    seeds.append(output.array)
  }
  output.removeAll()
  output.append(UInt8(0))
  let parts = [0..<300, 300..<999, 999..<1000].map {
    KeptParts.Part(bytes: $0, hash: UInt64($0.count))
  }
  KeptParts.encode(parts, into: &output)
  return seeds + [output.array]
}

private var manifests: [Manifest] {
  var manifest = Manifest(paths: ["a/index.html", "b/index.html", "index.html"])
  manifest.inputs = 7
  let small = manifest
  manifest.files[0].note = 0
  manifest.files[1].key = 9
  manifest.notes = [Manifest.Note(lookups: [0, 2], media: [0], diagnostics: [0])]
  manifest.lookups = [
    (.medium("cat.png", beside: "Content/posts"), 1), (.destination("/a/", beside: ""), 2),
    (.mention("ada"), 3),
  ]
  manifest.media = ["Content/media/cat.png"]
  manifest.diagnostics = [
    Diagnostic(.warning, path: "Content/posts/a.md", line: 3, headline: "No such picture")
  ]
  manifest.summary.diagnostics = [0]
  manifest.summary.largestPath = "index.html"
  manifest.summary.largestBytes = 1234
  return [Manifest(), small, manifest]
}
