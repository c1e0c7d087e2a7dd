import Bytes
import Glibc
import JSON
import Markup
import Mustache

/// Times the hot paths by themselves, each against `memcpy` of the bytes that it reads.
///
/// Printed are the bytes a second of the best of several rounds, and how many times as long as a
/// copy it took: the second figure hardly depends on the machine.
@main
enum Micro {
  static func main() {
    let text = Sample.prose(bytes: 1 << 20)
    let bodies = Sample.bodies(count: 4096)
    let records = Sample.records(count: 4096)
    print("                                        MB/s     copies")
    report("copy (memcpy)", bytes: text.count) { copy(text) }
    report("escape for HTML", bytes: text.count) { escape(text) }
    report("parse JSON records to a tape", bytes: records.joined().count) { parse(records) }
    report("split JSON lines into records", bytes: records.joined().count + records.count) {
      split(Array(records.joined(separator: [0x0A])))
    }
    report("plain bodies as HTML", bytes: bodies.plain.joined().count) { render(bodies.plain) }
    report("marked bodies as HTML", bytes: bodies.marked.joined().count) { render(bodies.marked) }
    report("beginnings of bodies as text", bytes: bodies.marked.joined().count) {
      excerpt(bodies.marked)
    }
    let times = (0..<65_536).map { Timestamp(milliseconds: 1_700_000_000_000 + $0 * 61_007) }
    report("write dates (RFC 3339)", bytes: times.count * 20) { write(times) }
    let written = times.map { time in
      var buffer = ByteBuffer(capacity: 32)
      buffer.append(rfc3339: time)
      return buffer.array
    }
    report("read dates", bytes: written.joined().count) { read(written) }
    let template = MessageTemplate(messages: 1000)
    report("Mustache: a page of 1000 messages", bytes: template.outputSize) { template.render() }
  }

  /// Seconds of the best of several rounds.
  private static func best(_ work: () -> Int) -> Double {
    var best = Double.infinity
    for _ in 0..<15 {
      let start = ContinuousClock.now
      sink = sink &+ work()
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      best = min(best, Double(seconds) + Double(attoseconds) / 1e18)
    }
    return best
  }

  /// What results are added to, so that no work is left out as useless.
  nonisolated(unsafe) private static var sink = 0

