#!/usr/bin/env python3
"""Writes an archive of any size, the same for the same numbers: posts with comments, a channel.

usage: generate.py FOLDER [--posts N] [--comments N] [--messages N] [--hugo FOLDER]
Six comments a post by default. Texts mix Latin, Chinese, Cyrillic and Hebrew, emoji, links and Markdown.
`--hugo` writes the same posts for Hugo, their comments below the text, with lists by author and tag.
"""
import argparse
import datetime
import json
import pathlib
import random

WORDS = (
    "rain ridge harbour noodle window slow walk fern stone river paper tea lamp moss late early again never "
    "梅雨 步道 山頂 茶店 昨天 大家 慢慢 走 дорога дождь вечер שלום גשם 🌧️ 🍜 ⛰️"
).split()
PEOPLE = [f"person{number}" for number in range(40)]
TAGS = ["weather", "food", "maps", "公告", "letters", "tools"]
START = datetime.datetime(2012, 1, 1, tzinfo=datetime.timezone.utc)


def sentence(dice: random.Random, low: int, high: int) -> str:
    words = [dice.choice(WORDS) for _ in range(dice.randint(low, high))]
    chance = dice.random()
    if chance < 0.08:
        words[0] = f"**{words[0]}**"
    elif chance < 0.14:
        words.append("https://example.org/" + dice.choice(WORDS[:18]))
    elif chance < 0.18:
        words.append("@" + dice.choice(PEOPLE))
    return " ".join(words) + dice.choice([".", "。", "!", "?"])


def text(dice: random.Random, paragraphs: int) -> str:
    return "\n\n".join(" ".join(sentence(dice, 6, 18) for _ in range(4)) for _ in range(paragraphs))


def stamp(minutes: int) -> str:
    return (START + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def write(path: pathlib.Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--posts", type=int, default=1000)
    parser.add_argument("--comments", type=int, default=6, help="a post")
    parser.add_argument("--messages", type=int, default=0)
    parser.add_argument("--hugo", type=pathlib.Path)
    options = parser.parse_args()
    dice = random.Random(1)
    base = "https://bench.example.org/"
    write(options.folder / "stillfeed.yml", f"title: Benchmark\nbaseURL: {base}\nself: [person0]\n")
    people = "".join(f"- id: {person}\n  name: {person.title()}\n" for person in PEOPLE)
    write(options.folder / "Content/people.yml", people)
    if options.hugo:
        write(
            options.hugo / "hugo.toml",
            f'title = "Benchmark"\nbaseURL = "{base}"\n[pagination]\npagerSize = 20\n'
            '[taxonomies]\nauthor = "authors"\ntag = "tags"\n',
        )
        page = "<!doctype html><title>{{ .Title }}</title><h1>{{ .Title }}</h1>"
        items = '{{ range .Paginator.Pages }}<article><a href="{{ .RelPermalink }}">{{ .Date }}</a>{{ .Content }}</article>{{ end }}'
        thread = '{{ range .Params.comments }}<article><b>{{ .author }}</b> {{ .date }} {{ .body | markdownify }}</article>{{ end }}'
        write(options.hugo / "layouts/_default/single.html", page + "{{ .Content }}" + thread)
        write(options.hugo / "layouts/_default/list.html", page + items)
    for number in range(options.posts):
        minutes = number * 240
        slug = f"post-{number:06}"
        head = {
            "author": dice.choice(PEOPLE), "date": stamp(minutes),
            "tags": dice.sample(TAGS, dice.randint(0, 2)), "likes": dice.randint(0, 40),
        }
        body = text(dice, dice.randint(1, 4))
        comments = []
        for position in range(options.comments):
            comment = {
                "id": str(position), "author": dice.choice(PEOPLE),
                "date": stamp(minutes + 1 + position), "body": sentence(dice, 3, 24),
            }
            if position and dice.random() < 0.5:
                comment["parent"] = str(dice.randrange(position))
            comments.append(comment)
        matter = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in head.items())
        write(options.folder / f"Content/posts/{number // 1000:03}/{slug}.md", f"---\n{matter}---\n{body}\n")
        if comments:
            lines = "".join(json.dumps(comment, ensure_ascii=False) + "\n" for comment in comments)
            write(options.folder / f"Content/comments/{slug}.jsonl", lines)
        if options.hugo:
            fields = dict(head, authors=[head.pop("author")], title=slug, comments=comments)
            fields.pop("author")
            content = json.dumps(fields, ensure_ascii=False) + "\n\n" + body + "\n"
            write(options.hugo / f"content/posts/{number // 1000:03}/{slug}.md", content)
    if options.messages:
        write(options.folder / "Content/channels/chat/channel.yml", "title: Chat\nview: chat\npages: day\n")
        minutes = 0
        lines: list[str] = []
        for number in range(options.messages):
            minutes += dice.choice([0, 0, 1, 1, 2, 5, 30])
            message = {
                "id": str(number), "author": dice.choice(PEOPLE), "date": stamp(minutes),
                "body": sentence(dice, 2, 20),
            }
            if number and dice.random() < 0.1:
                message["replyTo"] = str(number - dice.randint(1, min(number, 50)))
            lines.append(json.dumps(message, ensure_ascii=False) + "\n")
            if len(lines) == 50_000 or number + 1 == options.messages:
                write(options.folder / f"Content/channels/chat/{number // 50_000:04}.jsonl", "".join(lines))
                lines = []


if __name__ == "__main__":
    main()
