import Archive
import Bytes

/// The interface texts that the renderer itself fills, looked up once.
///
/// It has one owner, a worker's context: a copy for each text would count up and down all its
/// references.
struct Labels: ~Copyable, Sendable {
  let strings: Strings
  let comments: PluralPattern
  let likes: PluralPattern
  let shares: PluralPattern
  let messages: PluralPattern
  let posts: PluralPattern
  let topics: PluralPattern
  let people: PluralPattern
  let entries: PluralPattern
  let anonymous: String
  let edited: String
  let undated: String
  let sensitive: String
  let kindPost: String
  let kindComment: String
  let file: String
  let earlier: String
  let later: String
  private let audiencePublic: String
  private let audienceFriends: String
  private let audiencePrivate: String
  private let oldestFirst: String
  private let newestFirst: String
  private let mostLikedFirst: String
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
    anonymous = strings.text("anonymous")
    edited = strings.text("edited")
    undated = strings.text("undated")
    sensitive = strings.text("sensitive")
    kindPost = strings.text("kindPost")
    kindComment = strings.text("kindComment")
    file = strings.text("file")
    earlier = strings.text("earlier")
    later = strings.text("later")
    audiencePublic = strings.text("audiencePublic")
    audienceFriends = strings.text("audienceFriends")
    audiencePrivate = strings.text("audiencePrivate")
    oldestFirst = strings.text("oldestFirst")
    newestFirst = strings.text("newestFirst")
    mostLikedFirst = strings.text("mostLikedFirst")
    date = strings.datePattern("date")
    dateTime = strings.datePattern("dateTime")
    full = strings.datePattern("full")
    day = strings.datePattern("day")
    month = strings.datePattern("month")
    year = strings.datePattern("year")
    time = strings.datePattern("time")
  }

  /// What an order of comments is called.
  func order(_ order: Configuration.CommentOrder) -> String {
    switch order {
    case .oldest: oldestFirst
    case .newest: newestFirst
    case .likes: mostLikedFirst
    }
  }

  /// What an audience is called.
  func audience(_ audience: Audience) -> String {
    switch audience {
    case .everyone: audiencePublic
    case .friends: audienceFriends
    case .private: audiencePrivate
    }
  }
}
