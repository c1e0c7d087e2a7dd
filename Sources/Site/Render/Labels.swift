import Bytes

/// The interface texts that the renderer itself fills, looked up once.
struct Labels: Sendable {
  let strings: Strings
  let comments: PluralPattern
  let likes: PluralPattern
  let shares: PluralPattern
  let messages: PluralPattern
  let posts: PluralPattern
  let topics: PluralPattern
  let people: PluralPattern
  let entries: PluralPattern
  let date: DatePattern
  let dateTime: DatePattern
  let full: DatePattern
  let day: DatePattern
  let month: DatePattern
  let year: DatePattern
  let time: DatePattern

  init(_ strings: Strings) {
    self.strings = strings
    comments = strings.plural("commentCount")
    likes = strings.plural("likeCount")
    shares = strings.plural("shareCount")
    messages = strings.plural("messageCount")
    posts = strings.plural("postCount")
    topics = strings.plural("topicCount")
    people = strings.plural("personCount")
    entries = strings.plural("entryCount")
    date = strings.datePattern("date")
    dateTime = strings.datePattern("dateTime")
    full = strings.datePattern("full")
    day = strings.datePattern("day")
    month = strings.datePattern("month")
    year = strings.datePattern("year")
    time = strings.datePattern("time")
  }
}
