import Bytes

@testable import Archive
@testable import Site

/// What a run of files, a part of a file and the list of a file's parts are kept as: whatever the
/// bytes, an archive can be made of what they give.
///
/// The first byte says which it is.
func fuzzHarvest(_ input: UnsafeBufferPointer<UInt8>) {
  guard let kind = input.first else { return }
  let bench = Workbench.shared
  let bytes = UnsafeBufferPointer(rebasing: input[1...])
  var cursor = CacheCursor(bytes)
  if kind % 3 == 0 { return checkParts(&cursor, bytes) }
  let (place, part) = kind % 3 == 1 ? (bench.run, nil) : bench.part
  guard var harvest = Harvest(decoding: &cursor, place, part: part) else { return }
  _ = Harvest.findsSameMedia(&cursor, place, bench.media)
  var output = ByteBuffer()
  if harvest.encode(place, into: &output) {
    var again = CacheCursor(output.unsafeBytes)
    let kept = Harvest(decoding: &again, place, part: part)
    must(kept != nil && again.isAtEnd, "what is kept can be read")
    var twice = ByteBuffer()
    must(kept?.encode(place, into: &twice) == true, "and kept")
    must(twice.array == output.array, "as it was")
  }
  let range = place.sources.indices
  harvest.statuses = range.compactMap { bench.plain[$0].statuses.first }
  for audience in [Audience.everyone, .private] {
    guard let found = bench.archive([harvest], at: range, audience: audience) else { continue }
    checkTexts(of: found.archive)
    readDetails(of: found.archive, bench.root)
  }
}

private func checkParts(_ input: inout CacheCursor, _ bytes: UnsafeBufferPointer<UInt8>) {
  let size = 1000
  guard let parts = KeptParts.decode(&input, size: size) else { return }
  must(parts.first?.bytes.lowerBound ?? 0 == 0, "from the beginning")
  must(parts.last?.bytes.upperBound ?? 0 == size, "to the end")
  must(
    zip(parts, parts.dropFirst()).allSatisfy { $0.bytes.upperBound == $1.bytes.lowerBound },
    "whole"
  )
  must(parts.allSatisfy { !$0.bytes.isEmpty }, "none empty")
  var output = ByteBuffer()
  KeptParts.encode(parts, into: &output)
  var again = CacheCursor(output.unsafeBytes)
  let kept = KeptParts.decode(&again, size: size)
  must(kept?.map(\.hash) == parts.map(\.hash), "they come back")
}

/// Takes every text that the index names.
private func checkTexts(of archive: Archive) {
  for entry in archive.entries {
    for range in [entry.id, entry.name] {
      must(Int(range.offset) + Int(range.length) <= archive.text.count, "texts in bounds")
      _ = archive.string(range)
    }
    must(entry.parent == .none || entry.parent.index < archive.entries.count, "parents")
    must(entry.author == .none || entry.author.index < archive.people.count, "authors")
    let containers = entry.kind == .message ? archive.channels.count : archive.posts.count
    must(entry.container < containers, "containers")
    must(entry.topic == .max || entry.topic < archive.topics.count, "topics")
    if entry.document == .max { continue }
    must(entry.document < archive.documents.count, "documents")
    let body = archive.documents[Int(entry.document)].body
    must(body.upperBound <= Int(entry.record.length), "bodies in bounds")
  }
}

private func readDetails(of archive: Archive, _ root: String) {
  var reader = DetailsReader(root: root, archive: archive)
  for index in archive.entries.indices {
    guard (try? reader.read([EntryID(index)])) != nil else { continue }
    _ = reader.body(0).withUnsafeBufferPointer { Fingerprint.of($0) }
    _ = reader.rare(0)
  }
}

extension Workbench {
  /// All sources as one run.
  var run: HarvestPlace {
    HarvestPlace(sources: scan.sources[...], sizes: sizes(scan.sources.indices), bytes: 0..<0)
  }

  /// The first file of lines as a part of its own.
  var part: (HarvestPlace, FilePart?) {
    guard let source = scan.sources.firstIndex(where: { $0.format == .lines }),
      let status = plain[source].statuses.first?.status
    else { return (run, nil) }
    let range = source..<source + 1
    let bytes = 0..<status.size
    let part = FilePart(
      source: source,
      bytes: bytes,
      isFirst: true,
      isLast: true,
      status: status,
      hash: nil,
      isKept: false
    )
    return (HarvestPlace(sources: scan.sources[range], sizes: sizes(range), bytes: bytes), part)
  }

  private func sizes(_ range: Range<Int>) -> [Int] {
    range.map { plain[$0].statuses.first?.status.size ?? 0 }
  }
}

/// The body of a manifest, between the magic word and the checksum: what is read can be written, and
/// read again.
func fuzzManifest(_ input: UnsafeBufferPointer<UInt8>) {
  var file = ByteBuffer()
  file.append(Manifest.magic)
  file.append(input)
  file.append(fixed: Fingerprint.of(file.bytes))
  guard let manifest = Manifest(decoding: file.array) else { return }
  let output = manifest.encoded
  guard let again = Manifest(decoding: output) else { return must(false, "it can be read again") }
  must(again.encoded == output, "as it was")
  var files = manifest.files
  files.sort()
  _ = files.bytes
  for path in manifest.paths { must(files.position(of: path) != nil, "files are found") }
  var rest = files
  rest.subtract(again.files)
  files.seal(at: 0)
  for note in manifest.notes {
    for index in note.lookups { _ = manifest.lookups[Int(index)] }
    for index in note.media { _ = manifest.media[Int(index)] }
    for index in note.diagnostics { _ = manifest.diagnostics[Int(index)].headline }
  }
}

extension Manifest {
  /// The bytes of its file.
  var encoded: [UInt8] {
    var output = ByteBuffer()
    encode { output.append($0) }
    return output.array
  }
}
