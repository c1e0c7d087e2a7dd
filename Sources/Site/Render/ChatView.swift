import Archive
import Bytes
import Mustache

extension PageRenderer {
  /// Messages of one author within this time of each other stand together.
  private static let runGap: Int64 = 7 * 60 * 1000
  /// Buckets that a channel's own page links to.
  static let monthLimit = 60

  /// `/channels/CH/` of a chat: the newest messages.
  mutating func fillChatFront(_ index: Int) throws {
    let channel = context.archive.channels[index]
    let paging = Paging(count: channel.messages.count, size: channel.perPage)
    let start = channel.messages.lowerBound
    let front = (start + paging.front.lowerBound)..<(start + paging.front.upperBound)
    let range = PartCuts.light(front, of: context.archive)
    let earlier =
      range.lowerBound > start
      ? context.plan.route(context.plan.permalink(of: EntryID(range.lowerBound - 1))) : nil
    writeFrame(
      Frame(
        kind: "chat",
        flag: .isChat,
        section: .channels,
        heading: channel.title,
        route: Routes.channel(channel),
        description: channel.description,
        channel: index,
        feeds: .channel(index),
        previous: earlier
      )
    )
    try fillMessages(range, of: index, months: monthLinks(of: index, current: nil))
    if let earlier { writeLink(.earlier, route: earlier, label: context.labels.earlier) }
  }

  /// `/channels/CH/2024/05/17/` and its parts, of a chat or a board.
  mutating func fillBucket(_ index: Int, bucket number: Int, part: Int) throws {
    let plan = context.plan
    let channel = context.archive.channels[index]
    let bucket = plan.buckets[index][number]
    let parts = plan.parts(ofBucket: number, in: index)
    let start = bucket.messages.lowerBound
    let shown = parts.range(of: part)
    let range = (start + shown.lowerBound)..<(start + shown.upperBound)
    let label = bucketLabel(bucket)
    let earlier =
      range.lowerBound > channel.messages.lowerBound
      ? plan.route(plan.permalink(of: EntryID(range.lowerBound - 1))) : nil
    let later =
      range.upperBound < channel.messages.upperBound
      ? plan.route(plan.permalink(of: EntryID(range.upperBound))) : nil
    var heading = "\(channel.title) · \(label)"
    if part > 1 {
      heading += " · " + context.labels.strings.pattern("pageNumber").filled(with: String(part))
    }
    writeFrame(
      Frame(
        kind: channel.view == .board ? "board" : "chat",
        flag: channel.view == .board ? .isBoard : .isChat,
        section: .channels,
        heading: heading,
        route: Routes.bucket(bucket, of: channel, part: part),
        description: channel.description,
        channel: index,
        feeds: .channel(index),
        previous: earlier,
        next: later
      )
    )
    if channel.view == .board {
      writeBoardOrders(channel, current: nil)
      try writeCards(range.map { EntryID($0) }, of: index)
    } else {
      try fillMessages(range, of: index, months: [])
      data.set(.newestURL, context.links.url(Routes.channel(channel)))
      data.set(.bucketLabel, label)
      if let earlier { writeLink(.earlier, route: earlier, label: context.labels.earlier) }
      if let later { writeLink(.later, route: later, label: context.labels.later) }
    }
    writeParts(.pagination, parts, current: part) {
      Routes.bucket(bucket, of: channel, part: $0)
    }
  }

  /// The buckets of a channel as links, the newest first.
  func monthLinks(of index: Int, current: Int?) -> [MonthLink] {
    let channel = context.archive.channels[index]
    let buckets = context.plan.buckets[index].enumerated().reversed()
    return buckets.prefix(Self.monthLimit).map { number, bucket in
      MonthLink(
        label: bucketLabel(bucket),
        route: Routes.bucket(bucket, of: channel),
        isCurrent: number == current,
        count: ""
      )
    }
  }

  private func bucketLabel(_ bucket: Bucket) -> String {
    if bucket.isUndated { return context.labels.undated }
    let context = context
    let pattern =
      bucket.day > 0
      ? context.labels.date : bucket.month > 0 ? context.labels.month : context.labels.year
    return text(year: bucket.year, month: bucket.month, day: bucket.day, pattern)
  }

