"""Small archives built around one thing that pages take from elsewhere, each with the changes that show it.

A page that is taken over wrongly differs only if nothing else that it is made from has changed as well. So
a focus keeps its records in one file, at a border of pages or parts, and changes one field of one of them.
"""

import json

AUTHORS = ["ada", "bob", "cléo", "dan"]
START = 1700000000
DAY = 86400
# A field that no page shows, but which makes a record so heavy that few share a part.
HEAVY = [0, 60_000, 130_000, 200_000, 370_000]


class Focus:
    """A file of records."""

    view = None
    # How far apart records are.
    step = DAY

    def __init__(self, archive, serial):
        self.archive, self.random, self.serial = archive, archive.random, serial
        self.name = f"{type(self).__name__.lower()}{serial}"
        self.made = 0
        self.file = self.place()

    def place(self):
        return f"Content/channels/{self.name}/log.jsonl"

    def pick(self, values):
        return self.archive.pick(values)

    def text(self):
        return self.pick(["a", "b *c*", "rain\n\ntea", "@ada", "@dan", "[p](/posts/p1/)", "![m](cat.png)", "é" * 90])

    def values(self):
        """Values for one field: None takes it away."""
        return {
            "body": [self.text()], "title": [None, "Rain", "Tea"], "author": [None, *AUTHORS], "deleted": [None, True],
            "sensitive": [None, True, "spoiler"], "likes": [None, 1, 2], "pinned": [None, True], "updated": [None, START + 500 * DAY],
            "tags": [None, ["Tea"], ["tea"], ["TEA", "rain"]], "media": [None, "cat.png"], "audience": [None, "friends"],
            "date": [START + self.random.randint(-9, 400) * DAY, START, None], "avatar": [None, "cat.png"],
            "reactions": [None, [{"name": "👍", "by": ["ada", "bob"]}]], "heavy": [None, "x" * self.pick(HEAVY)],
        }

    def record(self, number):
        """The record after `number` others."""
        self.made += 1
        record = {"id": f"{self.name}-{self.made}", "date": START + number * self.step, "author": self.pick(AUTHORS), "body": "x"}
        if self.archive.some(0.2):
            record["mood"] = "wet"
        if self.archive.some(0.2):
            record["tags"] = [self.pick(["Tea", "tea", "rain"])]
        return record

    def count(self):
        """Records at the beginning."""
        return self.random.randint(3, 9)

    def create(self):
        records = []
        for number in range(self.count()):
            records.append(self.record(number))
            self.connect(records)
        self.archive.write_records(self.file, records)
        if self.view:
            self.save_channel()

    def connect(self, records):
        """Lets the last record answer another."""
        if len(records) > 1 and self.archive.some(0.4):
            records[-1]["replyTo"] = self.pick(records[:-1])["id"]

    # Channels

    def settings(self):
        return {"view": self.view, "perPage": self.random.choice([1, 1, 2, 3]), "pages": self.pick(["day", "month", "year"])}

    def save_channel(self, name=None):
        """All settings of the channel, or another value for one."""
        path = f"Content/channels/{self.name}/channel.yml"
        known = {}
        if name and self.archive.path(path).exists():
            known = json.loads(self.archive.path(path).read_text(encoding="utf-8"))
        fresh = dict(
            self.settings(), title=self.pick(["Rain", "Tea"]), description=self.pick(["", "What", "Who"]),
            fields={"mood": self.pick(["title", "topic"])},
        )
        self.archive.write(path, json.dumps(dict(known, **{name: fresh[name]}) if name else self.settings()))

    def change_channel(self, records):
        self.save_channel(self.pick(["title", "description", "description", "perPage", "pages", "fields", "fields"]))

    # Changes

    def index(self, records):
        """A place: the ends are where counts, neighbours and borders show."""
        return self.pick([0, len(records) - 1, self.random.randrange(len(records)), self.random.randrange(len(records))])

    def grow(self, records):
        records.append(self.record(len(records)))
        self.connect(records)

    def shrink(self, records):
        records.pop()

    def remove(self, records):
        records.pop(self.index(records))

    def precede(self, records):
        """One before all others, or among the first."""
        records.insert(0, dict(self.record(0), date=START - self.random.randint(1, 70) * DAY))

    def insert(self, records):
        """One beside another: what follows moves to other parts, and others point there."""
        place = self.index(records)
        date = records[place].get("date")
        records.insert(place, dict(self.record(place), date=date) if date else self.record(place))

    def alter(self, records):
        record, values = records[self.index(records)], self.values()
        name = self.pick(values)
        self.put(record, name, self.pick_other(values[name], record.get(name)))

    def alter_answered(self, records):
        """What others quote or name."""
        answered = {record.get("replyTo") for record in records}
        found = [record for record in records if record.get("id") in answered]
        if found:
            name = self.pick(["body", "author", "deleted", "sensitive", "media", "date"])
            self.put(self.pick(found), name, self.pick(self.values()[name]))

    def weigh(self, records):
        """Moves the cuts between parts, while all that they show stays."""
        self.put(records[self.index(records)], "heavy", "x" * self.pick(HEAVY))

    def pick_other(self, values, present):
        return self.pick([value for value in values if value != present] or values)

    def put(self, record, name, value):
        if value is None:
            record.pop(name, None)
        else:
            record[name] = value

    def actions(self):
        channel = [self.change_channel] * 2 if self.view else []
        entries = [self.alter, self.alter, self.alter_answered, self.grow, self.shrink, self.remove, self.precede, self.insert]
        return entries + channel

    def change(self):
        """Changes one thing; returns what."""
        records = self.archive.read_records(self.file) if self.archive.path(self.file).exists() else []
        if not records:
            self.create()
            return f"{type(self).__name__}.create"
        action = self.random.choice(self.actions())
        action(records)
        self.archive.write_records(self.file, records)
        return f"{type(self).__name__}.{action.__name__}"
