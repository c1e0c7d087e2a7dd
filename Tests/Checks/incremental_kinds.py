"""The kinds of focus, and which an archive has."""

import json

from incremental_focus import AUTHORS, DAY, HEAVY, START, Focus


class Chat(Focus):
    """Messages over several months, a few on a page: neighbours, months, quotes."""

    view = "chat"
    step = 11 * DAY


class Board(Focus):
    """Cards in two orders, a few on a page."""

    view = "board"
    step = 5 * DAY


class Topics(Focus):
    """Topics of several parts, in a list that is sometimes at the border of its pages."""

    view = "topics"

    def __init__(self, archive, serial):
        super().__init__(archive, serial)
        self.isLong = archive.some(0.15)

    def count(self):
        return 199 if self.isLong else self.random.randint(3, 9)

    def record(self, number):
        topic = str(number) if self.isLong else self.pick(["a", "a", "b"])
        record = dict(super().record(number), topic={"id": topic, "title": self.pick(["Talk", "Walks"])})
        if not self.isLong:
            record["heavy"] = "x" * self.pick(HEAVY)
        return record

    def values(self):
        return dict(super().values(), topic=[{"id": "a", "title": "Oars"}, {"id": "b", "title": ""}, {"id": "z", "title": "Talk"}])

    def retitle(self, records):
        """A topic's name, wherever it is written."""
        topics = [record["topic"] for record in records if isinstance(record.get("topic"), dict)]
        if not topics:
            return
        name = self.pick(topics).get("id")
        title = self.pick(["Talk", "Walks", "Oars", ""])
        for topic in topics:
            if topic.get("id") == name:
                topic["title"] = title

    def alter_first(self, records):
        """What every part of a topic, and the list, takes from its first message."""
        title = self.pick(["Talk", "Walks", "Oars"])
        topic = records[0].get("topic")
        # Another change may have written it as text.
        topic = dict(topic if isinstance(topic, dict) else {"id": topic or "a"}, title=title)
        changes = [("author", self.pick(AUTHORS)), ("topic", topic), ("topic", topic), ("pinned", True), ("pinned", None), ("title", title)]
        self.put(records[0], *self.pick(changes))

    def actions(self):
        return super().actions() + [self.retitle, self.alter_first, self.alter_first, self.grow] + ([] if self.isLong else [self.weigh])


class Posts(Focus):
    """Posts at the borders of feeds, with neighbours, tags and nested comments."""

    def place(self):
        return f"Content/posts/{self.name}.jsonl"

    def count(self):
        return self.random.choice([5, 6, 7, 8, 9, 6, 7, 8, 49, 99])

    def record(self, number):
        record = super().record(number)
        if self.archive.some(0.4):
            record["title"] = self.pick(["Rain", "Tea"])
        return record

    def values(self):
        return dict(
            super().values(), slug=[None, "p1", "p2", f"{self.name}-own"], draft=[None, True], summary=[None, "In short"],
            audience=[None, "friends", "private"], aliases=[None, ["old/1/"], ["old/2/"]],
        )

    def comment(self, records):
        """One comment more or less, or another one."""
        comments = records[self.index(records)].setdefault("comments", [])
        if comments and self.archive.some(0.4):
            comments.pop()
        elif comments and self.archive.some(0.3):
            comments[-1]["deleted"] = not comments[-1].get("deleted")
        else:
            comments.append(super().record(len(comments)))

    def respell(self, records):
        for record in records:
            if record.get("tags"):
                record["tags"] = [self.pick(["Tea", "tea", "TEA"])]
                break

    def retitle(self, records):
        self.put(records[self.index(records)], "title", self.pick(["Rain", "Tea", "Cloud", None]))

    def change_feed(self, records):
        self.archive.settings["feed"] = {"size": self.random.choice([1, 1, 2])}
        self.archive.save_settings()

    def actions(self):
        return super().actions() + [self.comment, self.comment, self.respell, self.retitle, self.retitle, self.change_feed]


