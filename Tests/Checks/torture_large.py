#!/usr/bin/env python3
"""Holds `stillfeed build` to bounds of time, memory and page size for large archives and large items.

usage: torture_large.py [STILLFEED_BINARY] [--long] [--only NAME]

archive       10^5 messages (long: 10^6) under `ulimit -v` and, as root, under a memory cgroup of 1 GiB: the
              peak is at most 500 MB and five times that of a tenth of them
items         a message of 10 MB; a post with 100,000 comments (short: 10,000); 10^5 files (short: 10^4)
chains        a post with 10^6 comments (short: 10^5), each an answer to the one before it, to itself, or in a ring, on
              stacks of 512 and 128 KB: each shown once, in 1.5 times what comments without parents take
long_entries  many long posts, comments and messages: every page at most 500 KB unless one entry alone is larger

Prints the figures of each; exits 0 if all held.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from torturelib import EPOCH, Torture, run

ADDRESS_SPACE = 2 << 20  # KB, for `ulimit -v`: the address space, of which memory is a part
CGROUP = 1 << 30
PAGE = 500_000
WORDS = "rain ridge harbour noodle window slow walk fern stone river paper tea 梅雨 步道 山頂 茶店 昨天".split()
MINUTE = 60


def text(seed, size):
    """About `size` bytes of words in paragraphs."""
    parts, length, number = [], 0, seed
    while length < size:
        number = (number * 1103515245 + 12345) & 0x7FFFFFFF
        word = WORDS[number % len(WORDS)] + ("\n\n" if number % 97 == 0 else " ")
        parts.append(word)
        length += len(word.encode())
    return "".join(parts)


class LargeTorture(Torture):
    def begin(self, name):
        root = self.base / name
        (root / "Content").mkdir(parents=True)
        (root / "stillfeed.yml").write_text("title: Large\nbaseURL: https://large.example.org/\n")
        return root

    def write_messages(self, path, count, body, **more):
        """JSON lines; `more` are functions of the number that give further fields."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # In a process of its own: what this one grows to would count as the peak of what it starts.
        if child := os.fork():
            if os.waitpid(child, 0)[1] != 0:
                raise OSError(f"{path} could not be written")
            return
        status = 1
        try:
            with open(path, "w", encoding="utf-8") as stream:
                for n in range(count):
                    message = {"id": f"m{n}", "author": f"person{n % 50}", "date": 1262304000 + n * 7 * MINUTE, "body": body(n)}
                    message |= {name: value(n) for name, value in more.items()}
                    stream.write(json.dumps(message, ensure_ascii=False) + "\n")
            status = 0
        finally:
            os._exit(status)

    def measured(self, what, root, before=(), seconds=None, memory=500):
        """Builds, and gives seconds and peak memory in MB."""
        start = time.monotonic()
        process = subprocess.Popen(
            [*before, self.binary, "build", "-C", str(root), "-q"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, env=dict(os.environ, SOURCE_DATE_EPOCH=EPOCH, LC_ALL="C.UTF-8"))
        words = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        took, peak = time.monotonic() - start, usage.ru_maxrss / 1024
        self.work = usage.ru_utime + usage.ru_stime
        if process.returncode != 0:
            self.fail(f"{what}: ended with {process.returncode}: {words[-500:].decode(errors='replace')}")
        if seconds and took > seconds:
            self.fail(f"{what}: took {took:.1f} s")
        if peak > memory:
            self.fail(f"{what}: peak of {peak:.0f} MB")
        return took, peak

    # B6: many messages in little memory.
    def archive(self):
        large = 1_000_000 if self.is_long else 100_000
        figures, peaks = [], {}
        for count in (large // 10, large):
            root = self.begin(f"m{count}")
            self.write_messages(root / "Content/channels/chat/all.jsonl", count, lambda n: text(n, 40 + n * 7 % 160))
            took, peaks[count] = self.measured(f"{count} messages", root, ["sh", "-c", f'ulimit -v {ADDRESS_SPACE}; exec "$@"', "sh"])
            shown = sum(page.read_bytes().count(b'id="m-') for page in (root / "Site/channels/chat").rglob("index.html")
                        if page.parent.parent.name != "channels")
            if shown < count:
                self.fail(f"{count} messages: {shown} shown")
            figures.append(f"{count} messages in {took:.1f} s and {peaks[count]:.0f} MB")
            if count < large:
                shutil.rmtree(root)
        if peaks[large] > 5 * peaks[large // 10]:
            self.fail(f"ten times the messages take {peaks[large] / peaks[large // 10]:.1f} times the memory")
        shutil.rmtree(root / "Site")
        shutil.rmtree(root / ".stillfeed")
        if group := Cgroup.make(CGROUP):
            took, peak = self.measured(f"{large} messages in a cgroup", root, group.before)
            group.remove()
            figures.append(f"again under a cgroup of 1 GiB in {took:.1f} s")
        else:
            figures.append("SKIPPED: a memory cgroup, which can't be made here")
        shutil.rmtree(root)
        return ", ".join(figures)

    # B7: one big item.
    def items(self):
        scale = 1 if self.is_long else 10
        figures = []
        root = self.begin("big-message")
        big = 10_000_000
        self.write_messages(root / "Content/channels/chat/a.jsonl", 100, lambda n: text(n, big if n == 50 else 100))
        figures.append(self.item("a message of 10 MB", root, largest=big))
        root = self.begin("comments")
        (root / "Content/posts").mkdir()
        (root / "Content/posts/p.md").write_text("---\ndate: 2010-01-01\n---\n\nA post.\n")
        self.write_messages(root / "Content/comments/p.jsonl", 100_000 // scale, lambda n: text(n, 100))
        figures.append(self.item(f"{100_000 // scale} comments", root))
        root = self.begin("files")
        media = root / "Content/media"
        media.mkdir()
        for n in range(100_000 // scale):
            (media / f"f{n}.txt").write_text(f"file {n}\n")
        self.write_messages(root / "Content/channels/chat/a.jsonl", 100_000 // scale, lambda n: "", media=lambda n: [f"f{n}.txt"])
        figures.append(self.item(f"{100_000 // scale} files", root))
        return ", ".join(figures)

    def item(self, what, root, largest=0):
        took, peak = self.measured(what, root, seconds=30)
        page = self.judge_pages(what, root, largest)
        shutil.rmtree(root)
        return f"{what} in {took:.1f} s and {peak:.0f} MB (largest page {page // 1000} KB)"

    def judge_pages(self, what, root, largest=0):
        """No page but one of a single large entry is larger than it may be."""
        pages = [(p.stat().st_size, str(p.relative_to(root / "Site"))) for p in (root / "Site").rglob("*.html")]
        for size, path in sorted(pages, reverse=True)[:8]:
            # Text may grow by its tags and escapes.
            if size > max(PAGE, 1.2 * largest + PAGE if largest else 0):
                self.fail(f"{what}: {path} has {size // 1000} KB")
        return max(pages)[0] if pages else 0

    # B5: answers to answers.
    def chains(self):
        count = 1_000_000 if self.is_long else 100_000
        parents = {
            "flat": lambda n: None, "chain": lambda n: f"m{n - 1}" if n else None, "ring": lambda n: f"m{(n + 1) % count}",
            "self": lambda n: f"m{n}"}
        times, figures = {}, []
        # In memory: a chain has twice the pages, and how fast a disk makes files isn't the point.
        base, self.base = self.base, pathlib.Path(tempfile.mkdtemp(prefix="torture-", dir=memory_folder()))
        try:
            for name, parent in parents.items():
                root = self.begin(name)
                (root / "Content/posts").mkdir()
                (root / "Content/posts/p.md").write_text("---\ndate: 2010-01-01\n---\n\nA post.\n")
                self.write_messages(root / "Content/comments/p.jsonl", count, lambda n: f"K{n}K", parent=parent)
                for stack in (None, 512, 128):
                    what = f"{name} of {count} comments" + (f" on stacks of {stack} KB" if stack else "")
                    before = ["prlimit", f"--stack={stack << 10}"] if stack else []
                    took, peak = self.measured(what, root, before)
                    # What else the machine does isn't in the time of its processors.
                    times[name] = min(self.work, times.get(name, self.work))
                    self.judge_comments(what, root, count)
                    figures.append(f"{name}{f' ({stack} KB)' if stack else ''} {took:.1f} s {peak:.0f} MB")
                    shutil.rmtree(root / "Site")
                    shutil.rmtree(root / ".stillfeed")
                shutil.rmtree(root)
        finally:
            shutil.rmtree(self.base, ignore_errors=True)
            self.base = base
        for name, took in times.items():
            work = took / times["flat"]
            figures.append(f"{name} {work:.2f} times the work")
            if work > 1.5:
                self.fail(f"{name} of {count} comments: {work:.2f} times the work of comments without parents")
        return f"{count} comments: " + ", ".join(figures)

    def judge_comments(self, what, root, count):
        """Each comment stands once in the pages of the post."""
        shown = bytearray(count)
        for page in (root / "Site/posts/p").rglob("index.html"):
            for number in re.findall(rb"<p>K(\d+)K</p>", page.read_bytes()):
                shown[int(number)] += 1
        if odd := [n for n in range(count) if shown[n] != 1]:
            self.fail(f"{what}: {len(odd)} are not shown just once, such as {odd[:3]}")

    # B7: pages of long entries.
    def long_entries(self):
        figures = []
        for kind, view in (("chat", "chat"), ("board", "board"), ("topics", "topics"), ("posts", None), ("comments", None), ("thread", None)):
            root = self.begin(f"long-{kind}")
            count, size = 400, 20_000
            body = lambda n: text(n, size)  # noqa: E731
            (root / "Content/posts").mkdir()
            if view:
                path = root / f"Content/channels/{kind}/a.jsonl"
                more = {"topic": lambda n: f"Topic {n // 200}"} if view == "topics" else {}
                self.write_messages(path, count, body, **more)
                (path.parent / "channel.yml").write_text(f"view: {view}\n")
            elif kind == "posts":
                for n in range(count):
                    (root / f"Content/posts/p{n}.md").write_text(
                        f"---\ndate: 2010-01-01T00:{n // 60:02}:{n % 60:02}\nauthor: ada\ntags: [one]\n---\n\n{body(n)}\n")
            else:
                (root / "Content/posts/p.md").write_text("---\ndate: 2010-01-01\n---\n\nA post.\n")
                more = {"parent": lambda n: f"m{n // 4}" if n else None} if kind == "thread" else {}
                self.write_messages(root / "Content/comments/p.jsonl", count, body, **more)
            self.measured(f"long {kind}", root, seconds=30)
            figures.append(f"{kind} {self.judge_pages(f'{count} {kind} of {size // 1000} KB', root) // 1000} KB")
            shutil.rmtree(root)
        return "largest pages of long entries: " + ", ".join(figures)


def memory_folder():
    """Where files are in memory, if there is room."""
    try:
        status = os.statvfs("/dev/shm")
    except OSError:
        return None
    return "/dev/shm" if status.f_bavail * status.f_frsize > 6 << 30 else None


class Cgroup:
    """A memory cgroup of either version; used by the command line that it puts before a command."""

    def __init__(self, folder):
        self.folder = folder
        self.before = ["sh", "-c", f'echo $$ >{folder}/cgroup.procs; exec "$@"', "sh"]

    @classmethod
    def make(cls, size):
        for parent, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            folder = pathlib.Path(parent) / f"stillfeed-torture-{os.getpid()}"
            try:
                folder.mkdir()
            except OSError:
                continue
            try:
                (folder / limit).write_text(str(size))
                return cls(folder)
            except OSError:
                folder.rmdir()
        return None

    def remove(self):
        self.folder.rmdir()


if __name__ == "__main__":
    run(__doc__, LargeTorture, ["archive", "items", "chains", "long_entries"])
