import Bytes

@testable import Archive

/// A file of records, as it stands in the content folder: read, kept, and its details read both ways.
///
/// The first byte says which source it is, the second how it is read.
func fuzzRecords(_ input: UnsafeBufferPointer<UInt8>) {
  guard input.count >= 2 else { return }
  let bench = Workbench.shared
  let source = Int(input[0]) % bench.scan.sources.count
  let options = input[1]
  let content = UnsafeBufferPointer(rebasing: input[2...])
  let status = bench.write(content, to: source)
  var harvest = bench.read(source)
  must(!harvest.hasFailed, "the file can be read")
  checkKept(harvest, source, status, bench)
  // Without it details come from the file.
  if options & 1 == 0 { harvest.texts = [] }
  let audience: Audience = options & 2 == 0 ? .private : .everyone
  let found = bench.archive(
    [harvest],
    at: source..<source + 1,
    audience: audience,
    drafts: options & 4 == 0
  )
  guard let (archive, diagnostics) = found else { return must(false, "it isn't too large") }
  checkDetails(archive, bench.root)
  guard bench.scan.sources[source].format == .lines,
    let parts = readParts(content, status, source, bench),
    let joined = bench.archive(
      parts,
      at: source..<source + 1,
      audience: audience,
      drafts: options & 4 == 0
    )
  else { return }
  must(joined.archive.differences(from: archive).isEmpty, "in parts as a whole")
  must(joined.diagnostics == diagnostics, "the same is said of parts")
}

/// What is kept of a harvest gives the same harvest.
private func checkKept(
  _ harvest: Harvest,
  _ source: Int,
  _ status: FileStatus,
  _ bench: Workbench
) {
  let place = HarvestPlace(
    sources: bench.scan.sources[source...source],
    sizes: [status.size],
    bytes: 0..<0
  )
  var output = ByteBuffer()
  guard harvest.encode(place, into: &output) else { return must(false, "it can be kept") }
  harvest.encodeMedia(into: &output)
  var input = CacheCursor(output.unsafeBytes)
  guard var kept = Harvest(decoding: &input, place, part: nil) else {
    return must(false, "it can be read again")
  }
  must(Harvest.findsSameMedia(&input, place, bench.media), "the media are the same")
  kept.mediaUses = harvest.mediaUses
  var again = ByteBuffer()
  must(kept.encode(place, into: &again), "it can be kept again")
  kept.encodeMedia(into: &again)
  must(again.array == output.array, "as it was")
}

/// Bodies and rarer fields are the same whether records are parsed or not, in any order.
private func checkDetails(_ archive: Archive, _ root: String) {
  var parsed = archive
  for index in parsed.entries.indices { parsed.entries[index].flags.remove(.plain) }
  let all = archive.entries.indices.map { EntryID($0) }
  var fast = DetailsReader(root: root, archive: archive)
  var slow = DetailsReader(root: root, archive: parsed)
  do throws(DetailsError) {
    try fast.read(all)
    try slow.read(all.reversed())
  } catch {
    must(false, "the file didn't change")
  }
  for index in all.indices {
    let other = all.count - 1 - index
    let body = fast.body(index)
    must(UnicodeText.isValidUTF8(body), "bodies are UTF-8")
    must(equalSpans(body, slow.body(other)), "the same body")
    must(fast.rare(index) == slow.rare(other), "the same rarer fields")
  }
}

private func equalSpans(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { left.elementsEqual($0) }
  }
}

/// The file cut behind some of its lines; nil where it can't be read so.
private func readParts(
  _ content: UnsafeBufferPointer<UInt8>,
  _ status: FileStatus,
  _ source: Int,
  _ bench: Workbench
) -> [Harvest]? {
  let path = "\(bench.root)/\(bench.scan.sources[source].path)"
  guard let file = try? FileDescriptor(reading: path), LineCuts().hasLines(file) else { return nil }
  var cuts: [Int] = []
  for index in content.indices where content[index] == 0x0A && index % 3 == 0 {
    cuts.append(index + 1)
  }
  cuts = [0] + cuts.filter { $0 < content.count } + [content.count]
  var reader = FileReader(root: bench.root, budget: TextBudget())
  var harvests: [Harvest] = []
  for (start, end) in zip(cuts, cuts.dropFirst()) {
    let part = FilePart(
      source: source,
      bytes: start..<end,
      isFirst: start == 0,
      isLast: end == content.count,
      status: status,
      hash: nil,
      isKept: true
    )
    var harvest = Harvest()
    harvest.part = Harvest.Part(isFirst: part.isFirst)
    if part.isFirst { harvest.statuses.append((bench.scan.sources[source].file, status)) }
    must(reader.load(part, bench.scan.sources[source]), "the part is there")
    reader.readLoaded(part, of: bench.context(of: source), into: &harvest)
    if harvest.part?.runsOver == true { return nil }
    harvests.append(harvest)
  }
  return harvests.isEmpty ? nil : harvests
}
