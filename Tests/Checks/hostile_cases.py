"""The cases of hostile.py but for files and message graphs: JSON, front matter, UTF-8, paths, names, Markdown."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from buildlib import quoted
from checklib import FIXTURES
from hostile_judge import BUCKET, MEMORY, SECONDS, counted, distinct_names, exactly_once, named, pages, texts
from selectolax.lexbor import LexborHTMLParser

HOSTILE = FIXTURES / "hostile"
JSON = FIXTURES / "json"


def nothing(case, result):
    return ()


@dataclass
class Trial:
    """One archive: `prepare` fills it, `judge` yields findings after a build that exited 0."""

    name: str
    prepare: Callable
    judge: Callable = nothing
    seconds: float = SECONDS
    memory: int = MEMORY
    exits: tuple = (0,)
    arguments: tuple = ()
    good: bool = field(default=True)
    watched: bool = field(default=False)  # built once more, to see which files it opens


def recipe(case):
    """The text of a recipe (see the `format` of recipes.json and pathological.json)."""
    text = case["prefix"]
    part = case.get("indexed")
    if part:
        steps = range(part["from"], part["to"] + 1)
        text += "".join(part["lead"] + (str(n) if part.get("number") else part["char"] * n) + part["tail"] for n in steps)
    if "{n}" in case["unit"]:
        text += "".join(case["unit"].replace("{n}", str(n)) for n in range(case["count"]))
    else:
        text += case["unit"] * case["count"]
    return text + case["suffix"] + case.get("unit2", "") * case.get("count2", 0) + case.get("tail", "")


def in_channel(name, content):
    return lambda case: case.write(f"Content/channels/hostile/{name}", content)


# Files of JSONTestSuite whose fault a reader of records may rightly overlook: nothing in them is lost.
HARMLESS = {"n_structure_no_data.json", "n_structure_UTF8_BOM_no_data.json", "n_single_space.json", "n_structure_whitespace_U+2060_word_joiner.json"}


def json_suite(long):
    for path in sorted((JSON / "test_parsing").glob("*.json")):
        content = path.read_bytes()
        must = path.name.startswith("n_") and path.name not in HARMLESS
        for where in ("channels/hostile", "posts"):
            if where == "posts" and not must:
                continue

            def prepare(case, where=where, name=path.name, content=content):
                case.write(f"Content/{where}/{name}", content)

            def judge(case, result, name=path.name, must=must):
                return named(result, name) if must else ()

            yield Trial(f"{where.split('/')[0]} {path.name}", prepare, judge)


# What each of json/own must do: records shown (by anchor), and the line to be named (0: any line; None: none needed).
OWN = {
    "bad_escape.json": ([], 0), "nan.json": ([], 0), "single_quotes.json": ([], 0), "trailing_garbage.json": ([], 0),
    "truncated_after_comma.json": (["1"], 0), "truncated_in_escape.json": (None, 0), "truncated_in_key.json": (None, 0),
    "truncated_in_string.json": (None, 0), "wrong_types.json": (None, 0), "id_null_missing.json": (["3"], 0),
    "ndjson_one_bad_line.ndjson": (["1", "3"], 0), "ndjson_crlf_blank.ndjson": (["1", "2"], None),
    "ndjson_no_final_newline.ndjson": (["1", "2"], None), "ndjson_u2028.ndjson": (["1"], None),
    "msg_lone_high.json": (["1", "2", "3"], 0), "msg_raw_invalid_utf8.json": (None, 0), "msg_raw_cesu8.json": (None, None),
    "msg_latin1.json": (None, 0), "dup_ids.json": (None, 0), "id_case_collision.json": (["Ab", "aB-5177711d"], None),
    "depth_10000_objects.json": ([], 0), "depth_513.json": ([], 0), "depth_513_in_content.json": (None, 0),
    "root_scalar.json": ([], 0), "root_string.json": ([], 0), "html_in_every_field.json": (None, 0),
}


def json_own(long):
    for path in sorted((JSON / "own").iterdir()):
        if path.suffix not in (".json", ".ndjson"):
            continue
        # JSON lines have the ending .jsonl in an archive.
        name = path.name.replace(".ndjson", ".jsonl")
        shown, line = OWN.get(path.name, (None, None))

        def judge(case, result, name=name, shown=shown, line=line):
            if line is not None:
                yield from named(result, name)
            if shown:
                anchors = anchors_of(case, "hostile")
                yield from exactly_once(anchors, shown, "records of the hostile file")

        yield Trial(path.name, in_channel(name, path.read_bytes()), judge)

        def as_comments(case, name=name, content=path.read_bytes()):
            case.write(f"Content/comments/good-1{name[name.rindex('.'):]}", content)

        yield Trial(f"comments {path.name}", as_comments)
        yield Trial(f"posts {path.name}", lambda case, n=name, c=path.read_bytes(): case.write(f"Content/posts/{n}", c))
    for case in json.loads((JSON / "recipes.json").read_text("utf-8"))["cases"]:
        # A million empty records are a million messages, not a fault: they get the time of a large archive.
        seconds = 30 if case["name"].startswith("1M") else SECONDS
        if "quadratic" in case["name"]:
            seconds = max(1, len(recipe(case).encode()) / 1e6)
        yield Trial(f"recipe {case['name']}", lambda c, r=case: c.write("Content/channels/hostile/recipe.json", recipe(r)), seconds=seconds)
    for line in range(0, 1000, 1 if long else 37):

        def prepare(case, bad=line):
            rows = [f'{{"id":"k{n}","author":"a","date":{1704067200 + n},"body":"K{n}K"}}' for n in range(1000)]
            rows[bad] = rows[bad][:-9]
            case.write("Content/channels/hostile/m.jsonl", "\n".join(rows) + "\n")

        def judge(case, result, bad=line):
            found = counted(case, BUCKET.pattern.replace("[^/]+", "hostile", 1))
            yield from exactly_once(found, [f"K{n}K" for n in range(1000) if n != bad], "messages beside a bad one")
            yield from named(result, "m.jsonl", bad + 1)

        yield Trial(f"one bad line of 1,000, at {line + 1}", prepare, judge)


def anchors_of(case, channel):
    """How often each message anchor stands in the buckets of a channel."""
    found = Counter()
    for _, content in pages(case, BUCKET.pattern.replace("[^/]+", re.escape(channel), 1)):
        for node in LexborHTMLParser(content).css('[id^="m-"]'):
            found[node.attributes["id"][2:]] += 1
    return found


# Front matter that cannot be what its writer meant.
BAD_FRONT_MATTER = {"alias-bomb", "toml-bad-key", "deep-flow", "dup", "invalid-utf8", "merge-loop", "self-alias", "tabs", "colon"}


def front_matter(long):
    for path in sorted((HOSTILE / "front-matter").glob("*.md")):
        for where in ("posts/x.md", "pages/x.md", "channels/hostile/x.md", "people/x.md"):

            def prepare(case, where=where, content=path.read_bytes()):
                case.write(f"Content/{where}", content)

            def judge(case, result, name=path.stem, where=where):
                if name in BAD_FRONT_MATTER:
                    yield from named(result, where)

            yield Trial(f"{where.split('/')[0]} {path.name}", prepare, judge)
        yaml = path.read_bytes().replace(b"---\n", b"", 1).split(b"\n---")[0]
        for file, exits in (("stillfeed.yml", (0, 1)), ("Content/channels/good/channel.yml", (0,)), ("Content/people.yml", (0,))):
            yield Trial(f"{file} {path.name}", lambda case, f=file, y=yaml: case.write(f, y), exits=exits,
                        good=file != "stillfeed.yml")


def utf8(long):
    samples = json.loads((HOSTILE / "utf8" / "invalid.json").read_text("utf-8"))["samples"]

    def lines(case):
        rows = [b'{"id":"u%d","author":"a","date":%d,"format":"plain","body":"K%dK %s E%dE"}' % (
            n, 1704067200 + n, n, raw_json(bytes.fromhex(s["hex"])), n) for n, s in enumerate(samples)]
        case.write("Content/channels/hostile/m.jsonl", b"\n".join(rows) + b"\n")

    def judge_lines(case, result):
        found = {}
        for _, content in pages(case, BUCKET.pattern.replace("[^/]+", "hostile", 1)):
            for text in texts(content):
                for number in re.findall(r"K(\d+)K", text):
                    found.setdefault(int(number), []).append(text)
        for n, sample in enumerate(samples):
            if len(found.get(n, [])) != 1:
                yield f"sample {n} ({sample['name']}) shown {len(found.get(n, []))} times"
                continue
            wanted, shown = visible(sample["decoded_with_replacement"]), visible(found[n][0])
            if re.search(r"[\0-\x08\x0b\x0e-\x1f\x7f]", sample["decoded_with_replacement"]):
                # HTML has no control characters: they may be dropped or be shown as replacement characters.
                wanted, shown = wanted.replace("\ufffd", ""), shown.replace("\ufffd", "")
            surrogates = from_cesu8(bytes.fromhex(sample["hex"]))
            if wanted not in shown and (surrogates is None or visible(surrogates) not in shown):
                yield f"sample {n} ({sample['name']}) is shown as {found[n][0][:60]!r}"
            if not sample["valid"] and (surrogates is None or "\ufffd" in surrogates):
                yield from named(result, "m.jsonl", n + 1)

    yield Trial("each sample as a message of one file", lines, judge_lines)
    for n, sample in enumerate(samples):
        raw = bytes.fromhex(sample["hex"])

        def markdown(case, raw=raw):
            case.write("Content/posts/u.md", b"---\ndate: 2024-05-03\nformat: plain\ntitle: u\n---\n\nK1K " + raw + b" E\n")

        def judge(case, result, valid=sample["valid"]):
            yield from exactly_once(counted(case, r"posts/u/index\.html"), ["K1K"], "posts")
            if not valid:
                yield from named(result, "u.md")

        yield Trial(f"post {n} {sample['name']}", markdown, judge)
        for where in ("stillfeed.yml", "Content/channels/hostile/channel.yml", "Templates/post.mustache"):
            if n % 8 == 0:
                yield Trial(f"{where} {n} {sample['name']}", lambda case, w=where, r=raw: case.write(w, b"title: \"" + r + b"\"\n"),
                            exits=(0, 1), good=not where.startswith(("stillfeed", "Templates")))


def from_cesu8(raw):
    """The text of bytes in which surrogates stand as three bytes each, as Java and MySQL write them: a pair is
    its character, a half one replacement character. None where anything else is wrong with the bytes."""
    try:
        halves = raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def visible(text):
    return "".join(c for c in text if c.isprintable() and not c.isspace())


def raw_json(raw):
    """Bytes for the inside of a JSON string: quotes, backslashes and controls escaped, all else as it is."""
    return b"".join(b"\\u%04x" % b if b < 0x20 or b in b'"\\' else bytes([b]) for b in raw)


def strings(file):
    return [json.loads(line) for line in (HOSTILE / file).read_text("utf-8").split("\n") if line]


def paths(long):
    every = strings("paths.txt")
    ids = list(dict.fromkeys(every))

    def posts(case):
        case.json("Content/posts/p.json", [
            {"id": t, "author": t, "date": 1704067200 + n, "body": f"K{n}K", "tags": [t], "topic": t,
             "comments": [{"id": t, "author": t, "body": f"C{n}C"}]} for n, t in enumerate(ids)])

    def judge_posts(case, result):
        yield from distinct_names(case)
        found = counted(case, r"posts/(?!good-)[^/]+/index\.html")
        yield from exactly_once(found, [f"K{n}K" for n in range(len(ids))], "posts with a path as id")
        found = counted(case, r"posts/(?!good-)[^/]+/index\.html", r"\bC\d+C\b")
        yield from exactly_once(found, [f"C{n}C" for n in range(len(ids))], "comments with a path as id")

    def slugs(case):
        case.json("Content/posts/p.json", [
            {"id": f"s{n}", "slug": t, "aliases": [t, t + "/x", "../" + t], "date": 1704067200 + n, "body": f"K{n}K"}
            for n, t in enumerate(ids)])

    def judge_slugs(case, result):
        yield from distinct_names(case)
        found = counted(case, r"posts/(?!good-)[^/]+/index\.html")
        yield from exactly_once(found, [f"K{n}K" for n in range(len(ids))], "posts with a path as slug")
        for file, content in pages(case, r"index\.html|404\.html|feed\.xml|posts/good-1/index\.html"):
            if b"http-equiv" in content.lower() and b"refresh" in content.lower():
                yield f"an alias took the place of {file}"

    def media(case):
        case.json("Content/posts/p.json", [
            {"id": f"s{n}", "date": 1704067200 + n, "body": f"K{n}K ![x]({t})", "media": [t, {"path": t}, {"path": t, "title": t}],
             "avatar": t, "author": f"a{n}"} for n, t in enumerate(ids)])

    def judge_media(case, result):
        yield from distinct_names(case)
        found = counted(case, r"posts/(?!good-)[^/]+/index\.html")
        yield from exactly_once(found, [f"K{n}K" for n in range(len(ids))], "posts with a path as attachment")
        for file in ("passwd", "win.ini", "environ", "authorized_keys", "canary.md", "canary.txt"):
            for path in case.out.rglob(file):
                yield f"copied {path.relative_to(case.out)} from outside the archive"

    def messages(case):
        case.lines("Content/channels/hostile/m.jsonl", [
            {"id": t, "author": t, "date": 1704067200 + n, "body": f"K{n}K", "topic": t, "replyTo": ids[n - 1]} for n, t in enumerate(ids)])

    def judge_messages(case, result):
        yield from distinct_names(case)
        found = counted(case, BUCKET.pattern.replace("[^/]+", "hostile", 1))
        yield from exactly_once(found, [f"K{n}K" for n in range(len(ids))], "messages with a path as id")
        anchors = anchors_of(case, "hostile")
        yield from (f"anchor m-{a!r} stands {n} times" for a, n in anchors.items() if n > 1)

    def topics(case):
        case.write("Content/channels/hostile/channel.yml", "view: topics\n")
        messages(case)

    def judge_topics(case, result):
        yield from distinct_names(case)
        found = counted(case, r"channels/hostile/topics/.*index\.html")
        yield from exactly_once(found, [f"K{n}K" for n in range(len(ids))], "messages with a path as topic")

    def files(case):
        for n, text in enumerate(ids):
            for where, suffix in (("posts", ".md"), ("pages", ".md"), ("static", ".txt"), ("media", ".png")):
                if "/" not in text and "\0" not in text:
                    case.write(f"Content/{where}/{text}{suffix}", f"---\ndate: 2024-01-01\n---\nK{n}K\n")
            if "/" not in text and "\0" not in text and text not in ("", ".", ".."):
                case.write(f"Content/channels/{text}/m.jsonl", json.dumps({"id": "1", "author": "a", "body": f"C{n}C"}))

    yield Trial("each as id, author, tag, topic of a post", posts, judge_posts, watched=True)
    yield Trial("each as slug and alias", slugs, judge_slugs, watched=True)
    yield Trial("each as attachment and avatar", media, judge_media, watched=True)
    yield Trial("each as id of a message", messages, judge_messages, watched=True)
    yield Trial("each as topic", topics, judge_topics, watched=True)
    given = {text + ".txt" for text in ids if "/" not in text and "\0" not in text}
    yield Trial("each as file, folder, channel", files, lambda case, result: distinct_names(case, given), watched=True)
    for n, text in enumerate(ids):
        if n % 5 == 0 or long:
            yield Trial(f"alone {n} {ascii(text)[:60]}", lambda case, t=text: (
                case.json("Content/posts/p.json", [{"id": t, "slug": t, "aliases": [t], "media": [t], "author": t, "body": "K1K"}]),
                case.write("Content/posts/f.md", f"---\nslug: {quoted(t)}\nurl: {quoted(t)}\naliases: [{quoted(t)}]\nlayout: {quoted(t)}\n---\nK2K\n")))


def unicode_names(long):
    names = strings("unicode-names.txt")

    def prepare(case):
        case.lines("Content/channels/hostile/m.jsonl", [
            {"id": f"n{n}", "author": name, "date": 1704067200 + n, "body": f"K{n}K", "tags": [name]} for n, name in enumerate(names)])
        case.json("Content/posts/p.json", [
            {"id": f"n{n}", "author": name, "title": name, "date": 1704067200 + n, "body": f"K{n}K", "tags": [name],
             "reactions": [{"name": name, "count": 1, "by": [name]}]} for n, name in enumerate(names)])

    def judge(case, result):
        yield from distinct_names(case)
        wanted = [f"K{n}K" for n in range(len(names))]
        yield from exactly_once(counted(case, BUCKET.pattern.replace("[^/]+", "hostile", 1)), wanted, "messages")
        yield from exactly_once(counted(case, r"posts/(?!good-)[^/]+/index\.html"), wanted, "posts")

    yield Trial("each as author, title, tag", prepare, judge)
    marks = "e" + "\u0301\u0316" * 40_000
    for where, record in {
        "id": {"id": marks}, "author": {"author": marks}, "title": {"title": marks}, "tag": {"tags": [marks]},
        "topic": {"topic": marks}, "key": {marks: 1}, "slug": {"slug": marks}, "parent": {"replyTo": marks}, "body": {"body": marks},
        "reaction": {"reactions": [{"name": marks, "count": 1}]}, "many ids": None,
    }.items():

        def long_marks(case, record=record):
            rows = [{"author": "a", "date": 1704067200, "body": "K0K", **record}] if record else [
                {"id": f"{n}" + "\u0301\u0316" * 200, "author": f"{n}" + "\u0316\u0301" * 200, "body": "x"} for n in range(500)]
            case.lines("Content/channels/hostile/m.jsonl", rows)
            case.json("Content/posts/p.json", rows)

        # As JSON they are about a megabyte, the many ids five.
        yield Trial(f"160 KB of combining marks as {where}", long_marks, seconds=1 if record else 5)


def markdown(long):
    cases = json.loads((HOSTILE / "markdown-pathological" / "pathological.json").read_text("utf-8"))["cases"]
    for entry in cases:
        size = entry["bytes"]
        seconds, memory = 2 + size / 1e6, (64 << 20) + 40 * size

        def as_post(case, entry=entry):
            case.json("Content/posts/p.json", [{"id": "p", "date": "2024-05-03", "title": "t", "body": "K1K\n\n" + recipe(entry)}])

        def judge(case, result):
            return exactly_once(counted(case, r"posts/p/index\.html"), ["K1K"], "posts")

        yield Trial(f"post {entry['name']}", as_post, judge, seconds, memory)

        def as_message(case, entry=entry):
            case.lines("Content/channels/hostile/m.jsonl", [{"id": "p", "author": "a", "date": "2024-05-03", "body": "K1K " + recipe(entry)}])

        if long:
            yield Trial(f"message {entry['name']}", as_message, lambda case, result: exactly_once(
                counted(case, BUCKET.pattern.replace("[^/]+", "hostile", 1)), ["K1K"], "messages"), seconds, memory)
    worst = {entry["name"]: recipe(entry)[:4000] for entry in cases}
    mixtures = {"each in turn": list(worst.values())}
    for name, text in worst.items():
        if long or name.startswith("4000-char"):
            mixtures[name] = [text]
    for name, bodies in mixtures.items():

        def thousand(case, bodies=bodies):
            case.lines("Content/channels/hostile/m.jsonl", [
                {"id": f"k{n}", "author": "a", "date": 1704067200 + n, "body": f"K{n}K\n\n" + bodies[n % len(bodies)]} for n in range(1000)])

        yield Trial(f"1,000 messages of 4,000 characters, {name}", thousand, lambda case, result: exactly_once(
            counted(case, BUCKET.pattern.replace("[^/]+", "hostile", 1)), [f"K{n}K" for n in range(1000)], "messages"))


SECTIONS = {
    "json-suite": json_suite, "json-own": json_own, "front-matter": front_matter, "utf8": utf8, "paths": paths,
    "unicode-names": unicode_names, "markdown": markdown,
}
