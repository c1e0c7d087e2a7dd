import Testing

@testable import JSON

/// All pieces of a file in memory.
func split(
  _ bytes: [UInt8],
  _ format: JSONSplitter.Format = .automatic,
  inside path: [String] = []
) -> [JSONPiece] {
  var splitter = JSONSplitter(format, inside: path)
  var found: [JSONPiece] = []
  while let piece = splitter.next(in: bytes.span) { found.append(piece) }
  return found
}

/// All pieces of a file read in blocks, checking that the bytes given are the record's.
func splitInBlocks(
  _ bytes: [UInt8],
  _ format: JSONSplitter.Format = .automatic,
  inside path: [String] = [],
  blockSize: Int,
  atOnce: Int
) -> [JSONPiece] {
  var splitter = JSONBlockSplitter(format, inside: path, blockSize: blockSize)
  var found: [JSONPiece] = []
  var read = 0
  while true {
    let piece = splitter.next { buffer in
      let count = min(buffer.count, atOnce, bytes.count - read)
      buffer.copyBytes(from: bytes[read..<read + count])
      read += count
      return count
    }
    guard let piece else { return found }
    if case .record(let record) = piece {
      #expect(splitter.bytes(of: record).elementsEqual(bytes[record.range]))
      if let key = record.key { #expect(splitter.key(of: record).elementsEqual(bytes[key])) }
    }
    found.append(piece)
  }
}

@Suite
struct SplitterPropertyTests {
  /// A file of objects in one of the layouts people write.
  static func file(_ records: [Tree], layout: Int) -> String {
    let compact = Tree.Style(pretty: false)
    let pretty = Tree.Style(pretty: true)
    switch layout {
    case 0: return "[" + records.map { $0.text(compact) }.joined(separator: ",") + "]"
    case 1: return "[\n" + records.map { $0.text(compact) }.joined(separator: ",\n") + "\n]\n"
    case 2: return Tree.array(records).text(pretty) + "\n"
    case 3: return records.map { $0.text(compact) }.joined(separator: "\n")
    case 4: return "\u{FEFF}" + records.map { $0.text(compact) + "\r\n" }.joined(separator: "\r\n")
    default: return records.map { $0.text(pretty) }.joined(separator: "\n") + "\n"
    }
  }

  static func records(_ random: inout Random, count: ClosedRange<Int>) -> [Tree] {
    (0..<Int.random(in: count, using: &random)).map { number in
      guard case .object(let members) = Tree.object(&random, depth: 3) else { return .scalar("1") }
      return .object([("n", .scalar("\(number)"))] + members)
    }
  }

  /// A sound file is cut into exactly its records, on the lines where they begin.
  @Test(arguments: 0..<6)
  func soundFiles(_ layout: Int) throws {
    var random = Random(state: UInt64(layout))
    var parser = JSONParser()
    for _ in 0..<100 {
      let records = Self.records(&random, count: 1...6)
      let bytes = Array(Self.file(records, layout: layout).utf8)
      let pieces = split(bytes)
      #expect(pieces.count == records.count)
      for (piece, tree) in zip(pieces, records) {
        guard case .record(let record) = piece else {
          Issue.record("\(piece)")
          continue
        }
        let line = bytes[..<record.range.lowerBound].reduce(1) { $0 + ($1 == 10 ? 1 : 0) }
        #expect(record.line == line)
        let got = rewritten(try parser.parse(Array(bytes[record.range]).span))
        let wanted = rewritten(
          try parser.parse(Array(tree.text(Tree.Style(pretty: false)).utf8).span)
        )
        #expect(got == wanted)
      }
    }
  }

  /// However a file is damaged: whole and in blocks give the same, records are in order and
  /// apart, lines are right, and every byte that is neither blank nor punctuation is accounted for.
  @Test(arguments: 0..<6)
  func damagedFiles(_ layout: Int) {
    var random = Random(state: UInt64(layout) + 100)
    let spice = Array("{}[],:\"\\/*u1 \n\r\t".utf8) + [0, 0xC3, 0xFF]
    for _ in 0..<300 {
      var bytes = Array(Self.file(Self.records(&random, count: 0...5), layout: layout).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let byte = spice[Int.random(in: 0..<spice.count, using: &random)]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2: bytes.remove(at: place)
        default: if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(place...) }
        }
      }
      let format: JSONSplitter.Format = layout == 3 ? .lines : .automatic
      let pieces = split(bytes, format)
      let blockSize = Int.random(in: 1...400, using: &random)
      let atOnce = Int.random(in: 1...500, using: &random)
      #expect(splitInBlocks(bytes, format, blockSize: blockSize, atOnce: atOnce) == pieces)
      let path = split(bytes, format, inside: ["a", "d"])
      #expect(
        splitInBlocks(bytes, format, inside: ["a", "d"], blockSize: blockSize, atOnce: atOnce)
          == path
      )
      for list in [pieces, path] {
        var end = 0
        for piece in list {
          let (start, line) =
            switch piece {
            case .record(let record): (record.range.lowerBound, record.line)
            case .problem(let problem): (problem.offset, problem.line)
            }
          if case .record(let record) = piece {
            #expect(start >= end)
            end = record.range.upperBound
          }
          #expect(end <= bytes.count)
          #expect(line == bytes[..<min(start, bytes.count)].reduce(1) { $0 + ($1 == 10 ? 1 : 0) })
        }
      }
    }
  }

  /// What the parser takes as one array, the splitter cuts without a complaint.
  @Test
  func whatParsesSplits() throws {
    var random = Random(state: 7)
    var parser = JSONParser()
    var accepted = 0
    for name in Fixture.names(in: "test_parsing") {
      var bytes = Fixture.bytes("test_parsing/\(name)")
      for _ in 0..<20 {
        if (try? parser.parse(bytes.span)) != nil, parser.root.kind == .array {
          accepted += 1
          let whole = parser.root.elements.map(rewritten)
          let parts = try split(bytes).map { piece in
            guard case .record(let record) = piece else { return "\(piece)" }
            return rewritten(try parser.parse(Array(bytes[record.range]).span))
          }
          #expect(parts == whole, "\(name)")
        }
        if bytes.isEmpty || bytes.count > 2000 { break }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = Array("[]{},\"1 ".utf8)[Int.random(in: 0..<8, using: &random)]
      }
    }
    #expect(accepted > 100)
  }

  /// One damaged byte costs one record in JSON lines, and seldom more in arrays.
  @Test(arguments: 0..<6)
  func oneBadRecordFailsAlone(_ layout: Int) throws {
    var random = Random(state: UInt64(layout) + 200)
    var parser = JSONParser()
    var lost = 0
    var torn = 0
    let rounds = 200
    for _ in 0..<rounds {
      let records = Self.records(&random, count: 6...6)
      let texts = Set(
        try records.map {
          rewritten(try parser.parse(Array($0.text(Tree.Style(pretty: false)).utf8).span))
        }
      )
      var bytes = Array(Self.file(records, layout: layout).utf8)
      let starts = split(bytes).compactMap {
        if case .record(let record) = $0 { record.range } else { nil }
      }
      let victim = starts[Int.random(in: 1..<5, using: &random)]
      let place = Int.random(in: victim, using: &random)
      if Bool.random(using: &random) {
        bytes.remove(at: place)
      } else {
        bytes[place] = Array("{}[],\":x".utf8)[Int.random(in: 0..<8, using: &random)]
      }
      var kept = 0
      for piece in split(bytes, layout == 3 ? .lines : .automatic) {
        guard case .record(let record) = piece,
          let value = try? parser.parse(Array(bytes[record.range]).span)
        else { continue }
        if texts.contains(rewritten(value)) { kept += 1 }
        // What begins within the damaged record was torn out of it.
        if value.kind == .object, victim.contains(record.range.lowerBound),
          record.range.lowerBound != victim.lowerBound
        {
          torn += 1
        }
      }
      lost += max(0, 5 - kept)
    }
    let bounds = [10, 4, 1, 0, 0, 1]
    #expect(lost * 100 <= rounds * 5 * bounds[layout])
    #expect(torn * 100 <= rounds * 3)
  }
}
