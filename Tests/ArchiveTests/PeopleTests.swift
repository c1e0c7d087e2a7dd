import Testing

@testable import Archive

@Suite("Tables of persons and topics")
struct PeopleTests {
  private func append(_ id: String, as displayName: String, to people: inout People) {
    var (id, displayName) = (id, displayName)
    id.withUTF8 { id in
      displayName.withUTF8 { people.append(id: id, displayName: $0, isSelf: false) }
    }
  }

  @Test("persons are sorted by id, named, and keep what is theirs; those hidden as a whole go")
  func persons() {
    var people = People()
    var listed = Person(id: "zoë", name: "", displayName: "Zoë", biography: "*Hi*", isSelf: true)
    listed.isListed = true
    listed.links = [Person.Link(label: "Home", href: "https://zoe.example/")]
    people.append(listed)
    people.append(Person(id: "gone", name: "", displayName: "Gone", hiding: .everything))
    people.append(Person(id: "shy", name: "", displayName: "Shy", avatar: "a.png", hiding: .name))
    append("a", as: "a", to: &people)
    append("A", as: "Another", to: &people)
    people.offer(avatar: "first.png", to: 3)
    people.offer(avatar: "second.png", to: 3)
    people.hideNames()
    #expect(people.arrange() == [3, .max, 2, 1, 0])
    var runs = EntryRuns(count: 4)
    runs.count(3)
    runs.allocate()
    runs.place(EntryID(7), in: 3)
    people.take(runs)

    #expect(people.map(\.id) == ["A", "a", "hidden-1", "zoë"])
    #expect(people.map(\.displayName) == ["Another", "a", "", "Zoë"])
    #expect(Set(people.map { $0.name.lowercased() }).count == 4)
    #expect(people.map(\.avatar) == ["", "first.png", "", ""])
    #expect(people.map(\.biography) == ["", "", "", "*Hi*"])
    #expect(people[3].links.map(\.href) == ["https://zoe.example/"])
    #expect(people.map(\.isListed) == [false, false, false, true])
    #expect(people.map(\.hiding) == [.nothing, .nothing, .name, .nothing])
    #expect(people.map { $0.entries.map(\.index) } == [[], [], [], [7]])
    for index in people.indices {
      let id = PersonID(index)
      #expect(
        people.isSelf(id) == people[index].isSelf && people.name(of: id) == people[index].name
      )
      #expect(people.avatar(of: id) == people[index].avatar)
      #expect(people.entries(of: id) == people[index].entries)
    }
  }

  @Test("a topic has the title it was given last")
  func topics() {
    var topics = Topics()
    topics.append(name: Array("rain".utf8), channel: 0)
    topics.append(name: Array("hail".utf8), channel: 1)
    #expect(!topics.hasTitle(1))
    for title in ["First", "Second", "Second"] {
      var title = title
      title.withUTF8 { topics.entitle(1, $0) }
    }
    #expect(topics.map(\.name) == ["rain", "hail"] && topics.map(\.title) == ["", "Second"])
    #expect(topics.isNamed(1, before: 0) && !topics.isNamed(0, before: 1))
    #expect(topics[1].messages.isEmpty && topics.channel(of: 1) == 1)
  }
}