class Comments(Focus):
    """Comments of one post in several parts, by weight or number, or nested too deep for their page."""

    def __init__(self, archive, serial):
        super().__init__(archive, serial)
        self.form = self.pick(["heavy", "heavy", "deep", "deep", "many"])

    def place(self):
        return f"Content/comments/{self.name}.jsonl"

    def count(self):
        low, high = {"heavy": (3, 8), "deep": (52, 104), "many": (199, 202)}[self.form]
        return self.random.randint(low, high)

    def record(self, number):
        record = super().record(number)
        if self.form == "heavy":
            record["heavy"] = "x" * self.pick(HEAVY[2:])
        return record

    def connect(self, records):
        if len(records) > 1 and self.form == "deep" and self.archive.some(0.99):
            records[-1]["replyTo"] = records[-2]["id"]
        else:
            super().connect(records)

    def create(self):
        super().create()
        self.save_post({"id": self.name, "date": START, "author": "ada", "title": "Rain", "body": "x"})

    def save_post(self, post):
        self.archive.write(f"Content/posts/{self.name}.json", json.dumps(post, ensure_ascii=False))

    def change_post(self, records):
        post = {"id": self.name, "date": START, "author": "ada", "title": "Rain", "body": "x"}
        values = dict(title=["Tea", None], author=["bob"], body=["y"], tags=[["tea"]], deleted=[True], sensitive=[True], slug=["p1"])
        name = self.pick(values)
        self.put(post, name, self.pick(values[name]))
        self.save_post(post)

    def actions(self):
        return super().actions() + [self.grow, self.change_post, self.change_post] + ([self.weigh] if self.form == "heavy" else [])


class Lines(Focus):
    """One person's entries with one tag, at the border where pages of lines are numbered."""

    view = "chat"
    step = 60

    def settings(self):
        return {"view": self.pick(["chat", "board"]), "perPage": 100, "pages": "year"}

    def count(self):
        return self.random.choice([198, 199, 200, 201, 298, 299, 300])

    def record(self, number):
        record = dict(super().record(number), author="ada")
        if number % 200 < 199 or self.archive.some(0.5):
            record["tags"] = ["Tea"]
        return record

    def connect(self, records):
        pass

    def respell(self, records):
        records[self.pick([0, -1])]["tags"] = [self.pick(["tea", "TEA", "Tea"])]

    def actions(self):
        return super().actions() + [self.respell, self.respell, self.grow, self.grow]


class People(Focus):
    """The list of people: one field of one of them, and who else writes."""

    view = "chat"

    def __init__(self, archive, serial):
        super().__init__(archive, serial)
        self.isLong = archive.some(0.12)

    def count(self):
        return 399 if self.isLong else 5

    def record(self, number):
        author = f"w{number}" if self.isLong else self.pick(AUTHORS)
        return dict(super().record(number), author=author)

    def settings(self):
        return {"view": "chat", "perPage": 100 if self.isLong else 2, "pages": "year"}

    def connect(self, records):
        if not self.isLong:
            super().connect(records)

    def person(self, records):
        name = self.pick(AUTHORS)
        person = self.archive.people.setdefault(name, {})
        values = {
            "name": [None, "Ada", "Bo B."], "avatar": [None, "cat.png", "dog.jpg", "lost.png"], "biography": [None, "likes *tea*", "left"],
            "links": [None, {"Home": "https://example.com/1"}, {"Home": "https://example.com/2"}, {"Work": "https://example.com/1"}],
            "self": [None, True], "hide": [None, None, "name", True], "also": [None, ["B."], ["gus"]],
        }
        field = self.pick(values)
        self.put(person, field, self.pick_other(values[field], person.get(field)))
        self.archive.save_people()

    def actions(self):
        return [self.person] * 6 + [self.grow, self.shrink, self.alter]


class Rail(Focus):
    """As many channels as the rail holds, and one more or less."""

    def place(self):
        return "Content/channels/r00/log.jsonl"

    def create(self):
        for number in range(self.random.randint(39, 41)):
            self.archive.write(f"Content/channels/r{number:02}/log.jsonl", json.dumps(self.record(number)) + "\n")

    def add_channel(self, records):
        self.archive.write(f"Content/channels/r{self.random.randint(39, 42)}/log.jsonl", json.dumps(self.record(1)) + "\n")

    def remove_channel(self, records):
        self.archive.path(f"Content/channels/r{self.random.randint(38, 41)}/log.jsonl").unlink(missing_ok=True)

    def actions(self):
        return [self.add_channel, self.add_channel, self.remove_channel, self.grow]


# The likelier a kind of fault, and the cheaper, the more often.
KINDS = [Chat] * 3 + [Board] * 2 + [Topics] * 3 + [Posts] * 3 + [Comments] * 3 + [Lines] + [People] * 2


def focuses(archive):
    """One to three for an archive."""
    if archive.some(0.03):
        return [Rail(archive, 1)]
    return [archive.random.choice(KINDS)(archive, number) for number in range(archive.random.choice([1, 1, 2, 3]))]