  private static func report(_ name: String, bytes: Int, _ work: () -> Int) {
    let seconds = best(work)
    let block = [UInt8](repeating: 0x61, count: max(bytes, 1))
    let copySeconds = best { copy(block) }
    let rate = Int(Double(bytes) / seconds / 1e6)
    let copies = Int((seconds / copySeconds * 10).rounded())
    print(padded(name, 34) + left("\(rate)", 10) + left("\(copies / 10).\(copies % 10)", 11))
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  private static func left(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}

// MARK: - What is timed; each answers a number that depends on all of its work

extension Micro {
  private static func copy(_ bytes: [UInt8]) -> Int {
    var buffer = ByteBuffer(capacity: bytes.count)
    buffer.append(bytes)
    return buffer.count
  }

  private static func escape(_ bytes: [UInt8]) -> Int {
    var buffer = ByteBuffer(capacity: bytes.count * 2)
    buffer.appendEscaped(bytes.span)
    return buffer.count
  }

  private static func parse(_ records: [[UInt8]]) -> Int {
    var parser = JSONParser()
    var found = 0
    for record in records {
      if let root = try? parser.parse(record.span), root["body"] != nil { found += 1 }
    }
    return found
  }

  private static func split(_ bytes: [UInt8]) -> Int {
    var splitter = JSONSplitter(.lines)
    var found = 0
    while splitter.next(in: bytes.span) != nil { found += 1 }
    return found
  }

  private static func render(_ bodies: [[UInt8]]) -> Int {
    var writer = MarkdownWriter()
    var buffer = ByteBuffer(capacity: 1 << 20)
    for body in bodies {
      let options = MarkdownOptions(headingShift: 2, hardBreaks: true)
      _ = writer.render(body.span, options: options, links: UnchangedLinks(), into: &buffer)
    }
    return buffer.count
  }

  private static func excerpt(_ bodies: [[UInt8]]) -> Int {
    var writer = MarkdownWriter()
    var buffer = ByteBuffer(capacity: 1 << 20)
    for body in bodies { writer.appendPlainText(of: body.span, limit: 160, into: &buffer) }
    return buffer.count
  }

  private static func write(_ times: [Timestamp]) -> Int {
    var buffer = ByteBuffer(capacity: times.count * 24)
    for time in times { buffer.append(rfc3339: time) }
    return buffer.count
  }

  private static func read(_ dates: [[UInt8]]) -> Int {
    var sum = 0
    for date in dates {
      sum &+= Int(TimestampParser.parse(date.span, zone: .utc)?.milliseconds ?? 0)
    }
    return sum
  }
}

/// A template like that of a chat, and the data of one page.
struct MessageTemplate: ~Copyable {
  private static let source = """
    <ol>{{#messages}}<li id="{{anchor}}"><a href="{{url}}">{{author}}</a> \
    <time datetime="{{iso}}">{{date}}</time>{{#edited}} edited{{/edited}}\
    <div>{{{body}}}</div>{{#likes}}<p>{{likes}}</p>{{/likes}}</li>
    {{/messages}}</ol>
    """

  private let set: TemplateSet
  private let template: TemplateID?
  private let data: TemplateData
  private let shared: TemplateData
  private(set) var outputSize: Int

  init(messages: Int) {
    var keys = KeyTable()
    var errors: [TemplateError] = []
    let source = TemplateSource(name: "page", path: "page", bytes: Array(Self.source.utf8))
    set = TemplateSet([source], keys: &keys, errors: &errors)
    template = set.template(named: "page")
    data = Self.page(messages: messages, keys: &keys)
    shared = TemplateData()
    outputSize = 0
    outputSize = render()
    precondition(errors.isEmpty && outputSize > 0)
  }

  private static func page(messages: Int, keys: inout KeyTable) -> TemplateData {
    var data = TemplateData()
    data.beginObject()
    data.beginArray(keys.intern("messages"))
    for number in 0..<messages {
      data.beginObject()
      data.set(keys.intern("anchor"), "m-\(number)")
      data.set(keys.intern("url"), "../../people/person\(number % 40)/")
      data.set(keys.intern("author"), "Person \(number % 40)")
      data.set(keys.intern("iso"), "2024-05-17T09:30:00Z")
      data.set(keys.intern("date"), "May 17, 2024, 9:30 AM")
      data.set(keys.intern("body"), "<p>rain ridge 梅雨 harbour noodle window slow walk</p>")
      if number % 10 == 0 { data.set(keys.intern("likes"), number) }
      data.endObject()
    }
    data.endArray()
    data.endObject()
    return data
  }

  func render() -> Int {
    var output = ByteBuffer(capacity: outputSize)
    var renderer = Renderer(set)
    guard let template else { return 0 }
    do {
      try renderer.render(template, page: data, shared: shared, into: &output)
    } catch {
      return 0
    }
    return output.count
  }
}

/// Texts like those of real archives: Latin and Chinese words, emoji, some links and Markdown.
enum Sample {
  private static let words = [
    "rain", "ridge", "harbour", "noodle", "window", "slow", "walk", "梅雨", "步道", "山頂", "茶店",
    "дорога", "שלום", "🌧️", "tea & cake", "a<b", "again", "never",
  ]

  /// Sentences of `count` words, the same for the same `seed`.
  private static func sentence(_ count: Int, seed: Int) -> String {
    (0..<count).map { words[(seed &* 31 &+ $0 &* 17) % words.count] }.joined(separator: " ") + "."
  }

  static func prose(bytes: Int) -> [UInt8] {
    var text: [UInt8] = []
    var seed = 1
    while text.count < bytes {
      text += Array(sentence(12, seed: seed).utf8)
      seed += 1
    }
    return text
  }

  /// Bodies without and with Markdown.
  static func bodies(count: Int) -> (plain: [[UInt8]], marked: [[UInt8]]) {
    let plain = (0..<count).map { sentence(8 + $0 % 20, seed: $0) }
    let marked = plain.enumerated().map { index, text in
      index % 3 == 0 ? "**note** " + text : "- one\n- " + text + " [here](https://example.org/)"
    }
    return (plain.map { Array($0.utf8) }, marked.map { Array($0.utf8) })
  }

  static func records(count: Int) -> [[UInt8]] {
    (0..<count).map { number in
      var buffer = ByteBuffer(capacity: 256)
      buffer.append(text: #"{"id":"\#(number)","author":"person\#(number % 40)","#)
      buffer.append(text: #""date":"2024-05-17T09:30:00Z","body":"#)
      buffer.appendJSON(string: sentence(8 + number % 20, seed: number))
      buffer.append("}")
      return buffer.array
    }
  }
}
