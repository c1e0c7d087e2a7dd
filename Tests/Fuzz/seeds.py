#!/usr/bin/env python3
"""Writes the inputs that fuzzing begins with, from Tests/Fixtures.  usage: seeds.py FOLDER"""

import hashlib
import json
import sys
from pathlib import Path

FIXTURES = Path(__file__).resolve().parent.parent / "Fixtures"
LARGEST = 4096


def texts(value):
    """Every string in a JSON value."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value.encode("utf-8", "replace")
        elif isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value


def lines(path):
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield from texts(json.loads(line))


def files(*patterns):
    for pattern in patterns:
        for path in sorted(FIXTURES.glob(pattern)):
            if path.is_file():
                yield path.read_bytes()


def fields(pattern, *names):
    for path in sorted(FIXTURES.glob(pattern)):
        pending = [json.loads(path.read_text("utf-8"))]
        while pending:
            value = pending.pop()
            if isinstance(value, dict):
                yield from (value[name].encode() for name in names if isinstance(value.get(name), str))
                pending += value.values()
            elif isinstance(value, list):
                pending += value


def escaped(inputs):
    """Texts as JSON strings, each way of writing what isn't ASCII, with and without the quotes."""
    for content in inputs:
        for ascii_only in (True, False):
            written = json.dumps(content.decode("utf-8", "replace"), ensure_ascii=ascii_only)
            yield b'{"body": ' + written.encode("utf-8", "replace") + b"}"
            yield written[1:-1].encode("utf-8", "replace")


def main():
    hostile = list(lines(FIXTURES / "markup-hostile/payloads.jsonl"))
    seeds = {
        "json": files("json/test_parsing/*", "json/own/*", "comments/**/*.json"),
        "strings": [*files("json/test_parsing/*", "json/own/*", "comments/**/*.json"), *escaped(hostile)],
        "frontmatter": files("hostile/front-matter/*", "markdown/**/*.md", "markdown/**/*.html"),
        "markdown": [*fields("commonmark/spec*.json", "markdown"), *files("markdown/**/*.md"), *hostile],
        "html": [*fields("commonmark/spec*.json", "html"), *files("markdown/**/*.html"), *hostile],
        "dates": texts(json.loads((FIXTURES / "hostile/structure/dates.json").read_text("utf-8"))["dates"]),
        "mustache": [*fields("mustache/*.json", "template"), *files("../../Templates/*.mustache")],
    }
    for target, inputs in seeds.items():
        folder = Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for content in (*inputs, *files(f"fuzz/{target}/*")):
            (folder / hashlib.sha1(content).hexdigest()).write_bytes(content[:LARGEST])


if __name__ == "__main__":
    main()
