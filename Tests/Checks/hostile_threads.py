"""Message graphs and dates for hostile.py (structure/threads.json, structure/dates.json)."""

import json
import re
from itertools import cycle

from checklib import FIXTURES
from datetimes import is_valid_datetime
from hostile_cases import Trial
from hostile_judge import BUCKET, counted, exactly_once, pages
from selectolax.lexbor import LexborHTMLParser

STRUCTURE = FIXTURES / "hostile" / "structure"
BASE = 1704067200  # 2024-01-01T00:00:00Z

PARENTS = {
    "m<n-1>": lambda n: f"m{n - 1}" if n else None,
    "m0": lambda n: "m0" if n else None,
    "m<1-n>": lambda n: f"m{1 - n}",
    "m<(n+1) mod 1000>": lambda n: f"m{(n + 1) % 1000}",
    "m<n-1>, and m0 replies to m500": lambda n: f"m{n - 1}" if n else "m500",
    "m<floor(n/300)>": lambda n: f"m{n // 300}" if n else None,
    "gone<n>": lambda n: f"gone{n}",
    "m<n+1>": lambda n: f"m{n + 1}",
    "other-file:m<n>": lambda n: f"other-file:m{n}",
}


def graph(entry, count, answers):
    """The messages of one case; `answers` is the field that names the parent."""
    name = entry["name"]
    counts = cycle([-1, 0, 2147483648, 1e30])
    for n in range(count):
        message = {"id": f"m{n}", "author": f"a{n % 7}", "date": BASE + n, "body": f"K{n}K"}
        if name == "parent later in time":
            message["date"] = BASE + count - n
        if name.startswith("duplicate ids"):
            message["id"] = f"m{n % 10}"
            if name.endswith("same body"):
                message |= {"body": f"K{n % 10}K", "date": BASE + n % 10, "author": "a"}
        if name == "ids differing in case":
            message["id"] = chr((97 if n % 2 == 0 else 65) + n // 2)
        if "ids" in entry:
            message["id"] = entry["ids"][n]
        if entry.get("author"):
            message["author"] = entry["author"].replace("<n>", str(n))
        if entry.get("date"):
            message["date"] = entry["date"]
        if entry.get("body") == "":
            message["body"] = ""
        if name == "100k attachments on one message":
            message["media"] = [{"path": f"x{k}.png"} for k in range(entry["attachments"])]
        if name == "100k reactions":
            message["reactions"] = [{"name": f"r{k}", "count": next(counts)} for k in range(entry["reactions"])]
        if message["id"] in entry.get("deleted", ()):
            message["deleted"] = True
        if name == "edit history loop":
            message["editOf"] = f"m{1 - n}"
        parent = PARENTS[entry["parent"]](n) if "parent" in entry else None
        if parent is not None:
            message[answers] = parent
        yield message


def threads(long):
    for entry in json.loads((STRUCTURE / "threads.json").read_text("utf-8"))["cases"]:
        name, count = entry["name"], entry["messages"]
        if not long:
            # The chain goes on to 100,000; what is only broad stays within 20,000.
            count = 100_000 if name == "chain" else min(count, 20_000)
            if name == "long chain":
                continue
        seconds, memory = (10, 512 << 20) if count <= 20_000 else (30, 512 << 20)
        if count > 200_000:
            seconds = 240
        wanted = [f"K{n}K" for n in range(count) if f"m{n}" not in entry.get("deleted", ()) and entry.get("body") != ""]
        if name == "duplicate ids same body":
            wanted = []  # equal in everything: one record seen ten times, or ten; both are sound

        def comments(case, entry=entry, count=count):
            case.write("Content/posts/thread.md", "---\ntitle: Thread\ndate: 2024-01-01\n---\n\nThread.\n")
            case.lines("Content/comments/thread.jsonl", graph(entry, count, "parent"))

        def judge_comments(case, result, wanted=wanted):
            found = counted(case, r"posts/thread/.*index\.html")
            yield from exactly_once(found, wanted, "comments")
            yield from twice(case, r"posts/thread/.*index\.html")

        yield Trial(f"comments, {name}, {count}", comments, judge_comments, seconds, memory)
        for view in ("chat", "topics", "board"):
            if view == "board" and count > 1000:
                continue

            def channel(case, entry=entry, count=count, view=view):
                case.write("Content/channels/hostile/channel.yml", f"view: {view}\n")
                case.lines("Content/channels/hostile/m.jsonl", graph(entry, count, "replyTo"))

            def judge_channel(case, result, wanted=wanted, view=view):
                pattern = r"channels/hostile/topics/.*index\.html" if view == "topics" else BUCKET.pattern.replace("[^/]+", "hostile", 1)
                yield from exactly_once(counted(case, pattern), wanted, "messages")
                yield from twice(case, pattern)

            yield Trial(f"{view}, {name}, {count}", channel, judge_channel, seconds, memory)


def twice(case, pattern):
    """No id stands twice in one page."""
    for file, content in pages(case, pattern):
        ids = re.findall(rb'\sid="?([^"\s>]+)', content)
        if len(ids) != len(set(ids)):
            yield f"an id stands twice in {file}"
            return


def dates(long):
    values = json.loads((STRUCTURE / "dates.json").read_text("utf-8"))["dates"]
    for text in list(values):
        try:
            if re.fullmatch(r"-?\d+(\.\d+)?(e\d+)?", text):
                values.append(json.loads(text))
        except ValueError:
            pass

    def rows(field):
        return [{"id": f"d{n}", "author": "a", "body": f"K{n}K", "title": f"t{n}", field: value} for n, value in enumerate(values)]

    def prepare(case):
        case.lines("Content/channels/hostile/m.jsonl", rows("date"))
        case.json("Content/posts/p.json", rows("date"))
        case.lines("Content/comments/good-1.jsonl", rows("date"))

    def judge(case, result):
        wanted = [f"K{n}K" for n in range(len(values))]
        yield from exactly_once(counted(case, BUCKET.pattern.replace("[^/]+", "hostile", 1)), wanted, "messages")
        yield from exactly_once(counted(case, r"posts/(?!good-)[^/]+/index\.html"), wanted, "posts")
        yield from exactly_once(counted(case, r"posts/good-1/.*index\.html"), wanted, "comments")
        for file, content in pages(case, r".*\.html"):
            for node in LexborHTMLParser(content).css("time[datetime]"):
                if not is_valid_datetime(node.attributes["datetime"] or ""):
                    yield f"{file} has the time {node.attributes['datetime']!r}"
                    return
        undated = anchors_in_undated(case)
        for n, value in enumerate(values):
            if value in ("yesterday", "", "NaN", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "10000-01-01T00:00:00Z", 1e300):
                if f"d{n}" not in undated:
                    yield f"date {value!r} is not among the undated"
            elif value in ("2024-02-29T00:00:00Z", "2024-01-01", "1704067200", 1704067200, 1704067200000, "2024-01-01 00:00:00"):
                if f"d{n}" in undated:
                    yield f"date {value!r} was not read"

    def anchors_in_undated(case):
        found = set()
        for _, content in pages(case, r"channels/hostile/undated/.*index\.html"):
            found |= {node.attributes["id"][2:] for node in LexborHTMLParser(content).css('[id^="m-"]')}
        return found

    yield Trial("each as date", prepare, judge)
    yield Trial("each as updated", lambda case: (
        case.lines("Content/channels/hostile/m.jsonl", rows("updated")), case.json("Content/posts/p.json", rows("updated"))))
    for zone in ("Pacific/Apia", "America/New_York", "Australia/Lord_Howe"):

        def in_zone(case, zone=zone):
            prepare(case)
            case.write("stillfeed.yml", f"title: Hostile\nbaseURL: https://still.example/\ntimeZone: {zone}\n")

        yield Trial(f"each as date in {zone}", in_zone, lambda case, result: exactly_once(
            counted(case, BUCKET.pattern.replace("[^/]+", "hostile", 1)), [f"K{n}K" for n in range(len(values))], "messages"))


SECTIONS = {"threads": threads, "dates": dates}
