#!/usr/bin/env python3
"""A stand-in for the product in the self-tests of xss.py and hostile.py: a few pages, and FAULT to order.

FAULT= (sound) | raw-author | raw-attribute | raw-url | raw-jsonld | template | stray | crash | unnamed |
lose | twice | slow | greedy | fold | follow | refuse | peek | zone | order | clock | folder | jobs-count | rewrite
"""

import hashlib
import html
import json
import os
import re
import sys
import time

FAULT = os.environ.get("FAULT", "")
archive = sys.argv[sys.argv.index("-C") + 1] if "-C" in sys.argv else "."
out = sys.argv[sys.argv.index("-o") + 1]


def say(file, line, words):
    if FAULT != "unnamed":
        print(f"{os.path.relpath(file, archive)}:{line}: warning: {words}", file=sys.stderr)


def name_for(identity, taken):
    plain = re.fullmatch(r"[a-z0-9-]{1,60}", identity) and identity not in ("con", "nul", "aux", "prn")
    if FAULT == "fold" and re.fullmatch(r"[A-Za-z0-9-]{1,60}", identity):
        plain = True
    name = identity if plain else "x" + hashlib.sha1(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    while name in taken:
        name += "-2"
    taken.add(name)
    return name


def records(path):
    """(line, record) of a JSON, JSON lines or Markdown file."""
    if os.path.islink(path) and FAULT != "follow" or not os.path.isfile(path):
        say(path, 1, "is no file of the archive")
        return
    try:
        raw = open(path, "rb").read()
    except OSError as error:
        say(path, 1, error.strerror)
        sys.exit(1)
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        say(path, raw[: error.start].count(b"\n") + 1, "not UTF-8")
    if path.endswith(".md"):
        match = re.match(r"---\n(.*?)\n?---\n(.*)", text, re.DOTALL)
        record = {"body": match.group(2) if match else text}
        for line in (match.group(1).split("\n") if match else ()):
            key, _, value = line.partition(": ")
            try:
                record[key] = json.loads(value)
            except (ValueError, RecursionError):
                record[key] = value
        record.setdefault("id", os.path.basename(path)[:-3])
        yield 1, record
        return
    if path.endswith(".jsonl"):
        for number, line in enumerate(raw.split(b"\n"), 1):
            if line.strip():
                try:
                    yield number, json.loads(line.decode("utf-8", "replace"))
                except (ValueError, RecursionError):
                    say(path, number, "no JSON")
                    continue
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    say(path, number, "not UTF-8")
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        say(path, 1, "no JSON")
        return
    for record in value if isinstance(value, list) else [value]:
        yield 1, record


def gather(folder):
    for at, folders, files in os.walk(os.path.join(archive, "Content", folder)):
        folders.sort()
        for file in files if FAULT == "order" else sorted(files):
            path = os.path.join(at, file)
            if file.endswith((".json", ".jsonl", ".md")):
                for line, record in records(path):
                    if isinstance(record, dict):
                        yield path, record
                    else:
                        say(path, line, "no record")


def flat(comments):
    stack = list(reversed(comments if isinstance(comments, list) else []))
    while stack:
        comment = stack.pop()
        if isinstance(comment, dict):
            yield comment
            stack.extend(reversed(comment.get("comments") or comment.get("replies") or []))


def shown(text):
    return html.escape(str(text)).replace("\0", "\ufffd")


def entry(record, tag, identity):
    author = record.get("author", "")
    author = str(author) if FAULT == "raw-author" else shown(author)
    title = str(record.get("title", "")).replace("<", "&lt;") if FAULT == "raw-attribute" else shown(record.get("title", ""))
    avatar = shown(record.get("avatar", "")) if FAULT == "raw-url" else "#"
    body = shown(record.get("body", ""))
    return (f'<{tag} id="{shown(identity)}" title="{title}"><a class="p-author" href="{avatar}">{author}</a>'
            f'<div class="e-content">{body}</div></{tag}>')


def page(path, title, main, data=None):
    if FAULT == "template":
        title = re.sub(r"\{\{.*?\}\}|[$#]\{.*?\}", "", title)
    block = ""
    if data is not None:
        text = json.dumps(data)
        if FAULT != "raw-jsonld":
            text = text.replace("<", "\\u003c")
        block = f'<script type="application/ld+json">{text}</script>'
    path = os.path.join(out, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    odd = {"zone": os.environ.get("TZ"), "clock": time.time(), "folder": os.getcwd(), "jobs-count": sys.argv[-1]}.get(FAULT, "x")
    content = (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{odd}</title>{block}</head>'
               f"<body><main><h1>{shown(title)}</h1>{main}</main></body></html>").encode("utf-8", "replace")
    if FAULT != "rewrite" and os.path.exists(path) and open(path, "rb").read() == content:
        return
    with open(path, "wb") as stream:
        stream.write(content)


def main():
    if FAULT == "refuse":
        print("error: refused", file=sys.stderr)
        return 1
    if FAULT == "stray":
        open(os.path.join(os.path.dirname(out), "stray.html"), "w").close()
    for name in sorted(os.listdir(os.path.join(archive, "Content", "media"))) if os.path.isdir(os.path.join(archive, "Content", "media")) else ():
        if not os.path.isfile(path := os.path.join(archive, "Content", "media", name)):
            say(path, 1, "is no file of the archive")
    if FAULT == "peek":
        open("/etc/passwd").close()
    if FAULT == "slow":
        time.sleep(5)
    block = bytearray(700 << 20) if FAULT == "greedy" else None
    taken, comments = set(), {}
    for path, record in gather("comments"):
        comments.setdefault(os.path.basename(path).split(".")[0], []).append(record)
    posts = list(gather("posts"))
    for _, record in posts:
        if FAULT == "crash" and "svg" in json.dumps(record):
            os.abort()
        identity = str(record.get("slug") or record.get("id") or "x")
        nested = list(flat(record.get("comments"))) + comments.get(identity, [])
        if FAULT == "lose":
            nested = nested[:-1]
        seen = {}
        main = entry(record, "article", "entry")
        for number, comment in enumerate(nested):
            anchor = f"c-{comment.get('id', number)}"
            seen[anchor] = seen.get(anchor, 0) + 1
            main += entry(comment, "section", anchor + (f"-{seen[anchor]}" if seen[anchor] > 1 else ""))
        page(f"posts/{name_for(identity, taken)}/index.html", str(record.get("title", "untitled")), main, {"@context": "x", "text": record.get("body")})
    channels = {}
    for path, record in gather("channels"):
        channel = os.path.relpath(path, os.path.join(archive, "Content", "channels")).split("/")[0]
        channels.setdefault(channel, []).append(record)
    taken = set()
    for channel, messages in channels.items():
        if FAULT == "lose":
            messages = messages[:-1]
        if FAULT == "twice":
            messages = messages * 2
        seen, main = {}, ""
        for number, message in enumerate(messages):
            anchor = f"m-{message.get('id', number)}"
            seen[anchor] = seen.get(anchor, 0) + 1
            main += entry(message, "section", anchor + (f"-{seen[anchor]}" if seen[anchor] > 1 else ""))
        page(f"channels/{name_for(channel, taken)}/2024/01/index.html", channel, main)
    page("index.html", "Home", "".join(entry(record, "article", str(n)) for n, (_, record) in enumerate(posts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
