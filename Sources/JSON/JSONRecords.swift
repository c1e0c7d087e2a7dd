/// The records of a file as the splitter finds them.
struct JSONRecords {
  private(set) var ranges: [Range<Int>] = []
  let layout: JSONSplitter.Layout
  /// The records as elements, where the file is one array.
  private(set) var outline: JSONOutline?

  /// - Parameters:
  ///   - bytes: the file.
  ///   - format: what its name says.
  ///   - last: the number of the last record that is asked for.
  init(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ format: JSONSplitter.Format,
    upTo last: Int = .max
  ) {
    var splitter = JSONSplitter(format)
    while ranges.count <= last {
      guard case .piece(let piece) = splitter.step(in: bytes, at: 0, isLast: true) else { break }
      if case .record(let record) = piece { ranges.append(record.range) }
    }
    layout = splitter.layout
    guard last == .max, layout == .array else { return }
    var close = ranges.last?.upperBound ?? 0
    while close < bytes.count, bytes[close] != UInt8(ascii: "]") { close += 1 }
    guard let open = bytes.firstIndex(of: UInt8(ascii: "[")), open < close, close < bytes.count
    else { return }
    let items = ranges.map { JSONOutline.Item(key: nil, value: $0) }
    outline = JSONOutline(open: open, close: close, isObject: false, items: items)
  }
}
