/// Topics by position, each made when it is asked for: an archive may have a million of one message
/// each.
public struct Topics: RandomAccessCollection, Sendable {
  private struct Row: Sendable {
    let name: TextRange
    var title = TextRange.empty
    let channel: UInt32
  }

  private var rows: [Row] = []
  private var text = TextStore()
  private var runs = EntryRuns(count: 0)

  /// None.
  init() {}

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of topics.
  public var endIndex: Int { rows.count }

  /// A topic by position.
  public subscript(index: Int) -> Topic {
    let row = rows[index]
    return Topic(
      name: text[row.name],
      title: text[row.title],
      channel: row.channel,
      messages: messages(of: index)
    )
  }
}

// MARK: - Of one topic

// What is asked for again and again, without making the whole topic.
extension Topics {
  /// `Topic.name`.
  public func name(of index: Int) -> String { text[rows[index].name] }

  /// `Topic.messages`.
  public func messages(of index: Int) -> EntryRun {
    index < runs.count ? runs.run(index) : EntryRun()
  }

  /// `Topic.channel`, as an index.
  public func channel(of index: Int) -> Int { Int(rows[index].channel) }

  /// Whether the name of a topic comes before another one's, in byte order.
  public func isNamed(_ index: Int, before other: Int) -> Bool {
    text.withBytes(rows[index].name) { name in
      text.withBytes(rows[other].name) { precedes(name, $0) }
    }
  }
}

// MARK: - Gathering

extension Topics {
  /// Whether names and titles are more than can be held.
  var isOverfull: Bool { text.isOverfull }

  /// Adds a topic without a title.
  mutating func append(name: [UInt8], channel: UInt32) {
    rows.append(Row(name: name.withUnsafeBufferPointer { text.append($0) }, channel: channel))
  }

  /// Whether a topic has a title.
  func hasTitle(_ index: Int) -> Bool { !rows[index].title.isEmpty }

  /// Gives a topic a title, in place of one it had.
  mutating func entitle(_ index: Int, _ title: UnsafeBufferPointer<UInt8>) {
    rows[index].title = text.append(title, orSameAs: rows[index].title)
  }

  /// Gives each topic the messages of the run at the same position.
  mutating func take(_ runs: EntryRuns) { self.runs = runs }
}
