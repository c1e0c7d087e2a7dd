"""The archive that torture_build.py builds: of 2,000 messages at full length, in two versions."""

import hashlib
import json
import os
import pathlib
import shutil

from torturelib import TEMPORARY

MONTH = 2_678_400
BASE = 1704067200


def lines(values):
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def message(channel, n, step, **more):
    return {"id": f"{channel}{n}", "author": ("ada", "bo", "chi")[n % 3], "date": BASE + n * step,
            "body": f"Message {n} of {channel}, *not long*, 第{n}則"} | more


def content(version, messages):
    """The files of an archive by path. "new" has other messages and posts than "old", and fewer files."""
    is_new = version == "new"
    chat = [message("c", n, 12 * MONTH // messages) for n in range(messages * 7 // 10)]
    board = [message("b", n, 4000) for n in range(messages * 3 // 20)]
    topics = [message("t", n, 9000, topic=f"Topic {n % 7}", **({"replyTo": f"t{n - 7}"} if n > 7 else {}))
              for n in range(messages * 3 // 20)]
    posts = range(3 if is_new else 0, 30 if is_new else 12)
    if is_new:
        chat[len(chat) // 2]["body"] = "Changed in the middle"
        chat += [message("c", len(chat) + n, 12 * MONTH // messages, body=f"Later {n}") for n in range(5)]
        board[3] |= {"body": "Changed and moved to the front", "updated": BASE + 2 * MONTH}
        del topics[-3:]
    files = {
        "stillfeed.yml": b"title: Torture\nbaseURL: https://torture.example.org/\ntimeZone: Asia/Taipei\nself: [ada]\n",
        "Content/people.yml": b"- id: ada\n  name: Ada\n- id: bo\n  name: Bo\n- id: chi\n  name: Chi\n",
        "Content/channels/chat/channel.yml": b"title: Chat\n",
        "Content/channels/chat/a.jsonl": lines(chat[: len(chat) // 2]),
        "Content/channels/chat/b.jsonl": lines(chat[len(chat) // 2:]),
        "Content/channels/board/channel.yml": b"title: Board\nview: board\n",
        "Content/channels/board/all.json": json.dumps(board, indent=1).encode(),
        "Content/channels/list/channel.yml": b"title: List\nview: topics\n",
        "Content/channels/list/all.jsonl": lines(topics),
        "Content/pages/about.md": b"---\ntitle: About\n---\n\nAbout %s.\n" % version.encode(),
        "Content/static/CNAME": b"torture.example.org\n",
        "Content/static/.well-known/x.txt": version.encode(),
        "Content/media/a.txt": b"attached\n",
        "Content/comments/post-5.jsonl": lines(
            message("k", n, 500, **({"parent": f"k{n // 2}"} if n % 3 else {})) for n in range(40 if is_new else 30)),
    }
    if is_new:
        # Pages that weren't there: they must not be seen half either.
        files["Content/channels/news/a.jsonl"] = lines(message("n", n, MONTH) for n in range(24))
    for n in posts:
        files[f"Content/posts/2024-01-{n + 1:02}-post-{n}.md"] = (
            f"---\ntitle: Post {n}\nauthor: ada\ntags: [t{n % 4}]\n"
            f"{'media: [a.txt]' if n == 6 else 'likes: 3'}\n---\n\nText {n}{' anew' if is_new and n % 3 == 0 else ''}.\n"
        ).encode()
    return files


def read_tree(folder):
    """Path to hash of every file below a folder; an empty one where there is none."""
    found = {}
    for at, folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if os.path.islink(path):
                found[os.path.relpath(path, folder)] = "link to " + os.readlink(path)
            else:
                with open(path, "rb") as stream:
                    found[os.path.relpath(path, folder)] = hashlib.blake2b(stream.read(), digest_size=16).hexdigest()
    return found


def differences(wanted, found):
    """A few words on how two trees differ; empty where they don't."""
    words = [f"{word} {sorted(paths)[:4]}" for word, paths in (
        ("missing", wanted.keys() - found.keys()), ("too many", found.keys() - wanted.keys()),
        ("other bytes", {p for p in wanted.keys() & found.keys() if wanted[p] != found[p]})) if paths]
    return ", ".join(words)


class Site:
    """An archive at a fixed path with its output in `Site`, begun anew for each round."""

    def __init__(self, torture, root):
        self.torture, self.root = torture, pathlib.Path(root)
        self.out = self.root / "Site"
        self.files = {}

    def begin(self, files):
        """The files, and nothing else."""
        if self.root.exists():
            shutil.rmtree(self.root)
        self.files = {}
        self.change(files)

    def change(self, files):
        """Makes the archive hold these files, as an editor would: only what differs is touched."""
        for path in self.files.keys() - files.keys():
            (self.root / path).unlink()
        for path, content in files.items():
            if self.files.get(path) != content:
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_bytes(content)
        self.files = dict(files)

    def words(self, *options):
        return [self.torture.binary, "build", "-C", str(self.root), "--no-color", *options]

    def build(self, *options, before=(), **more):
        return self.torture.execute(self.words(*options), before, **more)

    @property
    def tree(self):
        return read_tree(self.out)

    def has_content(self):
        """Whether each file of the archive is as it was written."""
        return all((self.root / path).read_bytes() == content for path, content in self.files.items())

    def leftovers(self):
        """What no build leaves behind when it was not broken off."""
        return [str(p.relative_to(self.root)) for p in self.root.rglob("*")
                if TEMPORARY in p.name or p.name.endswith(".stillfeed-new") or p.name.startswith("pending-")]

    def paths(self):
        """All folders and files, and those of an output that has no name yet."""
        found = [self.root, *self.root.rglob("*")]
        staging = self.root / ".Site.stillfeed-new"
        return [str(p) for p in found] + [
            str(staging / p.relative_to(self.out)) for p in found if p.is_relative_to(self.out)]
