import Archive

/// Counts how often persons come on a page; its memory is used again for each page.
struct PeopleTally {
  private var people: [PersonID] = []
  private var ranking: [(id: PersonID, count: Int)] = []

  /// Forgets the last page.
  mutating func removeAll() { people.removeAll(keepingCapacity: true) }

  /// Counts a person once more.
  mutating func add(_ person: PersonID) { people.append(person) }

  /// Those who come most often, at most `limit` of them: by how often they come, then by id.
  mutating func mostFrequent(_ limit: Int) -> ArraySlice<(id: PersonID, count: Int)> {
    people.sort()
    ranking.removeAll(keepingCapacity: true)
    var start = 0
    for place in people.indices.dropFirst() where people[place] != people[start] {
      ranking.append((people[start], place - start))
      start = place
    }
    if let last = people.last { ranking.append((last, people.count - start)) }
    ranking.sort { $0.count == $1.count ? $0.id < $1.id : $0.count > $1.count }
    return ranking.prefix(limit)
  }
}
