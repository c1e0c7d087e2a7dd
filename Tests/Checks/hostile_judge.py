"""What hostile.py asks of a build, whatever was put in."""

import re
import unicodedata
from collections import Counter

from checklib import attributes, site_files
from selectolax.lexbor import LexborHTMLParser

SECONDS, MEMORY = 10.0, 512 << 20
# The last day of the year 9999 is in 10000 east of Greenwich.
BUCKET = re.compile(r"channels/[^/]+/(undated|\d{4,5}(/\d\d){0,2})(/\d+)?/index\.html")


def limits(result, seconds=SECONDS, memory=MEMORY, exits=(0,)):
    """No signal, in time, within memory, and an exit status that was to be expected."""
    if result.timed_out:
        yield f"was stopped after {result.seconds:.1f} s"
    elif result.died:
        yield f"ended by status {result.status}: {result.stderr.strip()[-300:]}"
    elif result.status not in exits:
        yield f"exit {result.status}: {result.stderr.strip()[-300:]}"
    if result.seconds > seconds and not result.timed_out:
        yield f"took {result.seconds:.1f} s, over {seconds:.1f}"
    if result.memory > memory:
        yield f"took {result.memory >> 20} MB, over {memory >> 20}"


def pages(case, pattern):
    if case.out.exists():
        for file in site_files(case.out):
            if re.fullmatch(pattern, file):
                yield file, (case.out / file).read_bytes()


def texts(content):
    """The users' texts of a page."""
    for node in LexborHTMLParser(content).css(".e-content"):
        if node.parent is not None and not inside_text(node.parent):
            yield node.text(deep=True)


def inside_text(node):
    while node is not None:
        if node.is_element_node and "e-content" in attributes(node).get("class", "").split():
            return True
        node = node.parent
    return False


def counted(case, pattern, marker=r"\bK\d+K\b"):
    """How often each marker stands in users' texts of the pages whose path matches."""
    found = Counter()
    for _, content in pages(case, pattern):
        for text in texts(content):
            found.update(re.findall(marker, text))
    return found


def exactly_once(found, wanted, what):
    """Findings when a marker is missing or stands twice."""
    missing = [w for w in wanted if found[w] == 0]
    twice = [w for w in wanted if found[w] > 1]
    if missing:
        yield f"{len(missing)} of {len(wanted)} {what} not shown, such as {missing[:3]}"
    if twice:
        yield f"{len(twice)} of {len(wanted)} {what} shown more than once, such as {twice[:3]}"


def distinct_names(case, given=()):
    """Names that a case-folding or normalising file system keeps apart, of at most 255 bytes.

    `given` are names of static files, which are copied as they are, so that they may hold control characters.
    """
    seen = {}
    for file in site_files(case.out) if case.out.exists() else ():
        try:
            file.encode("utf-8")
        except UnicodeEncodeError:
            yield f"a name that is not UTF-8: {file!r}"
            continue
        key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", file).casefold())
        if key in seen:
            yield f"'{file}' and '{seen[key]}' are one file where case is folded"
        seen[key] = file
        for part in file.split("/"):
            if len(part.encode()) > 255:
                yield f"a name of {len(part.encode())} bytes: {part[:40]}"
            controls = file not in given and any(unicodedata.category(c) == "Cc" for c in part)
            if part in (".", "..") or controls:
                yield f"a bad name: {part!r}"


def add_good(case):
    """Good neighbours: two posts, comments, a channel. `good_shown` asks for them."""
    case.write("stillfeed.yml", "title: Hostile\nbaseURL: https://still.example/\n")
    case.write("Content/posts/good-1.md", "---\ntitle: Good one\ndate: 2024-05-01\n---\n\nGood G1G stands.\n")
    case.json("Content/posts/good-2.json", {
        "id": "good-2", "author": "Ada", "date": "2024-05-02T10:00:00Z", "body": "Good G2G stands.",
        "comments": [{"id": "good-c1", "author": "Bob", "date": "2024-05-02T11:00:00Z", "body": "Good G3G stands.",
                      "replies": [{"id": "good-c2", "author": "Ada", "date": "2024-05-02T12:00:00Z", "body": "Good G4G stands."}]}],
    })
    case.lines("Content/channels/good/m.jsonl", [
        {"id": f"good-{n}", "author": "Ada", "date": f"2024-05-0{n - 4}T10:00:00Z", "body": f"Good G{n}G stands."} for n in (5, 6, 7)
    ])


def good_shown(case):
    posts = counted(case, r"posts/good-[12]/index\.html", r"\bG\dG\b")
    yield from exactly_once(posts, ["G1G", "G2G", "G3G", "G4G"], "good posts and comments")
    messages = counted(case, BUCKET.pattern.replace("[^/]+", "good", 1), r"\bG\dG\b")
    yield from exactly_once(messages, ["G5G", "G6G", "G7G"], "good messages")


def named(result, file, line=None):
    """The bad record is named on standard error."""
    text = result.stderr
    if file not in text:
        yield f"{file} is not named on standard error"
    elif line is not None and not re.search(re.escape(file) + rf":{line}\b", text):
        yield f"{file}:{line} is not named on standard error"
