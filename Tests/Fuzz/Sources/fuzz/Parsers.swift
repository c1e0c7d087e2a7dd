import Bytes
import JSON

@testable import Archive

/// Cuts into records, parses each, mends those that are broken.
func fuzzJSON(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  for format in [JSONSplitter.Format.automatic, .lines] {
    var splitter = JSONSplitter(format)
    var parser = JSONParser()
    var end = 0
    while let piece = splitter.next(in: bytes.span) {
      guard case .record(let record) = piece else { continue }
      must(
        record.range.lowerBound >= end && record.range.upperBound <= bytes.count,
        "records in order"
      )
      must(!record.range.isEmpty, "no empty record")
      end = record.range.upperBound
      let text = Array(bytes[record.range])
      do throws(JSONError) {
        walk(try parser.parse(text.span))
      } catch {
        var mended = ByteBuffer()
        let notes = JSONRepair.repair(text.span, into: &mended)
        if (try? parser.parse(mended.bytes)) == nil { _ = notes.summary }
      }
    }
  }
}

private func walk(_ root: JSONValue) {
  var open = [root]
  var values = 0
  while let value = open.popLast(), values < 100_000 {
    values += 1
    switch value.kind {
    case .object: for member in value.members { open.append(member.value) }
    case .array: for element in value.elements { open.append(element) }
    default: _ = value.text?.count
    }
  }
}

/// Finds front matter; what YAML and TOML give must be JSON.
func fuzzFrontMatter(_ input: UnsafeBufferPointer<UInt8>) {
  let matter = FrontMatter(input)
  must(
    matter.content.upperBound <= input.count && matter.body.upperBound <= input.count,
    "in bounds"
  )
  // The readers get valid UTF-8 only.
  let bytes = UnicodeText.repaired(Array(input).span)
  let inner = UnicodeText.repaired(Array(input[matter.content]).span)
  for text in [bytes, inner] {
    var json = ByteBuffer()
    if (try? YAMLText.writeJSON(text.span, into: &json)) != nil { checkJSON(json.bytes) }
    json.removeAll()
    if (try? TOMLText.writeJSON(text.span, into: &json)) != nil { checkJSON(json.bytes) }
  }
}

private func checkJSON(_ json: Span<UInt8>) {
  var parser = JSONParser()
  do throws(JSONError) {
    walk(try parser.parse(json))
  } catch {
    // Numbers beyond 64 bits are written as they stand, and mended when they are read.
    must((try? parser.parse(repairing: json)) != nil, "settings become JSON")
  }
}

/// A date that is read is within bounds, and is read again from what it is written as.
func fuzzDates(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  for reading in [DateReading.iso, .apple] {
    guard let time = TimestampParser.parse(bytes.span, zone: .utc, reading: reading) else {
      continue
    }
    var text = ByteBuffer()
    text.append(rfc3339: time)
    must(TimestampParser.parse(text.bytes, zone: .utc) == time, "a date comes back")
    let civil = TimeZoneRules.utc.civil(at: time)
    must((1...9999).contains(civil.year), "years 1 to 9999")
  }
}
