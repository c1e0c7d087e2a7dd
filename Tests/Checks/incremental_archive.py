"""Random archives and random changes to them, for incremental.py: everything follows from the seed."""

import json
import os
import pathlib
import shutil
import struct
import time

import incremental_kinds

WORDS = (
    "rain tea cloud stone walk night moon river cat noodle book ridge window lamp 雨 茶 山 é ß ǅ مرحبا "
    "<b>x</b> & `code` **bold** _thin_ 😀 - # > 1."
).split(" ")
PEOPLE = ["ada", "bob", "cléo", "dan", "eve@example.org", "Fay <fay@example.org>", "阿德", "gus"]
TAGS = ["rain", "Tea", "tea", "山", "a b", "c/d"]
MEDIA = ["cat.png", "dog.jpg", "note.txt", "deep/bird.gif", "film.mp4", "active.svg", "page.html"]
TEMPLATES = pathlib.Path(__file__).resolve().parents[2] / "Templates"
ZONES = ["UTC", "Asia/Taipei", "America/St_Johns", "Europe/Berlin"]


def picture(width, height, extra=b""):
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\6\0\0\0" + extra


class Archive:
    """An archive on disk that changes by chance."""

    def __init__(self, root, random):
        self.root, self.random, self.serial = pathlib.Path(root), random, 0
        self.settings = {"title": "T"}
        self.people = {}
        self.options = {}
        self.focuses = []

    # Chance

    def some(self, share):
        return self.random.random() < share

    def pick(self, values):
        return self.random.choice(sorted(values) if isinstance(values, (set, dict)) else values)

    def words(self, low=0, high=12):
        return " ".join(self.pick(WORDS) for _ in range(self.random.randint(low, high)))

    def body(self):
        parts = [self.words()]
        for _ in range(self.random.choice([0, 0, 0, 1, 1, 3])):
            parts.append(self.pick([
                "[a](/about/)", "[b](posts/p1/)", "[c](/posts/p2/)", "![m](cat.png)", "[n](note.txt)",
                "@ada", "@bob", "@gus", "@nobody", "@阿德", "[gone](nowhere.png)", "[s](/robots-not.txt)",
                "[t](/extra.txt)", "## Head", "> quote", "https://example.com/x?a=1&b=2", "\n\n" + self.words(30, 60),
                "[ch](channels/c1/)", "[tag](/tags/tea/)", "[person](people/ada/)", "[u](deep/bird.gif)",
            ]))
        return " ".join(parts)

    def date(self):
        day = self.random.randint(0, 400)
        moment = 1700000000 + day * 86400 + self.random.randint(0, 86399)
        return self.pick([
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)), moment, time.strftime("%Y-%m-%d", time.gmtime(moment)),
        ]) if self.some(0.9) else self.pick(["yesterday", None])

    def fields(self, ids, kind):
        self.serial += 1
        entry = {"id": f"{kind}{self.serial}", "body": self.body()}
        date = self.date()
        if date is not None:
            entry["date"] = date
        if self.some(0.85):
            entry["author"] = self.pick(PEOPLE)
        extras = {
            "updated": lambda: self.date() or "2025-01-01", "title": lambda: self.words(1, 3), "likes": lambda: self.random.randint(0, 5),
            "liked": lambda: True, "tags": lambda: [self.pick(TAGS) for _ in range(2)], "pinned": lambda: True,
            "sensitive": lambda: self.pick([True, "spoiler"]), "deleted": lambda: True, "draft": lambda: True,
            "audience": lambda: self.pick(["public", "friends", "private"]),
            "media": lambda: [self.pick(MEDIA), {"path": self.pick(MEDIA), "alt": self.words(0, 2)}],
            "avatar": lambda: "cat.png", "format": lambda: self.pick(["plain", "html", "markdown"]),
            "reactions": lambda: [{"name": "👍", "by": [self.pick(PEOPLE), self.pick(PEOPLE)]}],
            "source": lambda: {"platform": "Old", "url": "https://example.com/1"}, "shares": lambda: 2, "unknown": lambda: {"a": [1]},
        }
        for name, make in extras.items():
            if self.some(0.12):
                entry[name] = make()
        if kind != "p" and ids and self.some(0.4):
            entry["replyTo"] = self.pick(ids) if self.some(0.9) else "lost"
        return entry

    # Files

    def path(self, name):
        return self.root / name

    def write(self, name, data):
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    def files(self, *folders):
        found = []
        for folder in folders:
            for path in sorted(self.path(folder).rglob("*")):
                if path.is_file() and not path.is_symlink():
                    found.append(str(path.relative_to(self.root)))
        return found

    def front(self, entry):
        body = entry.pop("body")
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in entry.items()]
        return "---\n" + "\n".join(lines) + "\n---\n" + body + "\n"

    def read_records(self, name):
        text = self.path(name).read_text(encoding="utf-8", errors="replace")
        try:
            return json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            return []

    def write_records(self, name, records):
        if name.endswith(".json"):
            self.write(name, json.dumps(records, ensure_ascii=False, indent=1))
        else:
            self.write(name, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))

    def records(self, ids, kind, count):
        made = []
        for _ in range(count):
            made.append(self.fields(ids + [entry["id"] for entry in made], kind))
        return made

    def save_settings(self):
        self.write("stillfeed.yml", json.dumps(self.settings, ensure_ascii=False) + "\n")

    def save_people(self):
        people = [dict(person, id=name) for name, person in self.people.items()]
        self.write("Content/people.yml", json.dumps(people, ensure_ascii=False) + "\n")

    # The beginning

    def create(self):
        # Mostly with feeds, and with small pages, so that there are several of each kind.
        if self.some(0.8):
            self.settings["baseURL"] = "https://example.org/"
        if self.some(0.8):
            self.settings["feed"] = {"size": 2}
        self.save_settings()
        for name in PEOPLE[: self.random.randint(0, 4)]:
            self.people[name] = {"name": name.upper()}
        self.save_people()
        for name in self.random.sample(MEDIA, 4):
            self.add_medium(name)
        for _ in range(self.random.randint(0, 9)):
            self.add_post()
        for number in range(self.random.randint(0, 3)):
            self.add_channel(f"c{number + 1}")
        for _ in range(self.random.randint(0, 3)):
            self.add_comments()
        self.write("Content/pages/about.md", "---\ntitle: About\n---\n" + self.body())
        if self.some(0.4):
            self.show_more()
        self.focuses = incremental_kinds.focuses(self)
        for focus in self.focuses:
            focus.create()

    # Changes

    def add_medium(self, name=None):
        name = name or self.pick(MEDIA)
        if name.endswith((".png", ".jpg", ".gif")):
            data = picture(self.random.randint(1, 900), self.random.randint(1, 900), b"x" * self.random.randint(0, 9))
        elif name.endswith(".svg"):
            data = self.pick([b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<svg><script>x</script></svg>"])
        else:
            data = self.words(1, 20).encode()
        self.write(self.pick(["Content/media/", "Content/media/", "Content/posts/"]) + name, data)

    def add_post(self):
        self.serial += 1
        entry = self.fields([], "p")
        if self.some(0.3):
            entry["slug"] = f"p{self.random.randint(1, 4)}"
        if self.some(0.2):
            entry["aliases"] = [f"old/{self.random.randint(1, 3)}/"]
        form = self.random.randint(0, 3)
        if form == 0:
            entry["comments"] = self.records([], "c", self.random.randint(0, 4))
            if entry["comments"] and self.some(0.5):
                entry["comments"][0]["replies"] = self.records([], "r", 2)
            self.write(f"Content/posts/p{self.serial}.json", json.dumps(entry, ensure_ascii=False))
        elif form == 1:
            records = [entry] + self.records([], "p", self.random.randint(0, 3))
            self.write_records(f"Content/posts/list{self.serial}.{self.pick(['json', 'jsonl'])}", records)
        else:
            folder = self.pick(["", "", "2024/", "deep/er/"])
            prefix = self.pick(["", "2024-02-03-"])
            self.write(f"Content/posts/{folder}{prefix}p{self.serial}.md", self.front(entry))

    def add_comments(self):
        posts = self.files("Content/posts")
        if not posts:
            return
        post = pathlib.Path(self.pick(posts)).stem
        for name in (f"Content/comments/{post}.json", f"Content/comments/{post}.jsonl"):
            if self.path(name).exists():
                return self.change_records(name, "c")
        if self.some(0.2):
            self.serial += 1
            return self.write(f"Content/comments/{post}/{self.serial}.md", self.front(self.fields([], "c")))
        count = self.random.choice([1, 2, 5, 5, 230]) if self.some(0.3) else 3
        self.write_records(f"Content/comments/{post}.{self.pick(['json', 'jsonl'])}", self.records([], "c", count))

    def add_channel(self, name=None):
        name = name or f"c{self.random.randint(1, 4)}"
        self.channel_settings(name)
        self.write_records(
            f"Content/channels/{name}/log.{self.pick(['json', 'jsonl'])}", self.records([], f"{name}m", self.random.randint(0, 25))
        )

    def channel_settings(self, name=None):
        channels = [path.name for path in self.path("Content/channels").glob("*")]
        name = name or (self.pick(sorted(channels)) if channels else None)
        if name is None:
            return
        settings = {"view": self.pick(["chat", "board", "topics"]), "pages": self.pick(["day", "month", "year"])}
        if self.some(0.8):
            settings["perPage"] = self.random.choice([1, 2, 2, 5, 100])
        if self.some(0.3):
            settings["title"] = self.words(1, 2)
        if self.some(0.3):
            settings["fields"] = {"unknown": self.pick(["title", "topic"])}
        self.write(f"Content/channels/{name}/channel.yml", json.dumps(settings, ensure_ascii=False))

    def change_records(self, name=None, kind="x"):
        lists = [path for path in self.files("Content/channels", "Content/comments", "Content/posts") if path.endswith((".json", ".jsonl"))]
        if name is None and not lists:
            return
        name = name or self.pick(lists)
        records = self.read_records(name)
        if not isinstance(records, list):
            return
        ids = [record.get("id") for record in records if record.get("id")]
        kind = "p" if "/posts/" in name else kind + str(self.random.randint(0, 99))
        action = self.random.randint(0, 5)
        if action <= 1 or not records:
            records.append(self.fields(ids, kind))
            if self.some(0.2):
                records[-1]["topic"] = self.pick(["Talk", "Walks"])
        elif action == 2:
            records.pop(self.random.randrange(len(records)))
        elif action == 3:
            record = self.pick(records)
            fresh = self.fields(ids, kind)
            for field in self.random.sample(sorted(fresh), min(3, len(fresh))):
                if field not in ("id",):
                    record[field] = fresh[field]
        elif action == 4:
            record = self.pick(records)
            for field in list(record):
                if field not in ("id", "body") and self.some(0.3):
                    del record[field]
        else:
            self.random.shuffle(records)
        self.write_records(name, records)

    def edit_in_place(self):
        """Other bytes of the same length, and the time set back: only the time of change tells."""
        files = [name for name in self.files("Content", "Templates") if self.path(name).stat().st_size > 20]
        if not files:
            return
        path = self.path(self.pick(files))
        status, data = path.stat(), bytearray(path.read_bytes())
        letters = [index for index, byte in enumerate(data) if 97 <= byte <= 121]
        if letters:
            data[self.random.choice(letters)] += 1
        with open(path, "r+b") as file:
            file.write(data)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def edit_document(self):
        documents = [name for name in self.files("Content/posts", "Content/pages", "Content/comments") if name.endswith(".md")]
        if not documents:
            return
        name = self.pick(documents)
        if self.some(0.5):
            self.write(name, self.path(name).read_text(encoding="utf-8", errors="replace") + "\n" + self.body())
        else:
            self.write(name, self.front(self.fields([], "p")))

    def delete(self):
        files = self.files("Content")
        if files:
            self.path(self.pick(files)).unlink()

    def rename(self):
        files = [name for name in self.files("Content") if not name.startswith("Content/people")]
        if not files:
            return
        old = pathlib.Path(self.pick(files))
        new = old.with_name("r" + old.name) if self.some(0.7) else old.parent / "moved" / old.name
        self.path(str(new)).parent.mkdir(exist_ok=True)
        self.path(str(old)).rename(self.path(str(new)))

    def change_people(self):
        name = self.pick(PEOPLE)
        if name in self.people and self.some(0.4):
            del self.people[name]
        else:
            person = self.people.setdefault(name, {})
            person["name"] = self.pick([name, name.title(), self.words(1, 2) or "x"])
            for field, values in {
                "avatar": ["cat.png", "dog.jpg", "lost.png"], "also": [["bob"], ["B."], ["gus", "ada"]], "hide": ["name", True],
                "bio": ["likes *tea*"], "url": ["https://example.com/me"], "self": [True],
            }.items():
                person.pop(field, None)
                if self.some(0.25):
                    person[field] = self.pick(values)
        self.save_people()

    def change_static(self):
        name = "Content/static/" + self.pick(["extra.txt", "favicon.ico", ".well-known/x", "sub/deep.txt", "index.html"])
        if self.path(name).exists() and self.some(0.5):
            self.path(name).unlink()
        else:
            self.write(name, self.words(1, 9))

    def change_page(self):
        name = f"Content/pages/{self.pick(['about', 'imprint', 'posts', '雨'])}.md"
        self.write(name, f"---\ntitle: {json.dumps(self.words(1, 2))}\n---\n" + self.body())

    def change_settings(self):
        choices = {
            "title": ["T", "Other", "雨 & <b>"], "description": ["", "What it is"], "baseURL": ["https://example.org/", "https://example.org/sub/"],
            "language": ["en", "zh-TW", "de"], "timeZone": ZONES, "self": [["ada"], ["bob"]], "links": ["pretty", "explicit"],
            "audience": ["public", "friends", "private"], "index": [True, False], "dates": ["iso", "apple"],
            "feed": [{"size": 2}, {"size": 5, "comments": "newest"}, {"comments": "likes"}],
        }
        name = self.pick(choices)
        if name in self.settings and self.some(0.4):
            del self.settings[name]
        else:
            self.settings[name] = self.pick(choices[name])
        self.save_settings()

    def change_theme(self):
        name = self.pick(["post.mustache", "chat.mustache", "topics.mustache", "line.mustache", "assets/custom.css", "strings/en.yml"])
        path = "Templates/" + name
        if self.path(path).exists() and self.some(0.5):
            return self.path(path).unlink()
        if name.endswith(".css"):
            return self.write(path, f"a {{ order: {self.random.randint(1, 99)}; }}\n")
        if name.endswith(".yml"):
            return self.write(path, f"anonymous: Who{self.random.randint(1, 9)}\n")
        source = TEMPLATES / name
        text = source.read_text(encoding="utf-8") if source.exists() else "{{title}}"
        self.write(path, text + f"<!-- {self.random.randint(1, 99)} -->\n")

    def show_more(self):
        """Templates that show what the built-in ones pass over."""
        for name, entry in (("message", "message"), ("board-card", "message"), ("comment", "comment")):
            source = (TEMPLATES / f"{name}.mustache").read_text(encoding="utf-8")
            more = f"{{{{#{entry}.tags}}}}{{{{>tag-list}}}}{{{{/{entry}.tags}}}}"
            more += "".join(f" {{{{{entry}.{field}}}}}" for field in ("title", "likesLabel", "sharesLabel", "sourceLabel", "extra.mood"))
            self.write(f"Templates/{name}.mustache", f"{source}<p>{more}</p>\n")

    def touch(self):
        files = self.files("Content")
        if files:
            os.utime(self.path(self.pick(files)))

    def change_options(self):
        choices = {
            "--audience": ["public", "friends", "private"], "--base-url": ["https://other.example/x/", ""], "--links": ["pretty", "explicit"],
            "--drafts": [None], "--strict": [None], "--jobs": ["1", "3"],
        }
        name = self.pick(choices)
        if name in self.options:
            del self.options[name]
        else:
            self.options[name] = self.pick(choices[name])

    def arguments(self):
        return [part for name, value in sorted(self.options.items()) for part in ([name] if value is None else [name, value])]

    def change(self):
        """Changes one thing; returns what."""
        if self.some(0.7):
            return self.random.choice(self.focuses).change()
        actions = [
            self.add_post, self.add_post, self.add_comments, self.add_comments, self.add_channel, self.channel_settings,
            self.edit_in_place, self.edit_in_place, self.edit_document, self.edit_document, self.delete, self.rename,
            self.change_people, self.change_static, self.change_page, self.change_settings, self.change_theme, self.touch,
            self.change_options, self.add_medium, self.add_medium,
        ] + [self.change_records] * 6
        action = self.random.choice(actions)
        action()
        return action.__name__

    def copy(self, place):
        shutil.copytree(self.root, place, ignore=shutil.ignore_patterns(".stillfeed"), symlinks=True)