  /// Writes the channel object, the people of the page and its messages, day by day.
  private mutating func fillMessages(
    _ range: Range<Int>,
    of index: Int,
    months: [MonthLink]
  ) throws {
    writeChannel(index)
    let context = context
    writeAside(people: range.lazy.map { context.archive.entries[$0].author }, months: months)
    data.flag(.empty, range.isEmpty)
    let quoted = try readWithParents(range.map { EntryID($0) })
    data.beginArray(.days)
    var day: (year: Int, month: Int, day: Int)?
    var previous: Entry?
    var page = MessagePage(context)
    for number in range {
      let entry = context.archive.entries[number]
      let own = dayNumbers(of: entry.date)
      if day == nil || day.map({ $0 != own }) == true {
        if day != nil { endDay() }
        beginDay(own)
        day = own
        previous = nil
      }
      let next = number + 1 < range.upperBound ? context.archive.entries[number + 1] : nil
      let continues = previous.map { isRun($0, entry) } ?? false
      let goesOn = next.map { isRun(entry, $0) && dayNumbers(of: $0.date) == own } ?? false
      data.beginObject()
      data.beginObject(.message)
      writeMessage(
        EntryID(number),
        at: number - range.lowerBound,
        prefix: page.prefix(of: number),
        quoted: quoted,
        style: .clock
      )
      data.flag(.startsRun, !continues)
      data.flag(.endsRun, !goesOn)
      data.endObject()
      data.endObject()
      previous = entry
    }
    if day != nil { endDay() }
    data.endArray()
  }

  /// Writes the channel object of a page.
  mutating func writeChannel(_ index: Int) {
    let context = context
    let channel = context.archive.channels[index]
    data.beginObject(.channel)
    writeChannelName(channel)
    data.set(.description, channel.description)
    data.writeURL(.url) { context.links.append(Routes.channel(channel), into: &$0) }
    data.endObject()
  }

  private func isRun(_ first: Entry, _ second: Entry) -> Bool {
    let apart: Entry.Flags = [.system, .deleted]
    return first.author == second.author && first.flags.isDisjoint(with: apart)
      && second.flags.isDisjoint(with: apart)
      && (first.date.isUndated || second.date.milliseconds - first.date.milliseconds <= Self.runGap)
  }

  private func dayNumbers(of time: Timestamp) -> (year: Int, month: Int, day: Int) {
    if time.isUndated { return (Bucket.undated, 0, 0) }
    let civil = context.zone.filing(at: time)
    return (civil.year, civil.month, civil.day)
  }

  private mutating func beginDay(_ day: (year: Int, month: Int, day: Int)) {
    data.beginObject()
    if day.year == Bucket.undated {
      data.set(.anchor, "undated")
      data.set(.label, context.labels.undated)
    } else {
      let iso = padded(day.year, 4) + "-" + padded(day.month, 2) + "-" + padded(day.day, 2)
      data.set(.anchor, "d-" + iso)
      data.set(.iso, iso)
      let label = text(year: day.year, month: day.month, day: day.day, context.labels.day)
      data.set(.label, label)
    }
    data.beginArray(.messages)
  }

  private mutating func endDay() {
    data.endArray()
    data.endObject()
  }
}

/// The addresses of a channel's messages: one page's messages share all but the anchor.
struct MessagePage {
  private let context: RenderContext
  private var range = 0..<0
  private var known = ""

  init(_ context: RenderContext) { self.context = context }

  /// The address of the page that holds a message, without the anchor.
  mutating func prefix(of message: Int) -> String {
    if range.contains(message) { return known }
    let address = context.plan.permalink(of: EntryID(message))
    if case .bucket(let channel, let bucket, let part) = address {
      let shown = context.plan.parts(ofBucket: bucket, in: channel).range(of: part)
      let start = context.plan.buckets[channel][bucket].messages.lowerBound
      range = (start + shown.lowerBound)..<(start + shown.upperBound)
    } else {
      range = message..<(message + 1)
    }
    known = context.url(address)
    return known
  }
}
